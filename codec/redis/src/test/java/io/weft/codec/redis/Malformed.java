package io.weft.codec.redis;

import static io.weft.codec.redis.RespFault.ARGUMENT;
import static io.weft.codec.redis.RespFault.BIG_NUMBER;
import static io.weft.codec.redis.RespFault.BOOLEAN;
import static io.weft.codec.redis.RespFault.BULK_END;
import static io.weft.codec.redis.RespFault.BULK_LIMIT;
import static io.weft.codec.redis.RespFault.CHUNK;
import static io.weft.codec.redis.RespFault.DEPTH_LIMIT;
import static io.weft.codec.redis.RespFault.DOUBLE;
import static io.weft.codec.redis.RespFault.ELEMENTS_LIMIT;
import static io.weft.codec.redis.RespFault.HTTP;
import static io.weft.codec.redis.RespFault.INTEGER;
import static io.weft.codec.redis.RespFault.LENGTH;
import static io.weft.codec.redis.RespFault.LINE_END;
import static io.weft.codec.redis.RespFault.LINE_LIMIT;
import static io.weft.codec.redis.RespFault.MESSAGE_LIMIT;
import static io.weft.codec.redis.RespFault.NULL;
import static io.weft.codec.redis.RespFault.PUSH;
import static io.weft.codec.redis.RespFault.QUOTES;
import static io.weft.codec.redis.RespFault.STREAM_END;
import static io.weft.codec.redis.RespFault.TYPE;
import static io.weft.codec.redis.RespFault.VERBATIM;

import java.util.List;

/// Streams that break a rule, each with the fault that it has.
final class Malformed {
    /// Limits that streams here exceed.
    static final RespLimits LIMITS = new RespLimits(100, 5000, 6000, 50, 4);

    record Vector(RespFault fault, String wire) {
        @Override
        public String toString() {
            String escaped = wire.replace("\r", "\\r").replace("\n", "\\n");
            return fault + " " + escaped.substring(0, Math.min(60, escaped.length()));
        }
    }

    private Malformed() {}

    private static Vector of(RespFault fault, String wire) {
        return new Vector(fault, wire);
    }

