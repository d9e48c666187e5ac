package io.weft.buffer;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

@Name("io.weft.BufferLarge")
@Label("Large Buffer")
@Category("Weft")
@Description("Memory for a buffer was reserved singly, or given back")
final class BufferLargeEvent extends Event {
    @Label("Allocated")
    @Description("False when it was given back")
    boolean allocated;

    @Label("Size")
    @DataAmount
    long size;

    @Label("Reserved")
    @Description("For all buffers, after this")
    @DataAmount
    long reserved;

    static void emit(boolean allocated, long size, MemoryBudget budget) {
        BufferLargeEvent event = new BufferLargeEvent();
        if (event.isEnabled()) {
            event.allocated = allocated;
            event.size = size;
            event.reserved = budget.reserved();
            event.commit();
        }
    }
}
