package io.weft.transport.sctp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.AllocationTap;
import io.weft.buffer.Buffer;
import io.weft.engine.ChannelOptions;
import io.weft.engine.DescriptorMessage;
import io.weft.engine.EndpointMessage;
import io.weft.engine.Engine;
import io.weft.engine.Gather;
import io.weft.engine.ReadyEvents;
import io.weft.engine.ReadyHandle;
import io.weft.engine.StreamEvents;
import io.weft.engine.StreamHandle;
import io.weft.engine.UnsentMessageException;
import io.weft.ffi.Errno;
import io.weft.ffi.Memory;
import io.weft.ffi.Sctp;
import io.weft.ffi.Sockets;
import io.weft.transport.posix.OwnedDescriptor;
import java.io.IOException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A stream over calls whose results are scripted: what it does needs no kernel with SCTP.
@EnabledOnOs(OS.LINUX)
class ScriptedSocketTest {
    private static final int ASSOCIATION = 12;

    /// `SCTP_SHUTDOWN_EVENT` of [#ASSOCIATION], and `SCTP_ASSOC_CHANGE` that says it was lost.
    private static final String SHUTDOWN = "\u0005\u0080\0\0\u000c\0\0\0\u000c\0\0\0";

    private static final String LOST =
            "\u0001\u0080\0\0\u0014\0\0\0\u0001\0\0\0\0\0\0\0\u000c\0\0\0";

    /// A result of a receive.
    ///
    /// @param result where it is negative or there are no bytes
    private record In(String bytes, int stream, int flags, int result) {}

    private final ArrayDeque<In> input = new ArrayDeque<>();
    private final ArrayDeque<Integer> sendErrors = new ArrayDeque<>();
    private final List<Object> heard = new ArrayList<>();
    private final List<String> sent = new ArrayList<>();
    private boolean wantsInput;
    private boolean wantsOutput;

    /// Thrown by each callback; null for none.
    private @Nullable Error fault;

    private final Calls calls =
            new Calls() {
                @Override
                public int send(int fd, long header) {
                    Integer error = sendErrors.poll();
                    if (error != null && error != 0) {
                        return -error;
                    }
                    long vector = Memory.getLong(header + Sockets.MSGHDR_IOV);
                    byte[] bytes = new byte[(int) Memory.getLong(vector + Sockets.IOVEC_LENGTH)];
                    Memory.copy(Memory.getLong(vector), bytes, 0, bytes.length);
                    sent.add(new String(bytes, StandardCharsets.ISO_8859_1));
                    return bytes.length;
                }

                @Override
                public int receive(int fd, long header) {
                    In next = input.poll();
                    if (next == null) {
                        return -Errno.EAGAIN;
                    }
                    if (next.bytes.isEmpty()) {
                        return next.result;
                    }
                    long vector = Memory.getLong(header + Sockets.MSGHDR_IOV);
                    byte[] bytes = next.bytes.getBytes(StandardCharsets.ISO_8859_1);
                    Memory.copy(bytes, 0, Memory.getLong(vector), bytes.length);
                    EnvelopeTest.answer(header, next.stream, 5, 1, next.flags);
                    return bytes.length;
                }
            };

    private final Engine engine =
            new WatchingEngine() {
                @Override
                public ReadyHandle watch(int descriptor, ReadyEvents events) {
                    return new ReadyHandle() {
                        @Override
                        public void interest(boolean readable, boolean writable) {
                            wantsInput = readable;
                            wantsOutput = writable;
                        }

                        @Override
                        public void close() {
                            interest(false, false);
                        }
                    };
                }
            };

    private final StreamEvents events =
            new StreamEvents() {
                @Override
                public void connected() {
                    heard.add("connected");
                }

                @Override
                public void received(Buffer bytes) {
                    try (bytes) {
                        heard.add(Heard.text(bytes));
                        maybeThrow();
                    }
                }

                @Override
                public void received(EndpointMessage message) {
                    try (message) {
                        SctpMessage sctp = (SctpMessage) message;
                        String mark = sctp.complete() ? "." : "…";
                        heard.add(sctp.stream() + " " + Heard.text(sctp.content()) + mark);
                    }
                }

                @Override
                public void received(DescriptorMessage message) {
                    throw new AssertionError();
                }

                @Override
                public void happened(Object event) {
                    heard.add(event.getClass().getSimpleName());
                }

                @Override
                public void receiveComplete() {
                    heard.add("complete");
                }

                @Override
                public void inputClosed() {
                    heard.add("end");
                }

                @Override
                public void sent(int bytes) {
                    heard.add("sent " + bytes);
                    maybeThrow();
                }

                @Override
                public void failed(IOException cause) {
                    heard.add("failed " + cause.getMessage());
                    maybeThrow();
                }

                @Override
                public void closed() {
                    heard.add("closed");
                }
            };

