package io.weft.conformance;

import static io.weft.conformance.rig.Recorder.Callback.ACTIVE;
import static io.weft.conformance.rig.Recorder.Callback.ADDED;
import static io.weft.conformance.rig.Recorder.Callback.ASK;
import static io.weft.conformance.rig.Recorder.Callback.CLOSE;
import static io.weft.conformance.rig.Recorder.Callback.FLUSH;
import static io.weft.conformance.rig.Recorder.Callback.INACTIVE;
import static io.weft.conformance.rig.Recorder.Callback.INPUT_CLOSED;
import static io.weft.conformance.rig.Recorder.Callback.READ;
import static io.weft.conformance.rig.Recorder.Callback.READ_COMPLETE;
import static io.weft.conformance.rig.Recorder.Callback.REMOVED;
import static io.weft.conformance.rig.Recorder.Callback.USER_EVENT;
import static io.weft.conformance.rig.Recorder.Callback.WRITABILITY_CHANGED;
import static io.weft.conformance.rig.Recorder.Callback.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.channel.AttributeKey;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.OutboundLimitException;
import io.weft.conformance.rig.Echo;
import io.weft.conformance.rig.Feature;
import io.weft.conformance.rig.Probe;
import io.weft.conformance.rig.Recorder;
import io.weft.conformance.rig.Rig;
import io.weft.conformance.rig.Subject;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.engine.WriteBufferWaterMark;
import io.weft.loop.Promise;
import io.weft.loop.Timeout;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.FieldSource;

/// The contract of a channel and its pipeline over every transport, and of embedded channels too.
@ParameterizedClass(name = "{0}")
@FieldSource("io.weft.conformance.rig.Transports#CONTRACT")
@org.junit.jupiter.api.Timeout(60)
class ContractTest {
    private final String transport;
    private final Recorder recorder = new Recorder();
    private final List<Subject> opened = new ArrayList<>();

    ContractTest(String transport) {
        this.transport = transport;
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        for (Subject subject : opened) {
            subject.close();
        }
    }

    private Subject open(ChannelOptions options, ChannelHandler... handlers) throws IOException {
        Subject subject =
                Subject.open(
                        transport,
                        options,
                        ch -> {
                            for (ChannelHandler handler : handlers) {
                                ch.pipeline().addLast(handler);
                            }
                        });
        opened.add(subject);
        return subject;
    }

    private Subject open(ChannelHandler... handlers) throws IOException {
        return open(ChannelOptions.DEFAULT, handlers);
    }

    private static void awaitClosed(Subject subject) {
        subject.await("closed", subject.channel().closeFuture()::isDone);
    }

    private static void awaitDone(Subject subject, Promise<?> promise) {
        subject.await("the outcome", promise::isDone);
    }

    // ---- events ----

    @Test
    void theEventsOfALifeComeInOrder() throws IOException {
        Subject subject = open(recorder, new Echo());
        subject.peerSends("hello");
        assertThat(subject.peerReceives(5)).isEqualTo("hello");
        subject.peerEnds();
        awaitClosed(subject);
        assertThat(recorder.seen)
                .startsWith(ADDED, ACTIVE, READ)
                .containsSubsequence(READ, WRITE, READ_COMPLETE, FLUSH, INPUT_CLOSED, CLOSE)
                .endsWith(INPUT_CLOSED, CLOSE, INACTIVE, REMOVED);
        assertThat(recorder.caught).isEmpty();
    }

    @Test
    void aBrokenConnectionSaysWhyAndIsGone() throws IOException {
        Feature.RESET.assume(transport);
        Subject subject = open(recorder);
        subject.peerResets();
        awaitClosed(subject);
        assertThat(recorder.caught).hasSize(1);
        assertThat(recorder.caught.getFirst()).isInstanceOf(IOException.class);
        assertThat(recorder.seen).endsWith(INACTIVE, REMOVED).doesNotContain(INPUT_CLOSED);
    }

    @Test
    void userEventsTravelFromWhereTheyAreFired() throws IOException {
        Recorder other = new Recorder();
        Subject subject = open(recorder, other);
        subject.onLoop(
                () -> {
                    subject.channel().pipeline().fireUserEventTriggered("from the head");
                    ChannelHandlerContext ctx = subject.channel().pipeline().context(recorder);
                    assertThat(ctx).isNotNull();
                    ctx.fireUserEventTriggered("from the first");
                });
        assertThat(recorder.seen).containsOnlyOnce(USER_EVENT);
        assertThat(other.seen.stream().filter(USER_EVENT::equals)).hasSize(2);
    }

