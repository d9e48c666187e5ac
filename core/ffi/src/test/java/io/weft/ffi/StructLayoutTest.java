package io.weft.ffi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.weft.ffi.call.SystemCall;
import io.weft.ffi.uring.BufReg;
import io.weft.ffi.uring.BufRing;
import io.weft.ffi.uring.Cqe;
import io.weft.ffi.uring.GetEventsArg;
import io.weft.ffi.uring.GroupReq;
import io.weft.ffi.uring.IoUring;
import io.weft.ffi.uring.Probe;
import io.weft.ffi.uring.RecvmsgOut;
import io.weft.ffi.uring.Restriction;
import io.weft.ffi.uring.RingParams;
import io.weft.ffi.uring.RsrcUpdate;
import io.weft.ffi.uring.Sqe;
import io.weft.ffi.uring.Statx;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Compares every constant of the module with what C compilers make of the headers: of this system,
/// and of other processors and C libraries where their compilers are installed (`dev/layouts.sh`
/// does that). Constants are found by reflection, so that a new one cannot be forgotten. One that
/// the installed headers are too old for is left out and named in the output.
@Tag("gcc")
@EnabledOnOs(OS.LINUX)
class StructLayoutTest {
    private static final String HEADERS =
            """
            #define _GNU_SOURCE
            #include <errno.h>
            #include <fcntl.h>
            #include <asm/termbits.h>
            #include <netinet/in.h>
            #include <netinet/tcp.h>
            #include <netinet/udp.h>
            #include <stddef.h>
            #include <stdio.h>
            #include <sys/epoll.h>
            #include <sys/eventfd.h>
            #include <sys/file.h>
            #include <sys/ioctl.h>
            #include <sys/mman.h>
            #include <sys/socket.h>
            #include <sys/stat.h>
            #include <sys/syscall.h>
            #include <sys/uio.h>
            #include <sys/un.h>
            #include <linux/io_uring.h>
            #include <linux/sctp.h>
            #include <linux/time_types.h>
            """;

    /// For [TcpInfoLayout]: C libraries have a `struct tcp_info` of their own, shorter than the
    /// kernel's.
    private static final String KERNEL_TCP =
            """
            #include <stddef.h>
            #include <stdio.h>
            #include <linux/tcp.h>
            """;

    /// Classes whose constants have the names of C, or are spelled out in [#SPELLED].
    private static final List<Class<?>> NAMED =
            List.of(
                    Errno.class,
                    Libc.class,
                    Sockets.class,
                    SockAddr.class,
                    Epoll.class,
                    IoUring.class,
                    SystemCall.class,
                    Tty.class,
                    Sctp.class);

