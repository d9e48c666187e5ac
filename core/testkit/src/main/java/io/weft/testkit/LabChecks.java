package io.weft.testkit;

import io.weft.buffer.AllocationTap;
import io.weft.buffer.Ledger;
import io.weft.buffer.MemoryLimitException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Stream;

/// The tests that a subject gets; see [CodecLab].
final class LabChecks {
    /// Streams are cut at every byte up to this length, and in as many places beyond it.
    private static final int MAX_CUTS = 500;

    private static final int MAX_FAULTS = 2000;
    private static final int FUZZ_RUNS = 1500;
    private static final long SEED = 1;
    private static final int WORK_LENGTH = 2048;
    private static final double MAX_RATIO = 2.2;
    private static final int SHOWN = 4000;

    private final Subject subject;
    private final Class<?> lab;

    LabChecks(Subject subject, Class<?> lab) {
        this.subject = subject;
        this.lab = lab;
    }

    void segments() {
        for (byte[] wire : wires()) {
            List<String> whole = LabRun.trace(subject, wire);
            same("byte by byte", wire, LabRun.traceOfSingleBytes(subject, wire), whole);
            for (int cut : cuts(wire)) {
                same("cut at " + cut, wire, LabRun.trace(subject, wire, cut), whole);
            }
        }
        for (byte[] sample : subject.samples) {
            if (LabRun.trace(subject, sample).stream().anyMatch(e -> e.startsWith("error "))) {
                throw failure("a sample has an error", sample, LabRun.trace(subject, sample));
            }
        }
    }

    void truncation() {
        for (byte[] wire : wires()) {
            List<String> whole = LabRun.trace(subject, wire);
            for (int cut : cuts(wire)) {
                List<String> part = LabRun.traceOfPrefix(subject, wire, cut);
                if (!isBeginning(part, whole)) {
                    throw failure("cut off after " + cut + " bytes it gives " + part, wire, whole);
                }
            }
        }
    }

    /// Tells if the messages of `part` are the first ones of `whole`: the last may be a piece or an
    /// error.
    private static boolean isBeginning(List<String> part, List<String> whole) {
        int messages = part.size();
        if (messages > 0 && part.getLast().startsWith("error ")) {
            messages--;
        }
        for (int i = 0; i < messages; i++) {
            boolean last = i == messages - 1 && part.get(i).startsWith(Subject.PIECE);
            if (i >= whole.size()
                    || !(last
                            ? whole.get(i).startsWith(part.get(i))
                            : whole.get(i).equals(part.get(i)))) {
                return false;
            }
        }
        return true;
    }

    void refusals() {
        for (Subject.Limit limit : subject.limits) {
            List<String> trace = LabRun.trace(subject, limit.wire());
            String expected = "error " + limit.error().getSimpleName() + ":";
            if (trace.isEmpty() || !trace.getLast().startsWith(expected)) {
                throw failure(limit.what() + ": no " + limit.error(), limit.wire(), trace);
            }
        }
    }

    void roundTrips() {
        for (Subject.RoundTrip trip : subject.roundTrips) {
            byte[] wire = trip.encode().get();
            if (subject.machine != null) {
                same("round trip", wire, LabRun.trace(subject, wire), trip.expected());
                same("bytewise", wire, LabRun.traceOfSingleBytes(subject, wire), trip.expected());
            }
        }
    }

    void faults() {
        for (byte[] wire : wires()) {
            for (int n = 1; n <= MAX_FAULTS && LabRun.failAllocation(subject, wire, n); n++) {
                nothingOpen("allocation " + n + " fails", wire);
            }
        }
    }

    void encodingFaults() {
        for (Subject.RoundTrip trip : subject.roundTrips) {
            int[] count = new int[1];
            int nth = 0;
            do {
                int failing = ++nth;
                count[0] = 0;
                AllocationTap.set(
                        capacity -> {
                            if (++count[0] == failing) {
                                throw AllocationTap.refusal(capacity);
                            }
                        });
                try {
                    var _ = trip.encode().get();
                } catch (MemoryLimitException e) {
                    // As it should be.
                } finally {
                    AllocationTap.set(null);
                }
                nothingOpen("allocation " + nth + " fails", new byte[0]);
            } while (count[0] >= nth);
        }
    }

    void linearTime() {
        int inputs = subject.endless.size() + subject.samples.size();
        for (int i = 0; i < inputs; i++) {
            WorkMeter meter = new WorkMeter(lab.getClassLoader());
            meter.measure(lab, subject.name, i, WORK_LENGTH); // loads and initialises classes
            long once = meter.measure(lab, subject.name, i, WORK_LENGTH);
            long twice = meter.measure(lab, subject.name, i, 2 * WORK_LENGTH);
            if (twice > MAX_RATIO * once) {
                throw new AssertionError(
                        subject
                                + ": "
                                + WORK_LENGTH
                                + " bytes take "
                                + once
                                + " branches and calls, twice as many bytes "
                                + twice
                                + " (expected: at most "
                                + MAX_RATIO
                                + " times)");
            }
        }
    }

