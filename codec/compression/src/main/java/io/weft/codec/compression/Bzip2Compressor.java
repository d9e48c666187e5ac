package io.weft.codec.compression;

import io.weft.buffer.Buffer;
import java.util.Arrays;

/// Compresses to one bzip2 stream. It holds some thirty bytes for each byte of a block while it
/// sorts one.
public final class Bzip2Compressor implements Compressor {
    private static final int GROUP = 50;
    private static final int MAX_CODE = 17;

    /// Selectors that old readers have room for.
    private static final int MAX_SELECTORS = 18_002;

    private static final int ROUNDS = 3;

    /// Bytes that four equal bytes and a count may add.
    private static final int SLACK = 20;

    private final int level;
    private final byte[] block;
    private int length;
    private int before = -1;
    private int repeated;
    private final Bzip2Sum sum = new Bzip2Sum();
    private int streamSum;
    private boolean begun;
    private long bits;
    private int bitCount;

    /// True if the current block is to end with a whole byte, as nothing may follow for a while.
    private boolean endsWithByte;

    public Bzip2Compressor() {
        this(9);
    }

    /// @param level 1 to 9: hundreds of thousands of bytes a block
    public Bzip2Compressor(int level) {
        if (level < 1 || level > 9) {
            throw new IllegalArgumentException("level: " + level + " (expected: 1 to 9)");
        }
        this.level = level;
        block = new byte[level * 100_000];
    }

    @Override
    public void compress(Buffer in, Buffer out) {
        begin(out);
        while (in.isReadable()) {
            int b = in.readUnsignedByte();
            if (b == before && repeated < 255) {
                repeated++;
            } else {
                endRun();
                if (length > block.length - SLACK) {
                    endBlock(out);
                }
                before = b;
                repeated = 1;
            }
        }
    }

    private void begin(Buffer out) {
        if (!begun) {
            begun = true;
            put(out, 'B' << 16 | 'Z' << 8 | 'h', 24);
            put(out, '0' + level, 8);
        }
    }

    /// Four equal bytes are followed by how many more there are.
    private void endRun() {
        for (int i = 0; i < repeated; i++) {
            sum.update(before);
            if (i < 4) {
                block[length++] = (byte) before;
            }
        }
        if (repeated >= 4) {
            block[length++] = (byte) (repeated - 4);
        }
        repeated = 0;
        before = -1;
    }

    /// Ends the block, with a byte: it is filled up by selectors that nothing uses.
    @Override
    public void flush(Buffer out) {
        begin(out);
        endRun();
        endsWithByte = true;
        endBlock(out);
        endsWithByte = false;
    }

    @Override
    public void finish(Buffer out) {
        begin(out);
        endRun();
        endBlock(out);
        put(out, 0x177245, 24);
        put(out, 0x385090, 24);
        put(out, streamSum >>> 16, 16);
        put(out, streamSum & 0xFFFF, 16);
        put(out, 0, 7 - (bitCount + 7) % 8);
    }

    private void put(Buffer out, int value, int count) {
        bits = bits << count | value;
        bitCount += count;
        while (bitCount >= 8) {
            bitCount -= 8;
            out.writeByte((int) (bits >>> bitCount));
        }
    }

    private void endBlock(Buffer out) {
        if (length == 0) {
            return;
        }
        int blockSum = sum.value();
        streamSum = (streamSum << 1 | streamSum >>> 31) ^ blockSum;
        put(out, 0x314159, 24);
        put(out, 0x265359, 24);
        put(out, blockSum >>> 16, 16);
        put(out, blockSum & 0xFFFF, 16);
        put(out, 0, 1);
        int[] rotations = RotationSort.sort(block, length);
        int origin = 0;
        byte[] last = new byte[length];
        for (int i = 0; i < length; i++) {
            int at = rotations[i];
            if (at == 0) {
                origin = i;
            }
            last[i] = block[at == 0 ? length - 1 : at - 1];
        }
        put(out, origin, 24);
        symbols(last, out);
        length = 0;
        sum.reset();
    }

    private void symbols(byte[] last, Buffer out) {
        boolean[] used = new boolean[256];
        for (byte b : last) {
            used[b & 0xFF] = true;
        }
        map(used, out);
        byte[] order = new byte[256];
        int count = 0;
        for (int i = 0; i < 256; i++) {
            if (used[i]) {
                order[count++] = (byte) i;
            }
        }
        int[] symbols = new int[last.length + 1];
        int n = 0;
        int run = 0;
        for (byte b : last) {
            int place = 0;
            while (order[place] != b) {
                place++;
            }
            if (place == 0) {
                run++;
                continue;
            }
            n = run(symbols, n, run);
            run = 0;
            symbols[n++] = place + 1;
            System.arraycopy(order, 0, order, 1, place);
            order[0] = b;
        }
        n = run(symbols, n, run);
        symbols[n++] = count + 1;
        codes(Arrays.copyOf(symbols, n), count + 2, out);
    }