    /// Classes of one structure: `SIZE` is its size, every other constant the offset of the member
    /// of that name.
    private static final Map<Class<?>, String> STRUCTS =
            Map.ofEntries(
                    Map.entry(RingParams.class, "struct io_uring_params"),
                    Map.entry(Sqe.class, "struct io_uring_sqe"),
                    Map.entry(Cqe.class, "struct io_uring_cqe"),
                    Map.entry(BufReg.class, "struct io_uring_buf_reg"),
                    Map.entry(BufRing.class, "struct io_uring_buf"),
                    Map.entry(GetEventsArg.class, "struct io_uring_getevents_arg"),
                    Map.entry(KernelTimespec.class, "struct __kernel_timespec"),
                    Map.entry(RsrcUpdate.class, "struct io_uring_rsrc_update"),
                    Map.entry(RecvmsgOut.class, "struct io_uring_recvmsg_out"),
                    Map.entry(Probe.class, "struct io_uring_probe"),
                    Map.entry(Restriction.class, "struct io_uring_restriction"),
                    Map.entry(SockAddrUn.class, "struct sockaddr_un"),
                    Map.entry(Statx.class, "struct statx"),
                    Map.entry(Ucred.class, "struct ucred"),
                    Map.entry(GroupReq.class, "struct group_source_req"),
                    Map.entry(Md5Sig.class, "struct tcp_md5sig"),
                    Map.entry(TcpInfoLayout.class, "struct tcp_info"),
                    Map.entry(Termios2.class, "struct termios2"),
                    Map.entry(SctpLayout.InitMsg.class, "struct sctp_initmsg"),
                    Map.entry(SctpLayout.SndInfo.class, "struct sctp_sndinfo"),
                    Map.entry(SctpLayout.RcvInfo.class, "struct sctp_rcvinfo"),
                    Map.entry(SctpLayout.PrInfo.class, "struct sctp_prinfo"),
                    Map.entry(SctpLayout.Event.class, "struct sctp_event"),
                    Map.entry(SctpLayout.AssocChange.class, "struct sctp_assoc_change"),
                    Map.entry(SctpLayout.PaddrChange.class, "struct sctp_paddr_change"),
                    Map.entry(SctpLayout.RemoteError.class, "struct sctp_remote_error"),
                    Map.entry(SctpLayout.SendFailed.class, "struct sctp_send_failed_event"),
                    Map.entry(SctpLayout.ShutdownEvent.class, "struct sctp_shutdown_event"),
                    Map.entry(SctpLayout.AdaptationEvent.class, "struct sctp_adaptation_event"),
                    Map.entry(SctpLayout.PdapiEvent.class, "struct sctp_pdapi_event"),
                    Map.entry(SctpLayout.AuthkeyEvent.class, "struct sctp_authkey_event"),
                    Map.entry(SctpLayout.SenderDryEvent.class, "struct sctp_sender_dry_event"),
                    Map.entry(SctpLayout.StreamResetEvent.class, "struct sctp_stream_reset_event"),
                    Map.entry(SctpLayout.AssocResetEvent.class, "struct sctp_assoc_reset_event"),
                    Map.entry(
                            SctpLayout.StreamChangeEvent.class, "struct sctp_stream_change_event"),
                    Map.entry(SctpLayout.RtoInfo.class, "struct sctp_rtoinfo"),
                    Map.entry(SctpLayout.AssocParams.class, "struct sctp_assocparams"),
                    Map.entry(SctpLayout.Prim.class, "struct sctp_prim"),
                    Map.entry(SctpLayout.PaddrParams.class, "struct sctp_paddrparams"),
                    Map.entry(SctpLayout.SackInfo.class, "struct sctp_sack_info"),
                    Map.entry(SctpLayout.AssocValue.class, "struct sctp_assoc_value"),
                    Map.entry(SctpLayout.PaddrInfo.class, "struct sctp_paddrinfo"),
                    Map.entry(SctpLayout.Status.class, "struct sctp_status"),
                    Map.entry(SctpLayout.GetAddrs.class, "struct sctp_getaddrs"),
                    Map.entry(SctpLayout.PeeloffArg.class, "sctp_peeloff_arg_t"),
                    Map.entry(SctpLayout.PeeloffFlags.class, "sctp_peeloff_flags_arg_t"),
                    Map.entry(SctpLayout.ResetStreams.class, "struct sctp_reset_streams"),
                    Map.entry(SctpLayout.AddStreams.class, "struct sctp_add_streams"));

