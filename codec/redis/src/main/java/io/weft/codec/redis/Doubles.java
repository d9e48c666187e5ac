package io.weft.codec.redis;

/// Doubles as text: `inf`, `-inf`, `nan`, or digits with a fraction and an exponent perhaps.
final class Doubles {
    private Doubles() {}

    static String text(double value) {
        if (Double.isInfinite(value)) {
            return value > 0 ? "inf" : "-inf";
        }
        if (Double.isNaN(value)) {
            return "nan";
        }
        long whole = (long) value;
        // As Redis has it: 3, not 3.0; the sign of zero needs the long form.
        boolean integral = whole == value && Math.abs(value) < 1e15;
        return integral && (whole != 0 || 1 / value > 0)
                ? Long.toString(whole)
                : Double.toString(value);
    }

    /// @throws RespException unless `text` is a double
    static double parse(String text) {
        return switch (text) {
            case "inf", "+inf" -> Double.POSITIVE_INFINITY;
            case "-inf" -> Double.NEGATIVE_INFINITY;
            case "nan", "-nan" -> Double.NaN;
            default -> {
                if (!isDecimal(text)) {
                    throw new RespException(
                            RespFault.DOUBLE,
                            "double: " + Lines.quote(text) + " (expected: digits, inf or nan)");
                }
                yield Double.parseDouble(text);
            }
        };
    }

    /// Tells if `text` is `[+-] digits [. digits] [eE [+-] digits]`: the JDK's parser takes more.
    private static boolean isDecimal(String text) {
        int at = sign(text, 0);
        int end = digits(text, at);
        boolean some = end > at;
        if (end < text.length() && text.charAt(end) == '.') {
            at = end + 1;
            end = digits(text, at);
            some |= end > at;
        }
        if (some && end < text.length() && (text.charAt(end) | 0x20) == 'e') {
            at = sign(text, end + 1);
            end = digits(text, at);
            some = end > at;
        }
        return some && end == text.length();
    }

    private static int sign(String text, int at) {
        return at < text.length() && (text.charAt(at) == '+' || text.charAt(at) == '-')
                ? at + 1
                : at;
    }

    private static int digits(String text, int at) {
        int end = at;
        while (end < text.length() && text.charAt(end) >= '0' && text.charAt(end) <= '9') {
            end++;
        }
        return end;
    }
}