    private void map(boolean[] used, Buffer out) {
        int[] maps = new int[16];
        int groups = 0;
        for (int i = 0; i < 256; i++) {
            if (used[i]) {
                maps[i >> 4] |= 0x8000 >> (i & 15);
                groups |= 0x8000 >> (i >> 4);
            }
        }
        put(out, groups, 16);
        for (int map : maps) {
            if (map != 0) {
                put(out, map, 16);
            }
        }
    }

    /// A number in base two with the digits one and two.
    private static int run(int[] symbols, int at, int run) {
        int n = at;
        for (int rest = run; rest > 0; rest = (rest - 1) >> 1) {
            symbols[n++] = (rest & 1) == 1 ? 0 : 1;
        }
        return n;
    }

    private void codes(int[] symbols, int alphabet, Buffer out) {
        int groups = (symbols.length + GROUP - 1) / GROUP;
        int count = Math.clamp(groups / 40L + 2, 2, 6);
        HuffmanTable[] tables = new HuffmanTable[count];
        byte[] chosen = new byte[groups];
        for (int g = 0; g < groups; g++) {
            chosen[g] = (byte) ((long) g * count / groups);
        }
        for (int round = 0; round < ROUNDS; round++) {
            for (int t = 0; t < count; t++) {
                int[] frequencies = new int[alphabet];
                for (int i = 0; i < symbols.length; i++) {
                    if (chosen[i / GROUP] == t) {
                        frequencies[symbols[i]]++;
                    }
                }
                tables[t] = new HuffmanTable(alphabet);
                tables[t].fit(frequencies, MAX_CODE);
            }
            if (round < ROUNDS - 1) {
                choose(symbols, tables, chosen);
            }
        }
        write(symbols, tables, chosen, out);
    }

    /// Gives each group of symbols the table that makes it shortest.
    private static void choose(int[] symbols, HuffmanTable[] tables, byte[] chosen) {
        for (int g = 0; g < chosen.length; g++) {
            int best = Integer.MAX_VALUE;
            for (int t = 0; t < tables.length; t++) {
                int cost = 0;
                for (int i = g * GROUP; i < Math.min(symbols.length, (g + 1) * GROUP); i++) {
                    cost += tables[t].lengths[symbols[i]];
                }
                if (cost < best) {
                    best = cost;
                    chosen[g] = (byte) t;
                }
            }
        }
    }

    private void write(int[] symbols, HuffmanTable[] tables, byte[] chosen, Buffer out) {
        put(out, tables.length, 3);
        int[] places = places(chosen);
        int unused = endsWithByte ? unused(symbols, tables, chosen, places) : 0;
        put(out, chosen.length + unused, 15);
        for (int place : places) {
            put(out, (1 << (place + 1)) - 2, place + 1);
        }
        put(out, 0, unused); // each of them is one bit: the table before once more
        int[][] codes = new int[tables.length][];
        for (int t = 0; t < tables.length; t++) {
            codes[t] = tables[t].codes();
            int length = tables[t].lengths[0];
            put(out, length, 5);
            for (byte wanted : tables[t].lengths) {
                for (; length < wanted; length++) {
                    put(out, 2, 2);
                }
                for (; length > wanted; length--) {
                    put(out, 3, 2);
                }
                put(out, 0, 1);
            }
        }
        for (int i = 0; i < symbols.length; i++) {
            int t = chosen[i / GROUP];
            put(out, codes[t][symbols[i]], tables[t].lengths[symbols[i]]);
        }
    }

    /// Returns the place of each table in a list whose used entries move to the front.
    private static int[] places(byte[] chosen) {
        byte[] order = {0, 1, 2, 3, 4, 5};
        int[] places = new int[chosen.length];
        for (int i = 0; i < chosen.length; i++) {
            int place = 0;
            while (order[place] != chosen[i]) {
                place++;
            }
            places[i] = place;
            System.arraycopy(order, 0, order, 1, place);
            order[0] = chosen[i];
        }
        return places;
    }

    /// Returns the number of one-bit selectors that make the block end with a whole byte; 0 if
    /// there is no room for more.
    private int unused(int[] symbols, HuffmanTable[] tables, byte[] chosen, int[] places) {
        long length = bitCount + 15L;
        for (int place : places) {
            length += place + 1;
        }
        for (HuffmanTable table : tables) {
            int before = table.lengths[0];
            length += 5;
            for (byte wanted : table.lengths) {
                length += 2L * Math.abs(wanted - before) + 1;
                before = wanted;
            }
        }
        for (int i = 0; i < symbols.length; i++) {
            length += tables[chosen[i / GROUP]].lengths[symbols[i]];
        }
        int unused = (int) (-length & 7);
        return chosen.length + unused <= MAX_SELECTORS ? unused : 0;
    }

    @Override
    public void close() {}
}