    /// C expressions for constants whose names are ours.
    private static final Map<String, String> SPELLED =
            Map.ofEntries(
                    Map.entry("Sockets.IOVEC_SIZE", "sizeof(struct iovec)"),
                    Map.entry("Sockets.IOVEC_BASE", "offsetof(struct iovec, iov_base)"),
                    Map.entry("Sockets.IOVEC_LENGTH", "offsetof(struct iovec, iov_len)"),
                    Map.entry("Sockets.MSGHDR_SIZE", "sizeof(struct msghdr)"),
                    Map.entry("Sockets.MSGHDR_NAME", "offsetof(struct msghdr, msg_name)"),
                    Map.entry("Sockets.MSGHDR_NAMELEN", "offsetof(struct msghdr, msg_namelen)"),
                    Map.entry("Sockets.MSGHDR_IOV", "offsetof(struct msghdr, msg_iov)"),
                    Map.entry("Sockets.MSGHDR_IOVLEN", "offsetof(struct msghdr, msg_iovlen)"),
                    Map.entry("Sockets.MSGHDR_CONTROL", "offsetof(struct msghdr, msg_control)"),
                    Map.entry(
                            "Sockets.MSGHDR_CONTROLLEN", "offsetof(struct msghdr, msg_controllen)"),
                    Map.entry("Sockets.MSGHDR_FLAGS", "offsetof(struct msghdr, msg_flags)"),
                    Map.entry("Sockets.MMSGHDR_SIZE", "sizeof(struct mmsghdr)"),
                    Map.entry("Sockets.MMSGHDR_LENGTH", "offsetof(struct mmsghdr, msg_len)"),
                    Map.entry("Sockets.CMSGHDR_SIZE", "sizeof(struct cmsghdr)"),
                    Map.entry("Sockets.CMSGHDR_LENGTH", "offsetof(struct cmsghdr, cmsg_len)"),
                    Map.entry("Sockets.CMSGHDR_LEVEL", "offsetof(struct cmsghdr, cmsg_level)"),
                    Map.entry("Sockets.CMSGHDR_TYPE", "offsetof(struct cmsghdr, cmsg_type)"),
                    Map.entry(
                            "SockAddrUn.MAX_PATH",
                            "sizeof(((struct sockaddr_un *) 0)->sun_path) - 1"),
                    Map.entry("Statx.STATX_SIZE", "STATX_SIZE"),
                    Map.entry("Md5Sig.MAX_KEY", "TCP_MD5SIG_MAXKEYLEN"),
                    Map.entry("TcpInfoLayout.LENGTH", "168"),
                    Map.entry("SockAddr.SIZE", "sizeof(struct sockaddr_storage)"),
                    Map.entry("SockAddr.SIZE_INET", "sizeof(struct sockaddr_in)"),
                    Map.entry("SockAddr.SIZE_INET6", "sizeof(struct sockaddr_in6)"),
                    Map.entry("SockAddr.FAMILY", "offsetof(struct sockaddr_in, sin_family)"),
                    Map.entry("SockAddr.PORT", "offsetof(struct sockaddr_in, sin_port)"),
                    Map.entry("SockAddr.ADDRESS_INET", "offsetof(struct sockaddr_in, sin_addr)"),
                    Map.entry("SockAddr.FLOWINFO", "offsetof(struct sockaddr_in6, sin6_flowinfo)"),
                    Map.entry("SockAddr.ADDRESS_INET6", "offsetof(struct sockaddr_in6, sin6_addr)"),
                    Map.entry("SockAddr.SCOPE_ID", "offsetof(struct sockaddr_in6, sin6_scope_id)"),
                    Map.entry("Epoll.CTL_ADD", "EPOLL_CTL_ADD"),
                    Map.entry("Epoll.CTL_DEL", "EPOLL_CTL_DEL"),
                    Map.entry("Epoll.CTL_MOD", "EPOLL_CTL_MOD"),
                    Map.entry("Epoll.EVENT_SIZE", "sizeof(struct epoll_event)"),
                    Map.entry("Epoll.EVENTS", "offsetof(struct epoll_event, events)"),
                    Map.entry("Epoll.DATA", "offsetof(struct epoll_event, data)"),
                    Map.entry("SystemCall.IO_URING_SETUP", "SYS_io_uring_setup"),
                    Map.entry("SystemCall.IO_URING_ENTER", "SYS_io_uring_enter"),
                    Map.entry("SystemCall.IO_URING_REGISTER", "SYS_io_uring_register"),
                    Map.entry("SystemCall.EPOLL_PWAIT2", "SYS_epoll_pwait2"),
                    Map.entry("SystemCall.CACHESTAT", "SYS_cachestat"),
                    Map.entry("Sqe.OP_FLAGS", "offsetof(struct io_uring_sqe, rw_flags)"),
                    Map.entry("BufRing.TAIL", "offsetof(struct io_uring_buf_ring, tail)"),
                    Map.entry("Probe.OP_SIZE", "sizeof(struct io_uring_probe_op)"),
                    Map.entry("Probe.OP_OP", "offsetof(struct io_uring_probe_op, op)"),
                    Map.entry("Probe.OP_FLAGS", "offsetof(struct io_uring_probe_op, flags)"));