    /// Of values, whole or in parts.
    static List<Vector> values() {
        return List.of(
                of(TYPE, "x\r\n"),
                of(TYPE, "\r\n"),
                of(TYPE, "\0"),
                of(TYPE, "\u00FF"),
                of(TYPE, "PING\r\n"),
                of(TYPE, ";4\r\n"),
                of(TYPE, "*1\r\nx"),
                of(TYPE, "+OK\r\n?"),
                of(LINE_END, "+OK\n"),
                of(LINE_END, "+O\nK\r\n"),
                of(LINE_END, "+O\rK\r\n"),
                of(LINE_END, "+\r\r\n"),
                of(LINE_END, "+a\0b\r\n"),
                of(LINE_END, "-\0\r\n"),
                of(LINE_END, "-ERR\n"),
                of(LINE_END, ":1\n"),
                of(LINE_END, "$1\n\nx"),
                of(LINE_END, "*1\n:1\r\n"),
                of(LINE_END, "_\n"),
                of(LINE_END, "#t\n"),
                of(LINE_END, "*?\n"),
                of(LINE_END, "*?\r\n.\n"),
                of(BULK_END, "$3\r\nabcd\r\n"),
                of(BULK_END, "$3\r\nabc\n\n"),
                of(BULK_END, "$3\r\nabc\r\r"),
                of(BULK_END, "$0\r\nx"),
                of(BULK_END, "!3\r\nERRx"),
                of(BULK_END, "=5\r\ntxt:ax"),
                of(BULK_END, "$?\r\n;1\r\nab"),
                of(INTEGER, ":\r\n"),
                of(INTEGER, ":-\r\n"),
                of(INTEGER, ":+\r\n"),
                of(INTEGER, ":+-1\r\n"),
                of(INTEGER, ":01\r\n"),
                of(INTEGER, ":-0\r\n"),
                of(INTEGER, ":-01\r\n"),
                of(INTEGER, ":1.5\r\n"),
                of(INTEGER, ": 1\r\n"),
                of(INTEGER, ":1 \r\n"),
                of(INTEGER, ":0x1\r\n"),
                of(INTEGER, ":9223372036854775808\r\n"),
                of(INTEGER, ":-9223372036854775809\r\n"),
                of(INTEGER, ":99999999999999999999\r\n"),
                of(INTEGER, ":12a456\r\n:1\r\n"),
                of(INTEGER, ":/23456\r\n"),
                of(INTEGER, ":::::::\r\n"),
                of(INTEGER, "$\r\n"),
                of(INTEGER, "$+1\r\na\r\n"),
                of(INTEGER, "$03\r\nabc\r\n"),
                of(INTEGER, "$a\r\n"),
                of(INTEGER, "*\r\n"),
                of(INTEGER, "*00\r\n"),
                of(INTEGER, "*1 \r\n"),
                of(INTEGER, "*18446744073709551617\r\n"),
                of(INTEGER, "!?\r\n"),
                of(INTEGER, "=?\r\n"),
                of(INTEGER, "|?\r\n"),
                of(INTEGER, ">?\r\n"),
                of(INTEGER, "$?\r\n;a\r\n"),
                of(LINE_LIMIT, ":123456789012345678901\r\n"),
                of(LINE_LIMIT, "$000000000000000000001\r\n"),
                of(LINE_LIMIT, "*?x\r\n"),
                of(LINE_LIMIT, "$?x\r\n"),
                of(LINE_LIMIT, "*?\r\n.x\r\n"),
                of(LENGTH, "$-2\r\n"),
                of(LENGTH, "$-9223372036854775808\r\n"),
                of(LENGTH, "*-2\r\n"),
                of(LENGTH, "%-1\r\n"),
                of(LENGTH, "~-1\r\n"),
                of(LENGTH, ">-1\r\n"),
                of(LENGTH, "|-1\r\n"),
                of(LENGTH, "!-1\r\n"),
                of(LENGTH, "=-1\r\n"),
                of(LENGTH, "=3\r\ntxt\r\n"),
                of(LENGTH, "$?\r\n;-1\r\n"),
                of(DOUBLE, ",\r\n"),
                of(DOUBLE, ",.\r\n"),
                of(DOUBLE, ",1.2.3\r\n"),
                of(DOUBLE, ",1e\r\n"),
                of(DOUBLE, ",1e+\r\n"),
                of(DOUBLE, ",0x1p3\r\n"),
                of(DOUBLE, ",1f\r\n"),
                of(DOUBLE, ",1d\r\n"),
                of(DOUBLE, ",Infinity\r\n"),
                of(DOUBLE, ",NaN\r\n"),
                of(DOUBLE, ", 1\r\n"),
                of(DOUBLE, ",-\r\n"),
                of(BIG_NUMBER, "(\r\n"),
                of(BIG_NUMBER, "(-\r\n"),
                of(BIG_NUMBER, "(1.5\r\n"),
                of(BIG_NUMBER, "(+-1\r\n"),
                of(BIG_NUMBER, "(12345678901234567890x\r\n"),
                of(BIG_NUMBER, "(" + "9".repeat(4098) + "\r\n"),
                of(BOOLEAN, "#\r\n"),
                of(BOOLEAN, "#x\r\n"),
                of(BOOLEAN, "#T\r\n"),
                of(BOOLEAN, "#true\r\n"),
                of(NULL, "_x\r\n"),
                of(NULL, "_-1\r\n"),
                of(CHUNK, "$?\r\n$1\r\na\r\n"),
                of(CHUNK, "$?\r\n;1\r\na\r\n+x\r\n"),
                of(CHUNK, "$?\r\n.\r\n"),
                of(STREAM_END, ".\r\n"),
                of(STREAM_END, "*1\r\n.\r\n"),
                of(STREAM_END, "%?\r\n+a\r\n.\r\n"),
                of(STREAM_END, "*?\r\n|1\r\n+a\r\n+b\r\n.\r\n"),
                of(STREAM_END, "|1\r\n+a\r\n.\r\n"),
                of(PUSH, "*1\r\n>1\r\n+a\r\n"),
                of(PUSH, "%1\r\n+a\r\n>1\r\n+b\r\n"),
                of(PUSH, "|1\r\n+a\r\n+b\r\n>1\r\n+c\r\n"),
                of(PUSH, ">1\r\n>1\r\n+a\r\n"),
                of(LINE_LIMIT, "+" + "x".repeat(101) + "\r\n"),
                of(LINE_LIMIT, "-" + "x".repeat(300)),
                of(LINE_LIMIT, "," + "1".repeat(101) + "\r\n"),
                of(BULK_LIMIT, "$5001\r\n"),
                of(BULK_LIMIT, "$9223372036854775807\r\n"),
                of(BULK_LIMIT, "!5001\r\n"),
                of(BULK_LIMIT, "=5001\r\n"),
                of(BULK_LIMIT, "$?\r\n;5001\r\n"),
                of(BULK_LIMIT, "$?\r\n;3\r\nabc\r\n;4998\r\n"),
                of(ELEMENTS_LIMIT, "*51\r\n"),
                of(ELEMENTS_LIMIT, "*4294967295\r\n"),
                of(ELEMENTS_LIMIT, "*9223372036854775807\r\n"),
                of(ELEMENTS_LIMIT, "%26\r\n"),
                of(ELEMENTS_LIMIT, "%9223372036854775807\r\n"),
                of(ELEMENTS_LIMIT, "~51\r\n"),
                of(ELEMENTS_LIMIT, ">51\r\n"),
                of(ELEMENTS_LIMIT, "|26\r\n"),
                of(ELEMENTS_LIMIT, "*2\r\n*40\r\n" + "_\r\n".repeat(40) + "*9\r\n"),
                of(ELEMENTS_LIMIT, "*?\r\n" + "_\r\n".repeat(51)),
                of(DEPTH_LIMIT, "*1\r\n".repeat(5)),
                of(DEPTH_LIMIT, "*?\r\n".repeat(5)),
                of(DEPTH_LIMIT, "%1\r\n".repeat(5)),
                of(DEPTH_LIMIT, "*1\r\n~1\r\n%1\r\n+k\r\n*1\r\n*1\r\n"));
    }

