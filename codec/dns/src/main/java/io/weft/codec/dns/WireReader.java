package io.weft.codec.dns;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Reads numbers, octets and names of one message. Names are read once: a pointer to a name gives
/// the same object again.
///
/// A message up to [#SHARED] octets is the memory of its names and octets too. Those of a longer
/// one are copied, so that one name in a cache does not hold on to 64 KiB.
final class WireReader {
    private static final VarHandle SHORT =
            MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    static final int HEADER = 12;
    private static final int SHARED = 512;
    private static final int MAX_HOPS = 127;

    /// Octets of expanded names that each message has free.
    private static final int FREE = 4096;

    private static final int KNOWN = 16;
    private static final byte[] NOTHING = {};

    private byte[] array = NOTHING;
    private boolean shared;

    /// The end of the message; below, the end of the part that is being read.
    private int end;

    private int limit;
    private int at;

    /// The number of nested limits within the message.
    private int depth;

    /// The budget left for following pointers.
    private int budget;

    /// The first four octets, for errors; -1: none.
    private long header = -1;

    /// Names by their offset; each has one place.
    private final @Nullable DnsName[] known = new @Nullable DnsName[KNOWN];

    private final int[] knownAt = new int[KNOWN];
    private final byte[] scratch = new byte[DnsName.MAX_LENGTH + 1];

    /// Begins a message, which is `array` from now on.
    void begin(byte[] array, DnsLimits limits) {
        this.array = array;
        shared = array.length <= SHARED;
        end = array.length;
        limit = end;
        at = 0;
        depth = 0;
        budget = FREE + limits.nameExpansion() * end;
        header = end >= 4 ? (int) INT.get(array, 0) & 0xFFFF_FFFFL : -1;
        Arrays.fill(knownAt, -1);
    }

    /// Forgets the message.
    void end() {
        array = NOTHING;
        Arrays.fill(known, null);
    }

    /// Begins data that is in no message.
    void beginData(byte[] octets) {
        begin(octets, DnsLimits.DEFAULT);
        header = -1;
    }

    DnsException fault(DnsFault fault, String message) {
        return new DnsException(fault, message, header);
    }

    private DnsException cutOff(int needed) {
        if (depth > 0) {
            return fault(
                    DnsFault.DATA_LENGTH,
                    "data at "
                            + at
                            + ": "
                            + (limit - at)
                            + " octets left (expected: at least "
                            + needed
                            + ")");
        }
        return fault(
                DnsFault.CUT_OFF,
                "message of "
                        + end
                        + " octets, "
                        + (limit - at)
                        + " left (expected: at least "
                        + needed
                        + ")");
    }

    private int take(int octets) {
        int from = at;
        if (octets > limit - from) {
            throw cutOff(octets);
        }
        at = from + octets;
        return from;
    }

    int at() {
        return at;
    }

    int left() {
        return limit - at;
    }

    /// Reads no further than `length` octets from here.
    ///
    /// @return what [#unlimit] takes
    int limit(int length) {
        int before = limit;
        if (length > before - at) {
            throw cutOff(length);
        }
        limit = at + length;
        depth++;
        return before;
    }

    /// Ends a [#limit], at which all must have been read.
    void unlimit(int before) {
        if (at != limit) {
            throw fault(
                    DnsFault.DATA_LENGTH,
                    "data: " + (limit - at) + " octets left behind it (expected: none)");
        }
        limit = before;
        depth--;
    }

    int u8() {
        return array[take(1)] & 0xFF;
    }

    int u16() {
        return (short) SHORT.get(array, take(2)) & 0xFFFF;
    }

    int i32() {
        return (int) INT.get(array, take(4));
    }

    long u32() {
        return (int) INT.get(array, take(4)) & 0xFFFF_FFFFL;
    }

    long i64() {
        return (long) LONG.get(array, take(8));
    }

    Octets octets(int length) {
        int from = take(length);
        return shared
                ? new Octets(array, from, length)
                : new Octets(Arrays.copyOfRange(array, from, from + length), 0, length);
    }

    Octets rest() {
        return octets(limit - at);
    }

    /// A character-string.
    Octets string() {
        return octets(u8());
    }

    /// A name that may be compressed.
    DnsName name() {
        return name(true);
    }

    /// A name.
    ///
    /// @param compressed whether it may have a pointer
    DnsName name(boolean compressed) {
        byte[] a = array;
        int start = at;
        int p = start;
        while (true) {
            if (p >= limit) {
                throw cutOff(p + 1 - start);
            }
            int n = a[p] & 0xFF;
            if (n == 0) {
                at = p + 1;
                return remember(start, own(start, p + 1 - start));
            }
            if (n >= 0x40) {
                return pointed(start, p, compressed);
            }
            p += n + 1;
            if (p - start >= DnsName.MAX_LENGTH) {
                throw tooLong(start);
            }
        }
    }