    /// Names that headers older than this module's kernels lack. Any other name that headers do not
    /// know is a mistake.
    private static final String MAY_BE_UNKNOWN =
            "(IoUring|RingParams|Sqe|GetEventsArg|BufReg|BufRing|RecvmsgOut)\\..*"
                    + "|Sockets\\.(IP_BIND_ADDRESS_NO_PORT|IPV6_FREEBIND)"
                    + "|SystemCall\\.(EPOLL_PWAIT2|CACHESTAT)";

    /// A compiler, and what runs its programs.
    ///
    /// @param processor as the JVM names it
    /// @param runner empty where programs run by themselves
    record Toolchain(String processor, List<String> compiler, List<String> runner) {
        /// Names that this library's headers lack, and only the kernel's have.
        private String lacks() {
            return compiler.getFirst().equals("musl-gcc") ? "Statx\\..*|Tty\\.TC[GS]ETS.*" : "";
        }

        @Override
        public String toString() {
            return compiler.getFirst();
        }
    }

    static final List<Toolchain> TOOLCHAINS =
            List.of(
                    new Toolchain(System.getProperty("os.arch"), List.of("gcc"), List.of()),
                    new Toolchain(
                            "aarch64",
                            List.of("aarch64-linux-gnu-gcc", "-static"),
                            List.of("qemu-aarch64")),
                    new Toolchain(
                            "riscv64",
                            List.of("riscv64-linux-gnu-gcc", "-static"),
                            List.of("qemu-riscv64")),
                    new Toolchain(
                            System.getProperty("os.arch"),
                            List.of(
                                    "musl-gcc",
                                    "-w", // the kernel's headers define some names again
                                    "-idirafter",
                                    "/usr/include",
                                    "-idirafter",
                                    "/usr/include/" + machine() + "-linux-gnu"),
                            List.of()));

    private static String machine() {
        String processor = System.getProperty("os.arch");
        return processor.equals("amd64") ? "x86_64" : processor;
    }

    @TempDir Path directory;

    @ParameterizedTest
    @FieldSource("TOOLCHAINS")
    void constantsAreThoseOfTheHeaders(Toolchain toolchain) throws Exception {
        Map<String, String> expressions = new LinkedHashMap<>();
        Map<String, Long> ours = new LinkedHashMap<>();
        for (Class<?> type : NAMED) {
            for (Field field : constants(type)) {
                String name = name(field);
                expressions.put(name, SPELLED.getOrDefault(name, field.getName()));
                ours.put(name, ((Number) field.get(null)).longValue());
            }
        }
        ours.put("Epoll.EVENT_SIZE", (long) Epoll.eventSize(toolchain.processor));
        ours.put("Epoll.DATA", (long) Epoll.dataOffset(toolchain.processor));
        for (var struct : STRUCTS.entrySet()) {
            for (Field field : constants(struct.getKey())) {
                String name = name(field);
                String expression = ofStruct(struct.getValue(), field.getName());
                expressions.put(name, SPELLED.getOrDefault(name, expression));
                ours.put(name, ((Number) field.get(null)).longValue());
            }
        }
        assertThat(expressions.keySet()).containsAll(SPELLED.keySet()).hasSizeGreaterThan(400);

        Map<String, String> ofTcp = new LinkedHashMap<>(expressions);
        ofTcp.keySet().removeIf(name -> !name.startsWith("TcpInfoLayout."));
        expressions.keySet().removeAll(ofTcp.keySet());
        assertThat(ofTcp).hasSizeGreaterThan(30);
        Map<String, Long> theirs = values(toolchain, HEADERS, expressions);
        theirs.putAll(values(toolchain, KERNEL_TCP, ofTcp));
        List<String> wrong = new ArrayList<>();
        theirs.forEach(
                (name, expected) -> {
                    long value = ours.getOrDefault(name, 0L);
                    if (bits(name, value) != bits(name, expected)) {
                        wrong.add(name + ": " + value + " (expected: " + expected + ")");
                    }
                });
        assertThat(wrong).isEmpty();
    }

