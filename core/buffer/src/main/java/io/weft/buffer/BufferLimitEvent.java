package io.weft.buffer;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

@Name("io.weft.BufferLimit")
@Label("Buffer Limit")
@Category("Weft")
@Description("An allocation failed: the cap was reached, or the system had no more memory")
final class BufferLimitEvent extends Event {
    @Label("Wanted")
    @DataAmount
    long wanted;

    @Label("Reserved")
    @DataAmount
    long reserved;

    @Label("Limit")
    @DataAmount
    long limit;

    static void emit(long wanted, long reserved, long limit) {
        BufferLimitEvent event = new BufferLimitEvent();
        if (event.isEnabled()) {
            event.wanted = wanted;
            event.reserved = reserved;
            event.limit = limit;
            event.commit();
        }
    }
}
