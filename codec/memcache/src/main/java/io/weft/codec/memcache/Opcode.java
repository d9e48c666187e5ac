package io.weft.codec.memcache;

import org.jspecify.annotations.Nullable;

/// Commands of the binary protocol. A quiet one is answered only when there is something to say: a
/// hit of a get, a failure of the others.
public enum Opcode {
    GET(0x00, 0, Has.KEY),
    SET(0x01, 8, Has.KEY_AND_VALUE),
    ADD(0x02, 8, Has.KEY_AND_VALUE),
    REPLACE(0x03, 8, Has.KEY_AND_VALUE),
    DELETE(0x04, 0, Has.KEY),
    INCREMENT(0x05, 20, Has.KEY),
    DECREMENT(0x06, 20, Has.KEY),
    QUIT(0x07, 0, Has.NOTHING),
    FLUSH(0x08, -4, Has.NOTHING),
    GETQ(0x09, 0, Has.KEY),
    NOOP(0x0A, 0, Has.NOTHING),
    VERSION(0x0B, 0, Has.NOTHING),
    GETK(0x0C, 0, Has.KEY),
    GETKQ(0x0D, 0, Has.KEY),
    APPEND(0x0E, 0, Has.KEY_AND_VALUE),
    PREPEND(0x0F, 0, Has.KEY_AND_VALUE),
    STAT(0x10, 0, Has.MAYBE_KEY),
    SETQ(0x11, 8, Has.KEY_AND_VALUE),
    ADDQ(0x12, 8, Has.KEY_AND_VALUE),
    REPLACEQ(0x13, 8, Has.KEY_AND_VALUE),
    DELETEQ(0x14, 0, Has.KEY),
    INCREMENTQ(0x15, 20, Has.KEY),
    DECREMENTQ(0x16, 20, Has.KEY),
    QUITQ(0x17, 0, Has.NOTHING),
    FLUSHQ(0x18, -4, Has.NOTHING),
    APPENDQ(0x19, 0, Has.KEY_AND_VALUE),
    PREPENDQ(0x1A, 0, Has.KEY_AND_VALUE),
    VERBOSITY(0x1B, 4, Has.NOTHING),
    TOUCH(0x1C, 4, Has.KEY),
    GAT(0x1D, 4, Has.KEY),
    GATQ(0x1E, 4, Has.KEY),
    SASL_LIST(0x20, 0, Has.NOTHING),
    SASL_AUTH(0x21, 0, Has.KEY_AND_VALUE),
    SASL_STEP(0x22, 0, Has.KEY_AND_VALUE),
    GATK(0x23, 4, Has.KEY),
    GATKQ(0x24, 4, Has.KEY),
    RGET(0x30, -255, Has.ANYTHING),
    RSET(0x31, -255, Has.ANYTHING),
    RSETQ(0x32, -255, Has.ANYTHING),
    RAPPEND(0x33, -255, Has.ANYTHING),
    RAPPENDQ(0x34, -255, Has.ANYTHING),
    RPREPEND(0x35, -255, Has.ANYTHING),
    RPREPENDQ(0x36, -255, Has.ANYTHING),
    RDELETE(0x37, -255, Has.ANYTHING),
    RDELETEQ(0x38, -255, Has.ANYTHING),
    RINCR(0x39, -255, Has.ANYTHING),
    RINCRQ(0x3A, -255, Has.ANYTHING),
    RDECR(0x3B, -255, Has.ANYTHING),
    RDECRQ(0x3C, -255, Has.ANYTHING);

    /// The parts of a request beside its extras.
    private enum Has {
        NOTHING,
        KEY,
        MAYBE_KEY,
        KEY_AND_VALUE,
        ANYTHING
    }

    private static final @Nullable Opcode[] BY_NUMBER = new Opcode[0x40];

    static {
        for (Opcode opcode : values()) {
            BY_NUMBER[opcode.number] = opcode;
        }
    }

    private final int number;

    /// Bytes of extras; negative for those or none.
    private final int extras;

    private final Has has;

    Opcode(int number, int extras, Has has) {
        this.number = number;
        this.extras = extras;
        this.has = has;
    }

    public int number() {
        return number;
    }

    /// The opcode with this number; null if it is not known.
    public static @Nullable Opcode of(int number) {
        return number < 0 || number >= BY_NUMBER.length ? null : BY_NUMBER[number];
    }

    /// Tells if it is answered only when there is something to say.
    public boolean isQuiet() {
        return name().endsWith("Q");
    }

    /// Tells if a request may have these parts.
    boolean allows(int extrasLength, int keyLength, int valueLength) {
        boolean fits =
                switch (has) {
                    case NOTHING -> keyLength == 0 && valueLength == 0;
                    case KEY -> keyLength > 0 && valueLength == 0;
                    case MAYBE_KEY -> valueLength == 0;
                    case KEY_AND_VALUE -> keyLength > 0;
                    case ANYTHING -> true;
                };
        return fits
                && (has == Has.ANYTHING
                        || extrasLength == Math.abs(extras)
                        || (extras < 0 && extrasLength == 0));
    }
}