    /// Of whole values alone.
    static List<Vector> whole() {
        return List.of(
                of(VERBATIM, "=4\r\ntxtx\r\n"),
                of(VERBATIM, "=5\r\nt\nt:a\r\n"),
                of(VERBATIM, "=9\r\nmarkdown:"),
                of(MESSAGE_LIMIT, "*2\r\n$4000\r\n" + "a".repeat(4000) + "\r\n$2000\r\n"),
                of(MESSAGE_LIMIT, "*50\r\n" + ("$150\r\n" + "x".repeat(150) + "\r\n").repeat(40)),
                of(DEPTH_LIMIT, "|1\r\n+a\r\n+b\r\n".repeat(5)));
    }

    /// Of commands.
    static List<Vector> commands() {
        return List.of(
                of(ARGUMENT, "*1\r\n:1\r\n"),
                of(ARGUMENT, "*1\r\n+PING\r\n"),
                of(ARGUMENT, "*1\r\n*1\r\n"),
                of(ARGUMENT, "*2\r\n$3\r\nGET\r\nfoo"),
                of(ARGUMENT, "*1\r\n\r\n"),
                of(INTEGER, "*\r\n"),
                of(INTEGER, "*x\r\n"),
                of(INTEGER, "*01\r\n"),
                of(INTEGER, "*1\r\n$\r\n"),
                of(INTEGER, "*1\r\n$?\r\n"),
                of(INTEGER, "*1\r\n$01\r\na\r\n"),
                of(LINE_END, "*1\n$4\r\nPING\r\n"),
                of(LINE_END, "*1\r\n$4\nPING\r\n"),
                of(BULK_END, "*1\r\n$4\r\nPINGS\r\n"),
                of(BULK_END, "*1\r\n$4\r\nPING\n"),
                of(LENGTH, "*-2\r\n"),
                of(LENGTH, "*1\r\n$-1\r\n"),
                of(LENGTH, "*1\r\n$-9223372036854775808\r\n"),
                of(LINE_LIMIT, "*123456789012345678901\r\n"),
                of(LINE_LIMIT, "x".repeat(101) + "\r\n"),
                of(LINE_LIMIT, "x".repeat(101) + "\n"),
                of(LINE_LIMIT, "x".repeat(200)),
                of(BULK_LIMIT, "*1\r\n$5001\r\n"),
                of(BULK_LIMIT, "*1\r\n$9223372036854775807\r\n"),
                of(MESSAGE_LIMIT, "*2\r\n$4000\r\n" + "a".repeat(4000) + "\r\n$2000\r\n"),
                of(ELEMENTS_LIMIT, "*51\r\n"),
                of(ELEMENTS_LIMIT, "*4294967295\r\n"),
                of(QUOTES, "set \"foo\r\n"),
                of(QUOTES, "set 'foo\r\n"),
                of(QUOTES, "set \"foo\"bar\r\n"),
                of(QUOTES, "set 'foo'bar\r\n"),
                of(QUOTES, "set \"foo\\\"\r\n"),
                of(QUOTES, "set \"\\x4\r\n"),
                of(HTTP, "POST / HTTP/1.1\r\n"),
                of(HTTP, "post / HTTP/1.1\r\n"),
                of(HTTP, "Host: example.com\r\n"));
    }
}
