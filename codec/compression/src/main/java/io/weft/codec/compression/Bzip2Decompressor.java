package io.weft.codec.compression;

import io.weft.buffer.Buffer;
import java.util.Arrays;

/// Expands bzip2, also several streams one behind the other, checking all sums. A state machine
/// that needs at most 48 bits to get on, so nothing of the input is kept but those.
///
/// Memory grows with the block that arrives, to four bytes for each of its at most 900,000.
public final class Bzip2Decompressor extends Decompressor {
    private static final long BLOCK_MAGIC = 0x314159265359L;
    private static final long END_MAGIC = 0x177245385090L;
    private static final int GROUP = 50;
    private static final int MAX_CODE = 20;
    private static final int MAX_SELECTORS = 18_002;
    private static final int RUN_A = 0;
    private static final int RUN_B = 1;

    private enum State {
        STREAM_HEADER,
        MAGIC,
        BLOCK_HEADER,
        MAP,
        MAP_GROUP,
        TABLES,
        SELECTORS,
        CODE_START,
        CODE_LENGTHS,
        SYMBOLS,
        OUTPUT,
        END_SUM
    }

    private State state = State.STREAM_HEADER;

    /// True if a stream has begun and not ended.
    private boolean begun;

    private boolean ended;
    private long bits;
    private int bitCount;
    private int maxBlock;
    private int streamSum;

    // The block being read.
    private int blockSum;
    private boolean randomised;
    private int origin;
    private int groupMap;
    private int group;
    private final byte[] used = new byte[256];
    private int usedCount;
    private int tableCount;
    private byte[] selectors = new byte[0];
    private int selectorCount;
    private int selector;
    private final byte[] selectorOrder = new byte[6];
    private final HuffmanTable[] tables = new HuffmanTable[6];
    private int table;
    private int symbol;
    private int codeLength;
    private int inGroup;
    private final byte[] order = new byte[256];
    private long run;
    private long runBit;
    private int[] chain = new int[0];
    private int blockLength;
    private final int[] counts = new int[256];

    // The block being written.
    private int position;
    private int left;
    private int before;
    private int repeated;
    private int repeat;
    private final Bzip2Mask mask = new Bzip2Mask();
    private final Bzip2Sum sum = new Bzip2Sum();

    public Bzip2Decompressor() {
        this(DecompressionLimits.DEFAULT);
    }

    public Bzip2Decompressor(DecompressionLimits limits) {
        super(limits);
    }

    @Override
    protected Status step(Buffer in, Buffer out) {
        while (true) {
            boolean on =
                    switch (state) {
                        case STREAM_HEADER -> streamHeader(in);
                        case MAGIC -> magic(in);
                        case BLOCK_HEADER -> blockHeader(in);
                        case MAP -> map(in);
                        case MAP_GROUP -> mapGroup(in);
                        case TABLES -> tables(in);
                        case SELECTORS -> selectors(in);
                        case CODE_START -> codeStart(in);
                        case CODE_LENGTHS -> codeLengths(in);
                        case SYMBOLS -> symbols(in);
                        case END_SUM -> endSum(in);
                        case OUTPUT -> output(out);
                    };
            if (!on) {
                return state == State.OUTPUT ? Status.NEEDS_OUTPUT : Status.NEEDS_INPUT;
            }
        }
    }

    private boolean need(Buffer in, int count) {
        while (bitCount < count) {
            if (!in.isReadable()) {
                return false;
            }
            bits = bits << 8 | in.readUnsignedByte();
            bitCount += 8;
        }
        return true;
    }

    private long take(int count) {
        bitCount -= count;
        return (bits >>> bitCount) & ((1L << count) - 1);
    }

    private boolean streamHeader(Buffer in) {
        begun |= in.isReadable();
        if (!need(in, 32)) {
            return false;
        }
        int header = (int) take(32);
        int level = (header & 0xFF) - '0';
        if (header >>> 8 != ('B' << 16 | 'Z' << 8 | 'h') || level < 1 || level > 9) {
            throw corrupted("bzip2 header", Integer.toHexString(header), "BZh1 to BZh9");
        }
        maxBlock = level * 100_000;
        streamSum = 0;
        state = State.MAGIC;
        return true;
    }

