package io.weft.buffer;

import java.util.Arrays;
import java.util.List;

/// The kinds of buffers there are. All of them keep one contract.
enum Kind {
    POOLED,
    UNPOOLED,
    GROWN,
    SLICE,
    SPLIT,
    READ_ONLY,
    UNRELEASABLE,
    RING,
    COMPOSITE_OF_ONE,
    COMPOSITE_OF_MANY,
    COMPOSITE_OF_PARTS,
    READ_ONLY_COMPOSITE;

    boolean isReadOnly() {
        return this == READ_ONLY || this == READ_ONLY_COMPOSITE;
    }

    /// One with `content` from 0 to capacity, all of it readable. What it stands on is released by
    /// releasing `under`.
    Object open(byte[] content, List<Buffer> under) {
        return switch (this) {
            case POOLED -> {
                BufferAllocator.pooled().attachThread();
                try {
                    yield buffer(content);
                } finally {
                    BufferAllocator.pooled().detachThread();
                }
            }
            case UNPOOLED -> buffer(content);
            case GROWN -> {
                Buffer b = BufferAllocator.pooled().allocate(0, content.length);
                for (byte each : content) {
                    b.writeByte(each);
                }
                yield b;
            }
            case SLICE -> {
                Buffer whole = keep(padded(content), under);
                yield whole.slice(3, content.length);
            }
            case SPLIT -> {
                Buffer whole = keep(padded(content), under);
                yield whole.skipReadable(3).split(content.length);
            }
            case READ_ONLY -> keep(buffer(content), under).asReadOnly();
            case UNRELEASABLE -> keep(buffer(content), under).asUnreleasable();
            case RING -> {
                Buffer memory = keep(buffer(content), under);
                yield new Block(memory.address(), content.length, _ -> {}, 7).open(content.length);
            }
            case COMPOSITE_OF_ONE -> composite().add(buffer(content));
            case COMPOSITE_OF_MANY -> {
                CompositeBuffer composite = composite();
                for (int i = 0, n = 1; i < content.length; i += n, n = n % 7 + 1) {
                    int end = Math.min(content.length, i + n);
                    composite.add(buffer(Arrays.copyOfRange(content, i, end)));
                }
                yield composite;
            }
            case COMPOSITE_OF_PARTS -> {
                Buffer whole = keep(padded(content), under);
                CompositeBuffer composite = composite();
                for (int i = 0; i < content.length; i += 5) {
                    composite.add(whole.slice(3 + i, Math.min(5, content.length - i)));
                }
                yield composite;
            }
            case READ_ONLY_COMPOSITE -> {
                CompositeBuffer composite = composite();
                Buffer whole = keep(buffer(content), under).asReadOnly();
                while (whole.isReadable()) {
                    composite.add(whole.split(Math.min(6, whole.readableBytes())));
                }
                whole.release();
                yield composite;
            }
        };
    }

    private static CompositeBuffer composite() {
        return new CompositeBuffer(BufferAllocator.pooled());
    }

    private static Buffer buffer(byte[] content) {
        return BufferAllocator.pooled()
                .allocate(content.length, content.length)
                .writeBytes(content);
    }

    private static Buffer padded(byte[] content) {
        Buffer b = BufferAllocator.pooled().allocate(content.length + 6);
        return b.writeMedium(-1).writeBytes(content).writeMedium(-1);
    }

    private static Buffer keep(Buffer b, List<Buffer> under) {
        under.add(b);
        return b;
    }
}
