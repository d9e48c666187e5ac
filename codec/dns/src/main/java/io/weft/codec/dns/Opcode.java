package io.weft.codec.dns;

/// The kind of a query: a number of four bits.
public record Opcode(int number) {
    private static final Opcode[] CACHE = new Opcode[16];

    static {
        for (int i = 0; i < CACHE.length; i++) {
            CACHE[i] = new Opcode(i);
        }
    }

    public static final Opcode QUERY = of(0);
    public static final Opcode IQUERY = of(1);
    public static final Opcode STATUS = of(2);
    public static final Opcode NOTIFY = of(4);
    public static final Opcode UPDATE = of(5);

    /// Stateful operations (RFC 8490), whose messages have another format: neither decoded nor
    /// encoded here.
    public static final Opcode DSO = of(6);

    /// @throws IllegalArgumentException unless 0 to 15
    public Opcode {
        if (number < 0 || number > 15) {
            throw new IllegalArgumentException("opcode: " + number + " (expected: 0 to 15)");
        }
    }

    /// @throws IllegalArgumentException unless 0 to 15
    public static Opcode of(int number) {
        return number >= 0 && number < 16 ? CACHE[number] : new Opcode(number);
    }

    /// Tells if messages with this opcode are a header and four sections.
    boolean hasSections() {
        return (1 << number & 0b110111) != 0;
    }

    /// The mnemonic, or `OPCODE` and the number.
    @Override
    public String toString() {
        return switch (number) {
            case 0 -> "QUERY";
            case 1 -> "IQUERY";
            case 2 -> "STATUS";
            case 4 -> "NOTIFY";
            case 5 -> "UPDATE";
            case 6 -> "DSO";
            default -> "OPCODE" + number;
        };
    }
}