    private void maybeThrow() {
        if (fault != null) {
            throw fault;
        }
    }

    private @Nullable SctpStream stream;

    private SctpStream stream(SctpMode mode) throws IOException {
        return stream(mode, 0);
    }

    private SctpStream stream(SctpMode mode, int peeled) throws IOException {
        // Any socket lends its number: no call is made on it but for its options.
        int fd = Sockets.socket(Sockets.AF_INET, Sockets.SOCK_STREAM | Sockets.SOCK_CLOEXEC, 0);
        SctpStream made =
                OwnedDescriptor.of(
                        fd,
                        () -> {
                            SctpSocket socket = new SctpSocket(fd, Sockets.AF_INET, mode, peeled);
                            SctpSettings settings =
                                    new SctpSettings(socket, ChannelOptions.DEFAULT);
                            return new SctpStream(engine, socket, settings, calls, events);
                        });
        stream = made;
        return made;
    }

    @AfterEach
    void close() {
        if (stream != null) {
            stream.close(true);
        }
    }

    private void whole(int stream, String bytes) {
        input.add(new In(bytes, stream, Sctp.MSG_EOR, 0));
    }

    private static Gather gather(Object... messages) {
        return new Gather() {
            @Override
            public int count() {
                return messages.length;
            }

            @Override
            public Buffer buffer(int index) {
                return messages[index] instanceof SctpMessage message
                        ? message.content()
                        : (Buffer) messages[index];
            }

            @Override
            public @Nullable EndpointMessage endpointMessage(int index) {
                return messages[index] instanceof SctpMessage message ? message : null;
            }
        };
    }

    @Test
    void messagesAndPiecesAreHandedUp() throws IOException {
        SctpStream open = stream(SctpMode.MESSAGES);
        open.receive();
        whole(3, "one");
        input.add(new In("two", 0, 0, 0));
        whole(0, "rest");
        open.ready(true, false);

        assertThat(heard).containsExactly("3 one.", "0 two…", "0 rest.", "complete");
        assertThat(wantsInput).isTrue();
    }

    @Test
    void bytesAreHandedUpWithoutTheirBorders() throws IOException {
        SctpStream open = stream(SctpMode.BYTES);
        open.receive();
        whole(3, "one");
        input.add(new In("", 0, 0, 0));
        open.ready(true, false);

        assertThat(heard).containsExactly("one", "complete", "end");
        assertThat(wantsInput).isFalse();
    }

    @Test
    void notificationInPiecesIsToldOnce() throws IOException {
        SctpStream open = stream(SctpMode.MESSAGES);
        open.receive();
        input.add(new In(SHUTDOWN, 0, Sctp.MSG_NOTIFICATION, 0));
        input.add(new In("rest", 0, Sctp.MSG_NOTIFICATION, 0));
        input.add(new In("end", 0, Sctp.MSG_NOTIFICATION | Sctp.MSG_EOR, 0));
        whole(1, "next");
        open.ready(true, false);

        assertThat(heard).containsExactly("Shutdown", "1 next.", "complete");
    }

    /// Its end is a notification, which stands in line behind the messages.
    @ParameterizedTest
    @CsvSource({"false, Shutdown, end", "true, AssociationChange, failed receive: ECONNRESET"})
    void endOfPeeledOffAssociationIsToldBehindItsBatch(boolean lost, String event, String told)
            throws IOException {
        SctpStream open = stream(SctpMode.MESSAGES, ASSOCIATION);
        open.receive();
        whole(1, "last");
        int flags = Sctp.MSG_NOTIFICATION | Sctp.MSG_EOR;
        input.add(new In(lost ? LOST : SHUTDOWN, 0, flags, 0));
        input.add(new In(SHUTDOWN, 0, flags, 0));
        open.ready(true, false);

        assertThat(heard).startsWith("1 last.", event, "Shutdown", "complete").hasSize(5);
        assertThat(heard.getLast().toString()).startsWith(told);
        assertThat(wantsInput).isFalse();
    }

    @Test
    void brokenAssociationFails() throws IOException {
        SctpStream open = stream(SctpMode.MESSAGES);
        open.receive();
        whole(1, "last");
        input.add(new In("", 0, 0, -Errno.ECONNRESET));
        open.ready(true, false);

        assertThat(heard).startsWith("1 last.", "complete");
        assertThat(heard.getLast().toString()).startsWith("failed receive: ECONNRESET");
    }

