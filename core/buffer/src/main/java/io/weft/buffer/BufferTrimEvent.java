package io.weft.buffer;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

@Name("io.weft.BufferTrim")
@Label("Buffer Trim")
@Category("Weft")
@Description("A pool of buffers gave free memory back to the system")
final class BufferTrimEvent extends Event {
    @Label("Size")
    @DataAmount
    long size;

    @Label("Reserved")
    @Description("For all buffers, after this")
    @DataAmount
    long reserved;

    static void emit(long size, MemoryBudget budget) {
        BufferTrimEvent event = new BufferTrimEvent();
        if (event.isEnabled()) {
            event.size = size;
            event.reserved = budget.reserved();
            event.commit();
        }
    }
}
