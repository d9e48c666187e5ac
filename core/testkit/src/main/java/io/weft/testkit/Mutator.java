package io.weft.testkit;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/// Makes streams out of known ones by small damage.
final class Mutator {
    /// Numbers at the edges of what lengths and counts can be.
    private static final int[] EDGES = {
        0, 1, 2, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0xFF_FFFF, 0x7FFF_FFFF, 0x8000_0000, -1
    };

    /// Characters that end or begin something in many protocols.
    private static final byte[] MEANINGFUL = {
        0, '\t', '\n', '\r', ' ', '"', ',', '-', '0', ':', ';', '=', '{', '}', (byte) 0xFF
    };

    private static final int MAX_LENGTH = 1 << 14;
    private final RandomGenerator random;

    Mutator(RandomGenerator random) {
        this.random = random;
    }

    byte[] mutate(List<byte[]> seeds) {
        byte[] bytes = seeds.get(random.nextInt(seeds.size())).clone();
        int times = 1 + random.nextInt(1 << random.nextInt(4));
        for (int i = 0; i < times; i++) {
            bytes = once(bytes, seeds);
        }
        return bytes.length > MAX_LENGTH ? Arrays.copyOf(bytes, MAX_LENGTH) : bytes;
    }

    private byte[] once(byte[] in, List<byte[]> seeds) {
        int at = in.length == 0 ? 0 : random.nextInt(in.length);
        int length = in.length == 0 ? 0 : random.nextInt(Math.min(64, in.length - at) + 1);
        byte[] part = Arrays.copyOfRange(in, at, at + length);
        return switch (random.nextInt(9)) {
            case 0 -> replaced(in, at, 1, (byte) (1 << random.nextInt(8)), true);
            case 1 -> replaced(in, at, 1, (byte) random.nextInt(256), false);
            case 2 -> replaced(in, at, 1, MEANINGFUL[random.nextInt(MEANINGFUL.length)], false);
            case 3 -> splice(in, at, at + length, new byte[0]);
            case 4 -> splice(in, at, at, part);
            case 5 -> splice(in, at, at, new byte[] {MEANINGFUL[random.nextInt(15)]});
            case 6 -> edge(in, at);
            case 7 -> Arrays.copyOf(in, at);
            default -> {
                byte[] other = seeds.get(random.nextInt(seeds.size()));
                int from = other.length == 0 ? 0 : random.nextInt(other.length);
                yield splice(in, at, in.length, Arrays.copyOfRange(other, from, other.length));
            }
        };
    }

    private static byte[] replaced(byte[] in, int at, int length, byte by, boolean xor) {
        if (at + length <= in.length) {
            in[at] = xor ? (byte) (in[at] ^ by) : by;
        }
        return in;
    }

    /// A number of one to four bytes, in either order, over what is there.
    private byte[] edge(byte[] in, int at) {
        int value = EDGES[random.nextInt(EDGES.length)];
        int size = 1 + random.nextInt(4);
        boolean little = random.nextBoolean();
        for (int i = 0; i < size && at + i < in.length; i++) {
            in[at + i] = (byte) (value >>> (8 * (little ? i : size - 1 - i)));
        }
        return in;
    }

    private static byte[] splice(byte[] in, int from, int to, byte[] by) {
        byte[] out = new byte[from + by.length + in.length - to];
        System.arraycopy(in, 0, out, 0, from);
        System.arraycopy(by, 0, out, from, by.length);
        System.arraycopy(in, to, out, from + by.length, in.length - to);
        return out;
    }
}
