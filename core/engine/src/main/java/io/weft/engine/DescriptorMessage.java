package io.weft.engine;

import io.weft.buffer.Buffer;
import java.util.List;

/// Bytes that descriptors travel with, on a stream between Unix domain sockets of the io_uring and
/// epoll transports. Who has it owns content and descriptors; closing it releases and closes them,
/// and so does sending it.
///
/// It is read only where [ChannelOption#RECEIVE_DESCRIPTORS] is on. The bytes may come in other
/// portions than they were sent in, but the first of them comes with the descriptors.
///
/// @param content at least one byte
/// @param descriptors 1 to [#MAX_DESCRIPTORS]
public record DescriptorMessage(Buffer content, List<PassedDescriptor> descriptors)
        implements AutoCloseable {
    /// Descriptors in one message. The kernel closes more than that.
    public static final int MAX_DESCRIPTORS = 16;

    public DescriptorMessage {
        descriptors = List.copyOf(descriptors);
        if (!content.isReadable()
                || descriptors.isEmpty()
                || descriptors.size() > MAX_DESCRIPTORS) {
            throw new IllegalArgumentException(
                    "bytes: "
                            + content.readableBytes()
                            + ", descriptors: "
                            + descriptors.size()
                            + " (expected: at least 1, 1 to "
                            + MAX_DESCRIPTORS
                            + ")");
        }
    }

    @Override
    public void close() {
        try {
            content.release();
        } finally {
            descriptors.forEach(PassedDescriptor::close);
        }
    }
}