    private boolean magic(Buffer in) {
        if (!need(in, 48)) {
            return false;
        }
        long magic = take(48);
        if (magic != BLOCK_MAGIC && magic != END_MAGIC) {
            throw corrupted(
                    "bzip2 magic", Long.toHexString(magic), "that of a block or of the end");
        }
        state = magic == BLOCK_MAGIC ? State.BLOCK_HEADER : State.END_SUM;
        return true;
    }

    private boolean endSum(Buffer in) {
        if (!need(in, 32)) {
            return false;
        }
        if ((int) take(32) != streamSum) {
            throw corrupted("bzip2 stream CRC", "another", "that of the stream");
        }
        bitCount -= bitCount & 7; // a stream ends with a whole byte
        begun = false;
        ended = true;
        state = State.STREAM_HEADER;
        return true;
    }

    private boolean blockHeader(Buffer in) {
        if (!need(in, 32 + 1)) {
            return false;
        }
        blockSum = (int) take(32);
        randomised = take(1) != 0;
        state = State.MAP;
        return true;
    }

    private boolean map(Buffer in) {
        if (!need(in, 24 + 16)) {
            return false;
        }
        origin = (int) take(24);
        groupMap = (int) take(16);
        group = 0;
        usedCount = 0;
        state = State.MAP_GROUP;
        return true;
    }

    private boolean mapGroup(Buffer in) {
        for (; group < 16; group++) {
            if ((groupMap & 0x8000 >> group) == 0) {
                continue;
            }
            if (!need(in, 16)) {
                return false;
            }
            int map = (int) take(16);
            for (int i = 0; i < 16; i++) {
                if ((map & 0x8000 >> i) != 0) {
                    used[usedCount++] = (byte) (group << 4 | i);
                }
            }
        }
        if (usedCount == 0) {
            throw corrupted("bzip2 symbols", 0, "1 to 256");
        }
        state = State.TABLES;
        return true;
    }

    private boolean tables(Buffer in) {
        if (!need(in, 3 + 15)) {
            return false;
        }
        tableCount = (int) take(3);
        selectorCount = (int) take(15);
        if (tableCount < 2 || tableCount > 6 || selectorCount == 0) {
            throw corrupted(
                    "bzip2 tables, selectors",
                    tableCount + ", " + selectorCount,
                    "2 to 6, 1 or more");
        }
        for (int i = 0; i < tableCount; i++) {
            selectorOrder[i] = (byte) i;
        }
        selector = 0;
        state = State.SELECTORS;
        return true;
    }

    /// Each selector is a place in a list whose used entries move to the front, in unary.
    private boolean selectors(Buffer in) {
        for (; selector < selectorCount; selector++) {
            if (!need(in, 6)) {
                return false;
            }
            int place = 0;
            while (take(1) != 0) {
                if (++place >= tableCount) {
                    throw corrupted("bzip2 selector", place, "below " + tableCount);
                }
            }
            byte chosen = selectorOrder[place];
            System.arraycopy(selectorOrder, 0, selectorOrder, 1, place);
            selectorOrder[0] = chosen;
            // More than a block can use are allowed, and mean nothing.
            if (selector < MAX_SELECTORS) {
                if (selector >= selectors.length) {
                    selectors = Arrays.copyOf(selectors, Math.max(256, selectors.length * 2));
                }
                selectors[selector] = chosen;
            }
        }
        selectorCount = Math.min(selectorCount, MAX_SELECTORS);
        table = 0;
        state = State.CODE_START;
        return true;
    }

    private boolean codeStart(Buffer in) {
        if (table == tableCount) {
            beginSymbols();
            return true;
        }
        if (!need(in, 5)) {
            return false;
        }
        codeLength = (int) take(5);
        symbol = 0;
        tables[table] = new HuffmanTable(usedCount + 2);
        state = State.CODE_LENGTHS;
        return true;
    }

    private boolean codeLengths(Buffer in) {
        HuffmanTable to = tables[table];
        while (symbol < usedCount + 2) {
            if (codeLength < 1 || codeLength > MAX_CODE) {
                throw corrupted("bzip2 code length", codeLength, "1 to " + MAX_CODE);
            }
            if (!need(in, 2)) {
                return false;
            }
            if (take(1) == 0) {
                to.lengths[symbol++] = (byte) codeLength;
            } else {
                codeLength += take(1) == 0 ? 1 : -1;
            }
        }
        to.build();
        table++;
        state = State.CODE_START;
        return true;
    }

