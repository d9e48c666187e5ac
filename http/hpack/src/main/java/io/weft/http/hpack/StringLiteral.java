package io.weft.http.hpack;

import java.util.Arrays;

/// A string of a header block (RFC 7541, 5.2), which may come in parts, and the room that strings
/// are decoded to.
final class StringLiteral {
    /// Larger room is not kept for the next block.
    private static final int KEPT = 4096;

    private static final int FIRST_ROOM = 128;

    /// Bytes behind a whole string, or behind its decoded text, that may be read.
    static final int SLACK = 8;

    private final HuffmanDecoder huffman = new HuffmanDecoder();
    private byte[] text = new byte[FIRST_ROOM];
    private int length;
    private boolean huffmanCoded;

    /// Bytes that are still to come.
    private int remaining;

    private boolean oversized;

    /// Returns the room, where text begins at 0 and [#SLACK] bytes may be read behind it. Another
    /// one after each string.
    byte[] text() {
        return text;
    }

    /// Returns the length of the text.
    int length() {
        return length;
    }

    /// Decodes a string in Huffman's code of which all bytes have come: [from, to) of `in`.
    void whole(byte[] in, int from, int to) {
        length = 0;
        room(HuffmanDecoder.most(to - from));
        length = huffman.whole(in, from, to, text);
    }

    /// Begins a string that comes in parts.
    void begin(boolean isHuffmanCoded) {
        huffmanCoded = isHuffmanCoded;
        length = 0;
        oversized = false;
    }

    /// Tells how many bytes the string has.
    void expect(int bytes) {
        remaining = bytes;
    }

    /// Takes what there is of the string in [from, to) of `in`.
    ///
    /// @param most length of a text that is of use; of a longer one only the code is checked
    /// @return the end of what was taken
    int take(byte[] in, int from, int to, int most) {
        int n = Math.min(remaining, to - from);
        if (length > most) {
            oversized = true;
            length = 0;
        }
        if (huffmanCoded) {
            room(HuffmanDecoder.most(n));
            length = huffman.decode(in, from, from + n, text, length);
        } else {
            room(n);
            System.arraycopy(in, from, text, length, n);
            length += n;
        }
        remaining -= n;
        if (remaining == 0 && huffmanCoded) {
            room(HuffmanDecoder.most(0));
            length = huffman.end(text, length);
        }
        return from + n;
    }

    /// Tells if all bytes have come.
    boolean isWhole() {
        return remaining == 0;
    }

    /// Tells if the text was too long to be kept.
    boolean isOversized() {
        return oversized;
    }

    /// Gives up room that one block alone has needed.
    ///
    /// @return true if there is other room now
    boolean trim() {
        if (text.length <= KEPT) {
            return false;
        }
        text = new byte[FIRST_ROOM];
        return true;
    }

    private void room(int more) {
        int needed = length + more + SLACK;
        if (needed > text.length) {
            text = Arrays.copyOf(text, Math.max(needed, text.length * 2));
        }
    }
}
