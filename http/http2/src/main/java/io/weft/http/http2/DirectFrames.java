package io.weft.http.http2;

import io.weft.buffer.Buffer;

/// Takes the frames that messages are made of as arguments, so that no object is made of a frame.
interface DirectFrames {
    /// As [Http2Frame.Data]. The receiver owns `data`.
    void data(int stream, boolean endStream, Buffer data, int flowControlled);

    /// As [Http2Frame.Headers], the fragment being the next `length` bytes of `in`: the receiver
    /// reads them first of all.
    void headers(
            int stream,
            boolean endStream,
            boolean endHeaders,
            boolean dependsOnItself,
            Buffer in,
            int length);

    /// As [Http2Frame.WindowUpdate].
    void windowUpdate(int stream, int increment);
}