    void injections() {
        for (Function<String, byte[]> encode : subject.injections) {
            int[] harmless = controls(encode.apply("harmless"));
            for (int control = 0; control < 33; control++) {
                char c = control == 32 ? (char) 0x7F : (char) control;
                if (c == '\t') {
                    continue; // which no protocol of lines takes for an end
                }
                for (String text : List.of(c + "armless", "harm" + c + "ess", "harmles" + c)) {
                    byte[] wire;
                    try {
                        wire = encode.apply(text);
                    } catch (IllegalArgumentException e) {
                        continue;
                    }
                    boolean ends = c == '\r' || c == '\n' || c == 0;
                    if (ends && controls(wire)[c] > harmless[c]) {
                        throw failure("control " + (int) c + " is emitted", wire, List.of());
                    }
                }
            }
        }
    }

    private static int[] controls(byte[] wire) {
        int[] counts = new int[256];
        for (byte b : wire) {
            counts[b & 0xFF]++;
        }
        return counts;
    }

    /// Returns the seconds for which to fuzz; 0: as many runs as fit into a build, from the
    /// committed seed.
    static long seconds() {
        return Long.getLong("io.weft.lab.seconds", 0L);
    }

    void fuzz() {
        long seconds = seconds();
        long seed = Long.getLong("io.weft.lab.seed", seconds > 0 ? System.nanoTime() : SEED);
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        SplittableRandom random = new SplittableRandom(seed);
        Mutator mutator = new Mutator(random);
        List<byte[]> seeds = wires();
        long runs = 0;
        byte[] wire = new byte[0];
        try {
            for (; seconds == 0 ? runs < FUZZ_RUNS : System.nanoTime() - end < 0; runs++) {
                wire = mutator.mutate(seeds);
                List<String> whole = LabRun.trace(subject, wire);
                int[] cuts = new int[Math.min(wire.length, random.nextInt(6))];
                byte[] fuzzed = wire;
                Arrays.setAll(cuts, i -> random.nextInt(fuzzed.length + 1));
                Arrays.sort(cuts);
                same(
                        "cut at " + Arrays.toString(cuts),
                        wire,
                        LabRun.trace(subject, wire, cuts),
                        whole);
                nothingOpen("fuzzed", wire);
            }
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(
                    subject
                            + ": run "
                            + runs
                            + " from seed "
                            + seed
                            + ", input "
                            + shown(wire)
                            + kept(seed, wire)
                            + " ("
                            + e.getMessage()
                            + ")",
                    e);
        }
        if (seconds > 0) {
            System.out.println(subject + ": " + runs + " runs from seed " + seed);
        }
    }

    /// Leaves an input that failed where it can be copied from into the corpus of the lab.
    private String kept(long seed, byte[] wire) {
        Path file = Path.of("target", "lab", subject.name, "seed" + seed);
        try {
            Files.createDirectories(file.getParent());
            return ", kept in " + Files.write(file, wire);
        } catch (IOException e) {
            return ", not kept: " + e;
        }
    }

    /// Everything known: samples, refusals, encoded messages, and files of the corpus.
    private List<byte[]> wires() {
        List<byte[]> wires = new ArrayList<>(subject.samples);
        subject.limits.forEach(limit -> wires.add(limit.wire()));
        subject.roundTrips.forEach(trip -> wires.add(trip.encode().get()));
        var directory = lab.getClassLoader().getResource("lab/" + subject.name);
        if (directory != null && directory.getProtocol().equals("file")) {
            try (Stream<Path> files = Files.list(Path.of(URI.create(directory.toString())))) {
                for (Path file : files.sorted().toList()) {
                    wires.add(Files.readAllBytes(file));
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return wires;
    }

    private static int[] cuts(byte[] wire) {
        int count = Math.min(wire.length + 1, MAX_CUTS);
        int[] cuts = new int[count];
        Arrays.setAll(cuts, i -> (int) ((long) i * wire.length / Math.max(1, count - 1)));
        return cuts;
    }

    private void same(String how, byte[] wire, List<String> actual, List<String> expected) {
        if (!Objects.equals(actual, expected)) {
            throw failure(how + " it gives " + actual, wire, expected);
        }
    }

    private void nothingOpen(String when, byte[] wire) {
        List<Throwable> open = Ledger.takeOpen();
        if (!open.isEmpty()) {
            AssertionError leak = failure(when + ", buffers open: " + open.size(), wire, List.of());
            leak.initCause(open.getFirst());
            throw leak;
        }
    }

    private AssertionError failure(String what, byte[] wire, List<String> expected) {
        return new AssertionError(
                subject + ": " + what + " (expected: " + expected + ")\ninput: " + shown(wire));
    }

    private static String shown(byte[] wire) {
        String hex = HexFormat.of().formatHex(wire, 0, Math.min(SHOWN, wire.length));
        return hex + (wire.length > SHOWN ? "... of " + wire.length + " bytes" : "");
    }
}