    @Test
    void whatIsAttachedStaysAttached() throws IOException {
        AttributeKey<String> key = AttributeKey.of("name");
        Subject subject = open(recorder);
        assertThat(subject.channel().attributes().get(key)).isNull();
        subject.channel().attributes().set(key, "value");
        subject.onLoop(subject.channel()::abort);
        awaitClosed(subject);
        assertThat(subject.channel().attributes().get(key)).isEqualTo("value");
    }

    // ---- reading ----

    @Test
    void whoDoesNotReadByItselfGetsNoMoreBatchesThanItAsksFor() throws IOException {
        Probe probe = new Probe();
        Subject subject =
                open(ChannelOptions.DEFAULT.with(ChannelOption.AUTO_READ, false), recorder, probe);
        AtomicInteger asks = new AtomicInteger();
        for (String expected : new String[] {"one", "onetwo"}) {
            subject.peerSends(expected.substring(expected.length() - 3));
            subject.await(
                    expected,
                    () -> {
                        if (probe.batches.get() == asks.get()) {
                            asks.incrementAndGet();
                            subject.onLoop(subject.channel()::read);
                        }
                        return probe.text().equals(expected);
                    });
        }
        assertThat(probe.batches.get()).isLessThanOrEqualTo(asks.get());
        assertThat(recorder.seen).containsSubsequence(ACTIVE, ASK, READ);
    }

    @Test
    void turnedOnAgainItReadsWhatHasArrived() throws IOException {
        Subject subject =
                open(ChannelOptions.DEFAULT.with(ChannelOption.AUTO_READ, false), new Echo());
        subject.peerSends("hello");
        subject.onLoop(() -> subject.channel().autoRead(true));
        assertThat(subject.peerReceives(5)).isEqualTo("hello");
        subject.peerSends("again");
        assertThat(subject.peerReceives(5)).isEqualTo("again");
    }

    // ---- the ends of the two directions ----

    @Test
    void theEndOfInputIsTheEnd() throws IOException {
        Subject subject = open(recorder);
        subject.peerEnds();
        awaitClosed(subject);
        assertThat(recorder.seen).containsSubsequence(INPUT_CLOSED, CLOSE, INACTIVE);
    }

    @Test
    void whoAllowsHalfClosureMayStillAnswer() throws IOException {
        Feature.HALF_CLOSURE.assume(transport);
        Subject subject =
                open(ChannelOptions.DEFAULT.with(ChannelOption.ALLOW_HALF_CLOSURE, true), recorder);
        subject.peerEnds();
        subject.await("the end of input", () -> recorder.has(INPUT_CLOSED));
        assertThat(subject.channel().isActive()).isTrue();
        subject.onLoop(
                () -> {
                    subject.channel().writeAndFlush(Rig.buffer("answer"));
                    subject.channel().shutdownOutput();
                });
        assertThat(subject.peerReceivesAll()).isEqualTo("answer");
        awaitClosed(subject);
    }

    @Test
    void afterItsOutputIsShutAChannelStillHears() throws IOException {
        Feature.HALF_CLOSURE.assume(transport);
        Probe probe = new Probe();
        Subject subject =
                open(
                        ChannelOptions.DEFAULT.with(ChannelOption.ALLOW_HALF_CLOSURE, true),
                        recorder,
                        probe);
        Promise<Void> late = subject.channel().newPromise();
        subject.onLoop(
                () -> {
                    subject.channel().writeAndFlush(Rig.buffer("last words"));
                    subject.channel().shutdownOutput();
                    subject.channel().writeAndFlush(Rig.buffer("too late"), late);
                });
        assertThat(subject.peerReceivesAll()).isEqualTo("last words");
        assertThat(late.cause()).isInstanceOf(ClosedChannelException.class);
        subject.peerSends("and yours");
        subject.await("input", () -> recorder.has(READ));
        subject.peerEnds();
        awaitClosed(subject);
    }

    // ---- writing ----

