package io.weft.buffer;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

@Name("io.weft.BufferChunk")
@Label("Buffer Chunk")
@Category("Weft")
@Description("A pool of buffers took a range of addresses, or gave it back")
final class BufferChunkEvent extends Event {
    @Label("Taken")
    @Description("False when it was given back")
    boolean taken;

    @Label("Size")
    @DataAmount
    long size;

    @Label("Chunks")
    @Description("Of this pool, after this")
    int chunks;

    static void emit(boolean taken, long size, int chunks) {
        BufferChunkEvent event = new BufferChunkEvent();
        if (event.isEnabled()) {
            event.taken = taken;
            event.size = size;
            event.chunks = chunks;
            event.commit();
        }
    }
}
