package io.weft.testkit;

import io.weft.buffer.BufferAllocator;
import io.weft.buffer.Ledger;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// The one harness that examines every codec. A test class implements it, names its codecs, and
/// gets these tests for each:
///
/// - **round trip**: what is encoded is decoded to what it was;
/// - **segments**: the same messages and the same error wherever the input is cut;
/// - **truncation**: input that ends at any byte gives the messages before it, and a declared error
///   at most;
/// - **refusals**: every limit and rule gives the error that it should;
/// - **memory**: reserved are at most max(4 KiB, 2 × received) bytes, in every one of these runs;
/// - **linear time**: twice the input, byte by byte, takes at most 2.2 times the branches and
///   calls;
/// - **injection**: no CR, LF, NUL or other control of a text is emitted;
/// - **faults**: any allocation may fail, and nothing leaks;
/// - **fuzz**: mutated streams do all of this too, from a committed seed. With
///   `-Dio.weft.lab.seconds` this is the only test, runs for so long a subject, and from a fresh
///   seed or `-Dio.weft.lab.seed`; dev/fuzz.sh does that.
///
/// Files in the test resource directory `lab/NAME` are further seeds of the fuzzer's, NAME being
/// the subject's.
public interface CodecLab {
    /// The codecs, made anew by each call.
    List<Subject> subjects();

    /// Called by JUnit.
    @TestFactory
    default Stream<DynamicTest> lab() {
        String only = System.getProperty("io.weft.lab.subject", "");
        return subjects().stream()
                .filter(subject -> only.isEmpty() || subject.name.equals(only))
                .flatMap(this::tests);
    }

    private Stream<DynamicTest> tests(Subject subject) {
        List<DynamicTest> tests = new ArrayList<>();
        LabChecks checks = new LabChecks(subject, getClass());
        if (LabChecks.seconds() > 0) {
            if (subject.machine != null) {
                add(tests, subject, "fuzz", checks::fuzz);
            }
            return tests.stream();
        }
        if (subject.machine != null) {
            add(tests, subject, "segments", checks::segments);
            add(tests, subject, "truncation", checks::truncation);
            add(tests, subject, "faults", checks::faults);
            add(tests, subject, "linear time", checks::linearTime);
            add(tests, subject, "fuzz", checks::fuzz);
        }
        if (!subject.limits.isEmpty()) {
            add(tests, subject, "refusals", checks::refusals);
        }
        if (!subject.roundTrips.isEmpty()) {
            add(tests, subject, "round trip", checks::roundTrips);
            add(tests, subject, "faults while encoding", checks::encodingFaults);
        }
        if (!subject.injections.isEmpty()) {
            add(tests, subject, "injection", checks::injections);
        }
        return tests.stream();
    }

    private static void add(List<DynamicTest> tests, Subject subject, String what, Runnable check) {
        tests.add(
                DynamicTest.dynamicTest(
                        subject.name + ": " + what,
                        () -> {
                            // Blocks of its own, so that nobody else's count.
                            BufferAllocator.pooled().attachThread();
                            try {
                                check.run();
                            } finally {
                                BufferAllocator.pooled().detachThread();
                            }
                            List<Throwable> open = Ledger.takeOpen();
                            if (!open.isEmpty()) {
                                throw new AssertionError(
                                        subject.name + ": open buffers (expected: none)",
                                        open.getFirst());
                            }
                        }));
    }
}
