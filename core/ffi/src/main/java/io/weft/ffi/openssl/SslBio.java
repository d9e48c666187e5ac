package io.weft.ffi.openssl;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.weft.ffi.Memory;
import io.weft.ffi.call.CallState;
import io.weft.ffi.call.IntFunction;
import io.weft.ffi.call.LongFunction;
import java.lang.foreign.Arena;

/// The source and the sink of an `SSL`'s records. Neither of the two keeps bytes between calls, so
/// an idle connection holds no memory for them, and each byte is copied once on its way in or out.
public final class SslBio {
    /// `struct buf_mem_st`, which is public.
    static final int LENGTH = 0;

    static final int DATA = 8;
    static final int MAX = 16;
    static final int SIZE = 32;

    static final int BIO_TYPE_SOURCE_SINK = 0x400;
    static final int BIO_C_GET_BUF_MEM_PTR = 115;
    static final int BIO_C_SET_BUF_MEM_EOF_RETURN = 130;

    private static final LongFunction NEW_MEM_BUF = OpenSsl.ofLong("BIO_new_mem_buf", 2);
    private static final LongFunction NEW = OpenSsl.ofLong("BIO_new", 1);
    private static final IntFunction FREE = OpenSsl.ofInt("BIO_free", 1);
    private static final LongFunction CTRL = OpenSsl.ofLong("BIO_ctrl", 4);

    private SslBio() {}

    /// A BIO to read from, at first empty: then a read is to be retried. It reads what [#set] says.
    public static long source() {
        long anywhere = CallState.current().scratch;
        long bio = SslErrors.notNull(NEW_MEM_BUF.call(anywhere, 0), "BIO_new_mem_buf");
        CTRL.call(bio, BIO_C_SET_BUF_MEM_EOF_RETURN, -1, 0);
        return bio;
    }

    /// The `BUF_MEM` of a source; it lives as long.
    public static long buffer(long source) {
        try (Arena arena = Arena.ofConfined()) {
            long out = arena.allocate(JAVA_LONG).address();
            CTRL.call(source, BIO_C_GET_BUF_MEM_PTR, 0, out);
            return Memory.getLong(out);
        }
    }

    /// Has the source of `buffer` read `length` bytes at `address`, which must stay there until
    /// they have been read or something else is set.
    ///
    /// SAFETY: a BIO made by `BIO_new_mem_buf` reads where its `BUF_MEM` points, moves that on, and
    /// neither writes to nor frees that memory.
    public static void set(long buffer, long address, long length) {
        Memory.putLong(buffer + LENGTH, length);
        Memory.putLong(buffer + DATA, address);
        Memory.putLong(buffer + MAX, length);
    }

    /// Returns the number of bytes left of those that were [set][#set].
    public static long left(long buffer) {
        return Memory.getLong(buffer + LENGTH);
    }

    /// A BIO to write to: hands all bytes to [SslEvents#written].
    public static long sink() {
        return SslErrors.notNull(NEW.call(Sink.METHOD), "BIO_new");
    }

    /// Frees a BIO that no `SSL` owns.
    public static void free(long bio) {
        FREE.call(bio);
    }

    /// The method of all sinks, for good. `ctrl` is that of the null BIO: it answers 1 to a flush,
    /// and nothing else that matters is asked.
    private static final class Sink {
        static final long METHOD = make();

        private static long make() {
            LongFunction getCtrl = OpenSsl.ofLong("BIO_meth_get_ctrl", 1);
            LongFunction nullBio = OpenSsl.ofLong("BIO_s_null", 0);
            IntFunction setCtrl = OpenSsl.ofInt("BIO_meth_set_ctrl", 2);
            IntFunction setWrite = OpenSsl.ofInt("BIO_meth_set_write", 2);
            int type = OpenSsl.ofInt("BIO_get_new_index", 0).call() | BIO_TYPE_SOURCE_SINK;
            long method;
            try (Arena arena = Arena.ofConfined()) {
                long name = arena.allocateFrom("weft").address(); // is copied
                method = OpenSsl.ofLong("BIO_meth_new", 2).call(type, name);
            }
            SslErrors.notNull(method, "BIO_meth_new");
            setCtrl.call(method, getCtrl.call(nullBio.call()));
            setWrite.call(method, SslUpcalls.WRITE);
            return method;
        }
    }
}