    @Test
    void pausedStreamHandsNothingUp() throws IOException {
        SctpStream open = stream(SctpMode.MESSAGES);
        open.receive();
        open.pause();
        whole(1, "later");
        open.ready(true, false);

        assertThat(heard).isEmpty();
        assertThat(wantsInput).isFalse();
        open.receive();
        open.ready(true, false);
        assertThat(heard).containsExactly("1 later.", "complete");
    }

    @Test
    void fullSendBufferIsWaitedFor() throws IOException {
        SctpStream open = stream(SctpMode.MESSAGES);
        try (SctpMessage one = SctpMessage.of(Rig.ascii("one"), 0);
                SctpMessage two = SctpMessage.of(Rig.ascii("two"), 0)) {
            sendErrors.addAll(List.of(0, Errno.EAGAIN));
            assertThat(open.send(gather(one, two))).isEqualTo(3);
            sendErrors.add(Errno.EAGAIN);
            assertThat(open.send(gather(two))).isEqualTo(StreamHandle.PENDING);
            assertThat(wantsOutput).isTrue();
            open.ready(false, true);
            assertThat(wantsOutput).isFalse();
            assertThat(open.send(gather(two))).isEqualTo(3);
        }

        assertThat(heard).containsExactly("sent 0");
        assertThat(sent).containsExactly("one", "two");
    }

    @Test
    void messageThatTheKernelRefusesFailsAlone() throws IOException {
        SctpStream open = stream(SctpMode.MESSAGES);
        try (SctpMessage message = SctpMessage.of(Rig.ascii("x"), 9)) {
            sendErrors.addAll(List.of(Errno.EINVAL, Errno.EMSGSIZE, Errno.EPIPE));
            assertThatThrownBy(() -> open.send(gather(message)))
                    .isInstanceOf(UnsentMessageException.class);
            assertThatThrownBy(() -> open.send(gather(message)))
                    .isInstanceOf(UnsentMessageException.class);
            assertThatThrownBy(() -> open.send(gather(message)))
                    .isInstanceOf(SocketException.class);
        }
    }

    @Test
    void longBytesAreCutAndContinued() throws IOException {
        SctpStream open = stream(SctpMode.BYTES);
        try (Buffer bytes = Rig.ascii("x".repeat(20_000))) {
            sendErrors.addAll(List.of(0, Errno.EAGAIN));
            int first = open.send(gather(bytes));
            assertThat(first).isEqualTo(sent.getFirst().length());
            bytes.skipReadable(first);
            assertThat(open.send(gather(bytes))).isEqualTo(20_000 - first);
        }
    }

    @Test
    void socketOfManyAssociationsNeedsAReceiver() throws IOException {
        SctpStream open = stream(SctpMode.ASSOCIATIONS);
        try (SctpMessage message = SctpMessage.of(Rig.ascii("x"), 0)) {
            assertThat(open.refusal(message)).hasMessageContaining("expected: an association");
            assertThat(open.refusal(message.withAssociation(3))).isNull();
            assertThatThrownBy(() -> open.send(gather(message.content())))
                    .isInstanceOf(UnsentMessageException.class);
        }
    }

    @Test
    void closeWithinAReceivedMessageStopsAtOnce() throws IOException {
        SctpStream open = stream(SctpMode.BYTES);
        open.receive();
        whole(0, "one");
        open.close(false);
        open.ready(true, false);

        assertThat(heard).containsExactly("closed");
    }

    @Test
    void callbackThatThrowsCostsTheWholeChannel() throws IOException {
        SctpStream reading = stream(SctpMode.BYTES);
        fault = new LinkageError("broken");
        reading.receive();
        whole(0, "one");
        assertThatThrownBy(() -> reading.ready(true, false)).isSameAs(fault);
        assertThat(heard).containsExactly("one", "closed");
        assertThat(reading.descriptor()).isEqualTo(-1);

        heard.clear();
        SctpStream broken = stream(SctpMode.BYTES);
        assertThatThrownBy(() -> broken.failed(new IOException("gone"))).isSameAs(fault);
        assertThat(heard).containsExactly("failed gone", "closed");
    }

    /// An exception here would end an orderly close in the middle.
    @Test
    void inputIsNotDiscardedWithoutMemory() throws IOException {
        SctpStream open = stream(SctpMode.BYTES);
        whole(0, "unread");
        AllocationTap.set(
                capacity -> {
                    throw AllocationTap.refusal(capacity);
                });
        try {
            assertThat(open.discardInput()).isTrue();
        } finally {
            AllocationTap.set(null);
        }
        assertThat(input).hasSize(1);
        assertThat(open.discardInput()).isTrue();
        assertThat(open.discardInput()).isFalse();
    }
}
