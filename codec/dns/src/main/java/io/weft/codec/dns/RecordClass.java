package io.weft.codec.dns;

import java.util.Locale;

/// The class of a record or a question: any number of 16 bits.
public record RecordClass(int number) {
    public static final RecordClass IN = new RecordClass(1);
    public static final RecordClass CH = new RecordClass(3);
    public static final RecordClass HS = new RecordClass(4);

    /// Of updates: no record is so, or this one goes (RFC 2136).
    public static final RecordClass NONE = new RecordClass(254);

    /// Of questions: any class.
    public static final RecordClass ANY = new RecordClass(255);

    /// @throws IllegalArgumentException unless 0 to 65535
    public RecordClass {
        if (number < 0 || number > 0xFFFF) {
            throw new IllegalArgumentException("class: " + number + " (expected: 0 to 65535)");
        }
    }

    /// @throws IllegalArgumentException unless 0 to 65535
    public static RecordClass of(int number) {
        return switch (number) {
            case 1 -> IN;
            case 3 -> CH;
            case 4 -> HS;
            case 254 -> NONE;
            case 255 -> ANY;
            default -> new RecordClass(number);
        };
    }

    /// Reads a mnemonic in any case, or `CLASS` and a number.
    ///
    /// @throws IllegalArgumentException unless it is a class
    public static RecordClass parse(String text) {
        return switch (text.toUpperCase(Locale.ROOT)) {
            case "IN" -> IN;
            case "CH" -> CH;
            case "HS" -> HS;
            case "NONE" -> NONE;
            case "ANY" -> ANY;
            default -> of(RecordType.number("CLASS", text));
        };
    }

    /// The mnemonic, or `CLASS` and the number.
    @Override
    public String toString() {
        return switch (number) {
            case 1 -> "IN";
            case 3 -> "CH";
            case 4 -> "HS";
            case 254 -> "NONE";
            case 255 -> "ANY";
            default -> "CLASS" + number;
        };
    }
}