    private DnsException tooLong(int start) {
        return fault(
                DnsFault.NAME_TOO_LONG, "name at " + start + ": above 255 octets (expected: not)");
    }

    private DnsName own(int start, int length) {
        return shared
                ? new DnsName(array, start, length)
                : new DnsName(Arrays.copyOfRange(array, start, start + length), 0, length);
    }

    private DnsName remember(int start, DnsName name) {
        known[start & (KNOWN - 1)] = name;
        knownAt[start & (KNOWN - 1)] = start;
        return name;
    }

    private @Nullable DnsName known(int start) {
        return knownAt[start & (KNOWN - 1)] == start ? known[start & (KNOWN - 1)] : null;
    }

    /// A name that begins at `start`, whose labels end with what is at `p`, which is neither a
    /// label nor the root.
    private DnsName pointed(int start, int p, boolean compressed) {
        if (limit - p < 2 && (array[p] & 0xC0) == 0xC0) {
            throw cutOff(p + 2 - start);
        }
        if (!compressed) {
            throw fault(
                    (array[p] & 0xC0) == 0xC0 ? DnsFault.POINTER : DnsFault.LABEL_TYPE,
                    "name at " + start + ": compressed (expected: not, in data of this type)");
        }
        int target = target(p, start);
        at = p + 2;
        DnsName suffix = known(target);
        if (suffix == null) {
            suffix = remember(target, follow(target));
        }
        int prefix = p - start;
        if (prefix == 0) {
            return suffix;
        }
        int length = prefix + suffix.length();
        if (length > DnsName.MAX_LENGTH) {
            throw tooLong(start);
        }
        spend(length);
        byte[] whole = new byte[length];
        System.arraycopy(array, start, whole, 0, prefix);
        suffix.copyTo(whole, prefix);
        return remember(start, new DnsName(whole, 0, length));
    }

    private void spend(int octets) {
        budget -= octets;
        if (budget < 0) {
            throw fault(
                    DnsFault.LIMIT,
                    "names behind pointers: too many octets for a message of "
                            + end
                            + " (expected: within DnsLimits.nameExpansion)");
        }
    }

    /// Returns the target of the pointer at `p`. It is before `segment`, where the labels before
    /// the pointer began, so that following ends.
    private int target(int p, int segment) {
        int high = array[p] & 0xFF;
        if (high < 0xC0) {
            throw fault(
                    DnsFault.LABEL_TYPE,
                    "label at " + p + ": type " + (high >> 6) + " (expected: 0, or a pointer)");
        }
        int target = (short) SHORT.get(array, p) & 0x3FFF;
        if (target >= segment || target < (header < 0 ? 0 : HEADER)) {
            throw fault(
                    DnsFault.POINTER,
                    "pointer at "
                            + p
                            + ": to "
                            + target
                            + " (expected: to an earlier name, before "
                            + segment
                            + ")");
        }
        return target;
    }

    /// The name at `start`, which lies before what is being read.
    private DnsName follow(int start) {
        byte[] a = array;
        int segment = start;
        int p = start;
        int length = 0;
        int hops = 1;
        while (true) {
            if (p >= end) {
                throw fault(DnsFault.CUT_OFF, "name at " + start + ": no end (expected: one)");
            }
            int n = a[p] & 0xFF;
            if (n == 0) {
                break;
            }
            if (n >= 0x40) {
                if (end - p < 2 && n >= 0xC0) {
                    throw fault(
                            DnsFault.CUT_OFF, "pointer at " + p + ": cut off (expected: whole)");
                }
                if (++hops > MAX_HOPS) {
                    throw fault(
                            DnsFault.POINTER,
                            "name at " + start + ": too many pointers (expected: at most 127)");
                }
                segment = target(p, segment);
                p = segment;
                continue;
            }
            if (length + n + 2 > DnsName.MAX_LENGTH) {
                throw tooLong(start);
            }
            if (n >= end - p) {
                throw fault(DnsFault.CUT_OFF, "label at " + p + ": cut off (expected: whole)");
            }
            System.arraycopy(a, p, scratch, length, n + 1);
            length += n + 1;
            p += n + 1;
        }
        spend(length + 2 * hops);
        if (hops == 1) {
            return own(start, p + 1 - start);
        }
        scratch[length] = 0;
        return new DnsName(Arrays.copyOf(scratch, length + 1), 0, length + 1);
    }
}
