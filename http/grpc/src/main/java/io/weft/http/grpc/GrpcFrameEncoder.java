package io.weft.http.grpc;

import io.weft.codec.Encoder;
import io.weft.codec.Output;

/// Puts the flag and the length before the bytes of each message. It has no state: one serves any
/// number of calls and threads.
public final class GrpcFrameEncoder implements Encoder<GrpcFrame> {
    public GrpcFrameEncoder() {}

    @Override
    public void encode(GrpcFrame frame, Output out) {
        try {
            out.buffer(GrpcFrame.HEADER)
                    .writeByte(frame.compressed() ? 1 : 0)
                    .writeInt(frame.bytes().readableBytes());
        } catch (RuntimeException | Error e) {
            frame.bytes().release();
            throw e;
        }
        out.add(frame.bytes());
    }
}