    @Test
    void whatIsNotFlushedIsNotSentAndFailsWithTheClose() throws IOException {
        Subject subject = open(recorder);
        Promise<Void> flushed = subject.channel().newPromise();
        Promise<Void> unflushed = subject.channel().newPromise();
        subject.onLoop(
                () -> {
                    subject.channel().writeAndFlush(Rig.buffer("flushed"), flushed);
                    subject.channel().write(Rig.buffer("unflushed"), unflushed);
                    subject.channel().close();
                });
        assertThat(subject.peerReceivesAll()).isEqualTo("flushed");
        awaitDone(subject, flushed);
        awaitDone(subject, unflushed);
        assertThat(flushed.cause()).isNull();
        assertThat(unflushed.cause()).isInstanceOf(ClosedChannelException.class);
        subject.peerEnds();
        awaitClosed(subject);
    }

    @Test
    void writabilityFollowsTheWatermarks() throws IOException {
        Subject subject = open(waterMark(10, 20, 1_000), recorder);
        Channel channel = subject.channel();
        subject.onLoop(
                () -> {
                    channel.write(Rig.buffer("x".repeat(20)));
                    assertThat(channel.isWritable()).isTrue();
                    assertThat(channel.pendingBytes()).isEqualTo(20);
                    channel.write(Rig.buffer("x"));
                    assertThat(channel.isWritable()).isFalse();
                    channel.flush();
                });
        assertThat(subject.peerReceives(21)).isEqualTo("x".repeat(21));
        subject.await("writable", channel::isWritable);
        assertThat(recorder.seen.stream().filter(WRITABILITY_CHANGED::equals)).hasSize(2);
    }

    @Test
    void whoCannotBeWrittenToDoesNotRead() throws IOException {
        Probe probe = new Probe();
        Subject subject = open(waterMark(10, 20, 1_000), recorder, probe);
        subject.onLoop(() -> subject.channel().write(Rig.buffer("x".repeat(21))));
        subject.peerSends("question");
        subject.onLoop(subject.channel()::flush);
        assertThat(subject.peerReceives(21)).isEqualTo("x".repeat(21));
        subject.await("the question", () -> probe.text().equals("question"));
        assertThat(recorder.seen).containsSubsequence(WRITABILITY_CHANGED, FLUSH, READ);
        assertThat(recorder.seen.indexOf(READ)).isGreaterThan(recorder.seen.indexOf(FLUSH));
    }

    @Test
    void unlessItIsTold() throws IOException {
        Probe probe = new Probe();
        Subject subject =
                open(
                        waterMark(10, 20, 1_000).with(ChannelOption.READ_WHILE_UNWRITABLE, true),
                        recorder,
                        probe);
        subject.onLoop(() -> subject.channel().write(Rig.buffer("x".repeat(21))));
        subject.peerSends("question");
        subject.await("the question", () -> probe.text().equals("question"));
        assertThat(subject.channel().isWritable()).isFalse();
        subject.onLoop(subject.channel()::flush);
        assertThat(subject.peerReceives(21)).isEqualTo("x".repeat(21));
    }

    @Test
    void whatAHandlerHoldsBackCounts() throws IOException {
        Subject subject = open(waterMark(10, 20, 1_000), recorder);
        Channel channel = subject.channel();
        subject.onLoop(
                () -> {
                    ChannelHandlerContext ctx = channel.pipeline().context(recorder);
                    assertThat(ctx).isNotNull();
                    ctx.holds(21);
                    assertThat(channel.isWritable()).isFalse();
                    ctx.holds(0);
                    assertThat(channel.isWritable()).isTrue();
                    ctx.holds(21);
                    channel.pipeline().remove(recorder);
                    assertThat(channel.isWritable()).isTrue();
                });
    }

    @Test
    void whoIgnoresWritabilityIsStoppedAtTheCap() throws IOException {
        Subject subject = open(waterMark(10, 20, 100), recorder);
        Promise<Void> beyond = subject.channel().newPromise();
        subject.onLoop(
                () -> {
                    subject.channel().write(Rig.buffer("x".repeat(100)));
                    subject.channel().write(Rig.buffer("x"), beyond);
                });
        awaitClosed(subject);
        assertThat(beyond.cause()).isInstanceOf(OutboundLimitException.class);
        assertThat(recorder.seen).endsWith(INACTIVE, REMOVED);
    }

    private static ChannelOptions waterMark(int low, int high, int cap) {
        return ChannelOptions.DEFAULT.with(
                ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(low, high, cap));
    }