    private void beginSymbols() {
        System.arraycopy(used, 0, order, 0, usedCount);
        selector = 0;
        inGroup = 0;
        run = 0;
        runBit = 1;
        blockLength = 0;
        Arrays.fill(counts, 0);
        state = State.SYMBOLS;
    }

    private boolean symbols(Buffer in) {
        while (true) {
            // A code is mostly shorter than the longest one: the last of a block may be all that
            // there is.
            boolean all = need(in, MAX_CODE);
            if (inGroup == GROUP) {
                inGroup = 0;
                selector++;
            }
            if (selector >= selectorCount) {
                throw corrupted("bzip2 block", "longer than its selectors", selectorCount);
            }
            HuffmanTable codes = tables[selectors[selector]];
            long next = all ? bits >>> (bitCount - MAX_CODE) : bits << (MAX_CODE - bitCount);
            int code = (int) next & ((1 << MAX_CODE) - 1);
            int s = codes.symbol(code);
            if (!all && (s < 0 || codes.lengths[s] > bitCount)) {
                return false;
            }
            inGroup++;
            if (s < 0) {
                throw corrupted("bzip2 code", Integer.toHexString(code), "one of its table");
            }
            bitCount -= codes.lengths[s];
            if (s == RUN_A || s == RUN_B) {
                // A number in base two with the digits one and two.
                run += runBit << s;
                runBit <<= 1;
                if (run > maxBlock) {
                    throw corrupted("bzip2 run", run, "at most " + maxBlock);
                }
                continue;
            }
            if (run > 0) {
                append(order[0], (int) run);
                run = 0;
                runBit = 1;
            }
            if (s == usedCount + 1) {
                endBlock();
                return true;
            }
            byte value = order[s - 1];
            System.arraycopy(order, 0, order, 1, s - 1);
            order[0] = value;
            append(value, 1);
        }
    }

    private void append(byte value, int times) {
        int length = blockLength + times;
        if (length > maxBlock) {
            throw corrupted("bzip2 block bytes", length, "at most " + maxBlock);
        }
        if (length > chain.length) {
            chain =
                    Arrays.copyOf(
                            chain,
                            Math.min(maxBlock, Math.max(length, Math.max(1024, 2 * chain.length))));
        }
        Arrays.fill(chain, blockLength, length, value & 0xFF);
        blockLength = length;
        counts[value & 0xFF] += times;
    }

    /// Turns the last column of the sorted rotations into a chain from each byte to the one behind
    /// it (Burrows and Wheeler, 1994): the index in the upper 24 bits, the byte in the lower 8.
    private void endBlock() {
        if (origin >= blockLength) {
            throw corrupted("bzip2 origin", origin, "below " + blockLength);
        }
        int[] next = new int[256];
        int total = 0;
        for (int i = 0; i < 256; i++) {
            next[i] = total;
            total += counts[i];
        }
        for (int i = 0; i < blockLength; i++) {
            chain[next[chain[i] & 0xFF]++] |= i << 8;
        }
        position = chain[origin] >>> 8;
        left = blockLength;
        before = -1;
        repeated = 0;
        repeat = 0;
        mask.reset();
        sum.reset();
        state = State.OUTPUT;
    }

    /// Four equal bytes are followed by how many more there are.
    private boolean output(Buffer out) {
        int room = out.writableBytes();
        while (room > 0) {
            if (repeat > 0) {
                out.writeByte(before);
                sum.update(before);
                repeat--;
                room--;
                continue;
            }
            if (left == 0) {
                endOutput();
                return true;
            }
            int entry = chain[position];
            position = entry >>> 8;
            left--;
            int value = entry & 0xFF;
            if (randomised) {
                value ^= mask.next();
            }
            if (repeated == 4) {
                repeat = value;
                repeated = 0;
                continue;
            }
            repeated = value == before ? repeated + 1 : 1;
            before = value;
            out.writeByte(value);
            sum.update(value);
            room--;
        }
        if (left == 0 && repeat == 0) {
            endOutput();
            return true;
        }
        return false;
    }

    private void endOutput() {
        if (sum.value() != blockSum) {
            throw corrupted("bzip2 block CRC", "another", "that of the block");
        }
        streamSum = (streamSum << 1 | streamSum >>> 31) ^ blockSum;
        state = State.MAGIC;
    }

    @Override
    protected boolean isComplete() {
        return state == State.STREAM_HEADER && ended && !begun;
    }
}