    /// Returns what a compiler makes of the expressions, without those that headers do not know.
    private Map<String, Long> values(
            Toolchain toolchain, String headers, Map<String, String> expressions)
            throws IOException, InterruptedException {
        SortedSet<String> unknown = compile(toolchain, headers, expressions);
        if (!unknown.isEmpty()) {
            assertThat(compile(toolchain, headers, expressions))
                    .as("unknown to the headers after all")
                    .isEmpty();
            System.out.println(
                    "not in the headers of " + toolchain + ", so not checked: " + unknown);
        }
        assertThat(unknown)
                .allMatch(name -> name.matches(MAY_BE_UNKNOWN + "|" + toolchain.lacks()));
        Map<String, Long> values = run(toolchain);
        assertThat(values.keySet()).isEqualTo(expressions.keySet());
        return values;
    }

    /// C prints unsigned flags: compares what an `int` holds, except for the 64-bit offsets of
    /// mappings.
    private static long bits(String name, long value) {
        return name.contains("IORING_OFF_") ? value : (int) value;
    }

    private static List<Field> constants(Class<?> type) {
        return Arrays.stream(type.getDeclaredFields())
                .filter(field -> !Modifier.isPrivate(field.getModifiers()))
                .filter(field -> Modifier.isStatic(field.getModifiers()))
                .filter(field -> field.getType() == int.class || field.getType() == long.class)
                .toList();
    }

    private static String name(Field field) {
        return field.getDeclaringClass().getSimpleName() + "." + field.getName();
    }

    private static String ofStruct(String struct, String constant) {
        if (constant.equals("SIZE")) {
            return "sizeof(" + struct + ")";
        }
        String member = constant.toLowerCase(Locale.ROOT).replaceFirst("^(sq_off|cq_off)_", "$1.");
        return "offsetof(" + struct + ", " + member + ")";
    }

    /// Compiles a program that prints every expression's value; when some are unknown to the
    /// headers, removes and returns them.
    private SortedSet<String> compile(
            Toolchain toolchain, String headers, Map<String, String> expressions)
            throws IOException, InterruptedException {
        var program = new StringBuilder(headers).append("#define P(n, e) printf(\"%s %lld\\n\",");
        program.append(" n, (long long) (e))\nint main(void) {\n");
        int firstLine = (int) program.chars().filter(c -> c == '\n').count() + 1;
        List<String> names = List.copyOf(expressions.keySet());
        names.forEach(
                name -> program.append("P(\"%s\", %s);\n".formatted(name, expressions.get(name))));
        program.append("return 0;\n}\n");
        Path source = Files.writeString(directory.resolve("layout.c"), program);
        Path log = directory.resolve("log");
        List<String> command = new ArrayList<>(toolchain.compiler);
        command.addAll(List.of("-fmax-errors=0", "-o", "layout", source.toString()));
        int exit = execute(log, command);
        SortedSet<String> unknown = new TreeSet<>();
        if (exit != 0) {
            for (int line : errorLines(Files.readString(log))) {
                assertThat(line)
                        .as(Files.readString(log))
                        .isBetween(firstLine, names.size() + firstLine - 1);
                unknown.add(names.get(line - firstLine));
            }
            assertThat(unknown).as(Files.readString(log)).isNotEmpty();
            expressions.keySet().removeAll(unknown);
        }
        return unknown;
    }

    private static List<Integer> errorLines(String log) {
        return Pattern.compile("layout\\.c:(\\d+):\\d+: error: ")
                .matcher(log)
                .results()
                .map((MatchResult match) -> Integer.valueOf(match.group(1)))
                .toList();
    }

    private Map<String, Long> run(Toolchain toolchain) throws IOException, InterruptedException {
        Path out = directory.resolve("out");
        List<String> command = new ArrayList<>(toolchain.runner);
        command.add(directory.resolve("layout").toString());
        assertThat(execute(out, command)).as(String.valueOf(command)).isZero();
        Map<String, Long> values = new LinkedHashMap<>();
        for (String line : Files.readAllLines(out)) {
            String[] words = line.split(" ", 2);
            values.put(words[0], Long.valueOf(words[1]));
        }
        return values;
    }

    private int execute(Path output, List<String> command)
            throws IOException, InterruptedException {
        var builder =
                new ProcessBuilder(command)
                        .directory(directory.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile());
        builder.environment().put("LC_ALL", "C");
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            return abort("cannot run " + command.getFirst() + ": " + e.getMessage());
        }
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).as(String.valueOf(command)).isTrue();
        return process.exitValue();
    }
}