    @Test
    void anyThreadMayWriteAndClose() throws Exception {
        Subject subject = open(recorder);
        Channel channel = subject.channel();
        Thread other =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    channel.writeAndFlush(Rig.buffer("from elsewhere"));
                                    channel.close();
                                });
        other.join();
        assertThat(subject.peerReceivesAll()).isEqualTo("from elsewhere");
        subject.peerEnds();
        awaitClosed(subject);
    }

    /// Several messages may be sent by one call; when the first promise is told, the others are
    /// sent too, and must not be again.
    @Test
    void whatIsFlushedWhenSomethingWasSentComesBehindAllThatWasSentWithIt() throws IOException {
        Subject subject = open(recorder);
        Channel channel = subject.channel();
        Promise<Void> first = channel.newPromise();
        subject.onLoop(
                () -> {
                    first.addListener(
                            _ -> {
                                channel.writeAndFlush(Rig.buffer("d"));
                                channel.close();
                            });
                    channel.write(Rig.buffer("a"), first);
                    channel.write(Rig.buffer("b"));
                    channel.write(Rig.buffer("c"));
                    channel.flush();
                });
        assertThat(subject.peerReceivesAll()).isEqualTo("abcd");
        subject.peerEnds();
        awaitClosed(subject);
    }

    /// A listener of a failed write may flush, which does not send what was written beside it.
    @Test
    void whatACloseGivesUpIsToldInOrderAndNotSentByAFlush() throws IOException {
        Subject subject = open(recorder);
        Channel channel = subject.channel();
        List<String> told = new CopyOnWriteArrayList<>();
        subject.onLoop(
                () -> {
                    channel.writeAndFlush(Rig.buffer("sent"));
                    for (String name : new String[] {"a", "b", "c"}) {
                        Promise<Void> promise = channel.newPromise();
                        promise.addListener(
                                outcome -> {
                                    told.add(name + " " + outcome.isSuccess());
                                    channel.flush();
                                });
                        channel.write(Rig.buffer(name), promise);
                    }
                    channel.close();
                });
        assertThat(subject.peerReceivesAll()).isEqualTo("sent");
        subject.peerEnds();
        awaitClosed(subject);
        assertThat(told).containsExactly("a false", "b false", "c false");
    }

    /// A write of a channel that is closed keeps nobody waiting.
    @Test
    void whoAbortsWhenAWriteIsGivenUpLeavesNoOtherUntold() throws IOException {
        Subject subject = open(recorder);
        Channel channel = subject.channel();
        List<String> told = new CopyOnWriteArrayList<>();
        subject.onLoop(
                () -> {
                    for (String name : new String[] {"a", "b", "c"}) {
                        Promise<Void> promise = channel.newPromise();
                        promise.addListener(
                                _ -> {
                                    told.add(name);
                                    channel.abort();
                                });
                        channel.write(Rig.buffer(name), promise);
                    }
                    channel.closeFuture().addListener(_ -> told.add("closed"));
                    channel.close();
                });
        awaitClosed(subject);
        assertThat(told).containsExactly("a", "b", "c", "closed");
    }

    @Test
    void afterTheCloseNothingIsTaken() throws IOException {
        Subject subject = open(recorder);
        Promise<Void> late = subject.channel().newPromise();
        subject.onLoop(
                () -> {
                    subject.channel().abort();
                    subject.channel().close();
                    subject.channel().abort();
                });
        awaitClosed(subject);
        subject.channel().writeAndFlush(Rig.buffer("late"), late);
        awaitDone(subject, late);
        assertThat(late.cause()).isInstanceOf(ClosedChannelException.class);
        assertThat(recorder.seen).containsOnlyOnce(INACTIVE, REMOVED);
    }

    // ---- what handlers do wrong ----

    @ParameterizedTest
    @EnumSource(
            value = Recorder.Callback.class,
            names = {
                "ACTIVE",
                "READ",
                "READ_COMPLETE",
                "INPUT_CLOSED",
                "WRITABILITY_CHANGED",
                "USER_EVENT",
                "EXCEPTION",
                "WRITE",
                "FLUSH",
                "INACTIVE",
                "REMOVED"
            })
    void whateverACallbackThrowsEndsItsChannelAndNothingElse(Recorder.Callback bad)
            throws IOException {
        if (bad == Recorder.Callback.EXCEPTION) {
            Feature.RESET.assume(transport);
        }
        Recorder throwing = new Recorder(bad, thrownBy(bad));
        Subject subject = open(waterMark(10, 20, 1_000), throwing);
        Channel channel = subject.channel();
        Promise<Void> written = channel.newPromise();
        subject.onLoop(
                () -> {
                    channel.pipeline().fireUserEventTriggered("event");
                    channel.writeAndFlush(Rig.buffer("x".repeat(30)), written);
                });
        if (!channel.closeFuture().isDone()) {
            endByPeer(subject, bad);
        }
        awaitClosed(subject);
        assertThat(throwing.seen).contains(bad, INACTIVE).endsWith(REMOVED);
        awaitDone(subject, written);
        AtomicBoolean alive = new AtomicBoolean();
        channel.eventLoop().execute(() -> alive.set(true));
        subject.await("the loop", alive::get);
    }

    /// Something of every kind.
    private static Throwable thrownBy(Recorder.Callback bad) {
        return switch (bad) {
            case ACTIVE, WRITE, REMOVED -> new IllegalStateException("bad");
            case READ, FLUSH -> new Exception("checked");
            case READ_COMPLETE, INACTIVE -> new StackOverflowError("bad");
            case INPUT_CLOSED, EXCEPTION -> new AssertionError("bad");
            default -> new NoClassDefFoundError("bad");
        };
    }

    private static void endByPeer(Subject subject, Recorder.Callback bad) {
        try {
            if (bad == Recorder.Callback.EXCEPTION) {
                subject.peerResets();
            } else {
                subject.peerSends("x");
                subject.peerEnds();
            }
        } catch (IOException e) {
            // It is gone already.
        }
    }

    @Test
    void aHandlerThatCannotBeAddedIsNotThere() throws IOException {
        Recorder bad = new Recorder(ADDED, new NoClassDefFoundError("bad"));
        Recorder catching =
                new Recorder() {
                    @Override
                    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
                        caught.add(cause);
                    }
                };
        Subject subject = open(catching, new Echo());
        subject.onLoop(() -> subject.channel().pipeline().addLast("bad", bad));
        subject.onLoop(
                () -> assertThat(subject.channel().pipeline().names()).doesNotContain("bad"));
        assertThat(catching.caught).hasSize(1);
        subject.peerSends("hello");
        assertThat(subject.peerReceives(5)).isEqualTo("hello");
        assertThat(bad.seen).startsWith(ADDED).doesNotContain(READ);
    }

    @Test
    void aHandlerThatThrowsWhenItIsRemovedIsRemoved() throws IOException {
        Recorder bad = new Recorder(REMOVED, new IllegalStateException("bad"));
        Recorder catching =
                new Recorder() {
                    @Override
                    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
                        caught.add(cause);
                    }
                };
        Subject subject = open(bad, catching, new Echo());
        subject.onLoop(() -> subject.channel().pipeline().remove(bad));
        assertThat(catching.caught).hasSize(1);
        subject.peerSends("hello");
        assertThat(subject.peerReceives(5)).isEqualTo("hello");
        assertThat(bad.seen).endsWith(REMOVED);
    }

    // ---- the loop ----

    @Test
    void tasksAndTimersRunOnTheLoopAndInOrder() throws IOException {
        Subject subject = open(recorder);
        List<Integer> ran = new CopyOnWriteArrayList<>();
        var loop = subject.channel().eventLoop();
        subject.onLoop(
                () -> {
                    for (long start; ; ) {
                        start = System.nanoTime();
                        Timeout later = loop.schedule(() -> ran.add(3), 2, TimeUnit.MILLISECONDS);
                        Timeout sooner = loop.schedule(() -> ran.add(2), 1, TimeUnit.MILLISECONDS);
                        if (System.nanoTime() - start < 1_000_000) {
                            break;
                        }
                        // The thread was stopped in between, and the second may be the later one.
                        later.cancel();
                        sooner.cancel();
                    }
                    Timeout cancelled = loop.schedule(() -> ran.add(-1), 1, TimeUnit.MILLISECONDS);
                    cancelled.cancel();
                    loop.execute(() -> ran.add(1));
                    assertThat(loop.inLoop()).isTrue();
                });
        subject.await("three", () -> ran.size() == 3);
        assertThat(ran).containsExactly(1, 2, 3);
    }
}
