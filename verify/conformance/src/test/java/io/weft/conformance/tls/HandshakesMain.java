package io.weft.conformance.tls;

import io.weft.buffer.Ledger;
import io.weft.ffi.openssl.Ssl;
import io.weft.ffi.openssl.SslCtx;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.machine.TlsEngineKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/// Makes many [Handshakes] and prints what they leave: `HandshakesMain COUNT SEED ENGINE...`, see
/// `dev/handshakes.sh`.
final class HandshakesMain {
    /// Memory that compilers and caches may still take after a tenth of the run. A leak of 400
    /// bytes a handshake is more in the long run.
    private static final long SLACK_KIB = 32 << 10;

    private HandshakesMain() {}

    /// @param residentKiB 0 where there is no /proc
    private record Left(long heapKiB, long residentKiB, long ssl, int buffers) {
        static Left now() throws IOException {
            for (int i = 0; i < 3; i++) {
                System.gc();
            }
            Runtime runtime = Runtime.getRuntime();
            long heap = runtime.totalMemory() - runtime.freeMemory();
            return new Left(heap >> 10, resident(), Ssl.open(), Ledger.takeOpen().size());
        }

        private static long resident() throws IOException {
            Path status = Path.of("/proc/self/status");
            List<String> lines = Files.exists(status) ? Files.readAllLines(status) : List.of();
            return lines.stream()
                    .filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst()
                    .orElse(0);
        }

        @Override
        public String toString() {
            return "heap %,d KiB, resident %,d KiB, SSL %d, open buffers %d"
                    .formatted(heapKiB, residentKiB, ssl, buffers);
        }
    }

    public static void main(String[] args) throws IOException {
        int count = Integer.parseInt(args[0]);
        long seed = args[1].isEmpty() ? new Random().nextLong() : Long.parseLong(args[1]);
        System.out.println("seed " + seed + ", buffers counted: " + Ledger.isOn());
        boolean clean = true;
        for (String engine : args[2].split(" ", -1)) {
            TlsEngineKind kind = TlsEngineKind.valueOf(engine);
            String unavailable = TlsContext.unavailable(kind);
            if (unavailable.isEmpty()) {
                clean &= run(kind, count, seed);
            } else {
                System.out.println(kind + ": " + unavailable);
            }
        }
        System.exit(clean ? 0 : 1);
    }

    private static boolean run(TlsEngineKind kind, int count, long seed) throws IOException {
        long start = System.nanoTime();
        Left first;
        Left last;
        try (Handshakes handshakes = new Handshakes(kind, seed)) {
            handshakes.run(count / 10);
            first = Left.now();
            System.out.println(kind + ", " + count / 10 + " handshakes: " + first);
            handshakes.run(count - count / 10);
            last = Left.now();
            System.out.println(kind + ", " + count + " handshakes: " + last);
            System.out.println(kind + ", came to their end: " + handshakes.whole());
        }
        boolean clean =
                first.buffers + last.buffers == 0
                        && last.ssl == 0
                        && SslCtx.open() == 0
                        && last.heapKiB - first.heapKiB < SLACK_KIB
                        && last.residentKiB - first.residentKiB < SLACK_KIB;
        System.out.printf(
                "%s: %s; %d s%n",
                kind,
                clean ? "nothing is left" : "SOMETHING IS LEFT",
                (System.nanoTime() - start) / 1_000_000_000);
        return clean;
    }
}
