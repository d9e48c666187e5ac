package io.weft.transport.posix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.engine.DescriptorMessage;
import io.weft.engine.PassedDescriptor;
import io.weft.engine.StreamEvents;
import io.weft.engine.UnixAbstractAddress;
import io.weft.ffi.Libc;
import io.weft.ffi.Memory;
import io.weft.ffi.Sockets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Descriptors that come along with bytes, from a peer that keeps to no limit.
class DescriptorReceiverTest {
    private static final int SIZE = 1_024;

    private final int sender;
    private final int receiver;
    private final Heard heard = new Heard();

    private static final class Heard implements StreamEvents {
        final List<Buffer> plain = new ArrayList<>();
        final List<DescriptorMessage> messages = new ArrayList<>();
        final List<IOException> failures = new ArrayList<>();

        @Override
        public void received(Buffer bytes) {
            plain.add(bytes);
        }

        @Override
        public void received(DescriptorMessage message) {
            messages.add(message);
        }

        @Override
        public void failed(IOException cause) {
            failures.add(cause);
        }

        @Override
        public void connected() {}

        @Override
        public void inputClosed() {}

        @Override
        public void receiveComplete() {}

        @Override
        public void sent(int count) {}

        @Override
        public void closed() {}
    }

    DescriptorReceiverTest() {
        int type = Sockets.SOCK_STREAM | Sockets.SOCK_CLOEXEC;
        int listener = Sockets.socket(Sockets.AF_UNIX, type, 0);
        sender = Sockets.socket(Sockets.AF_UNIX, type, 0);
        long at = Memory.allocate(Addresses.SIZE, 8);
        try {
            String name = "weft receiver " + UUID.randomUUID();
            int length = Addresses.write(UnixAbstractAddress.of(name), Sockets.AF_UNIX, at);
            assertThat(Sockets.bind(listener, at, length)).isZero();
            assertThat(Sockets.listen(listener, 1)).isZero();
            assertThat(Sockets.connect(sender, at, length)).isZero();
            receiver = Sockets.accept4(listener, 0, 0, Sockets.SOCK_CLOEXEC);
            assertThat(receiver).isNotNegative();
        } finally {
            Memory.free(at, Addresses.SIZE);
            Libc.close(listener);
        }
    }

    @AfterEach
    void close() {
        Libc.close(sender);
        Libc.close(receiver);
    }

    /// Counts open descriptors of the sender. Others come and go by themselves, as those of class
    /// loading do.
    private long open() throws IOException {
        Path sent = Path.of("/proc/self/fd/" + sender);
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            String socket = target(sent);
            return all.filter(fd -> target(fd).equals(socket)).count();
        }
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException closedMeanwhile) {
            return "";
        }
    }

    /// Sends a byte with so many descriptors.
    private void send(int count) {
        int length = count * Integer.BYTES;
        long header = Memory.allocate(SIZE, 8);
        long vector = header + Sockets.MSGHDR_SIZE + 8;
        long control = vector + Sockets.IOVEC_SIZE;
        long bytes = header + SIZE - 8;
        try {
            Sockets.putIovec(vector, bytes, 1);
            Sockets.putMsghdr(header, vector, 1);
            Sockets.putControl(control, Sockets.SOL_SOCKET, Sockets.SCM_RIGHTS, length);
            for (int i = 0; i < count; i++) {
                Memory.putInt(control + Sockets.CMSGHDR_SIZE + (long) i * Integer.BYTES, sender);
            }
            Memory.putLong(header + Sockets.MSGHDR_CONTROL, control);
            Memory.putLong(header + Sockets.MSGHDR_CONTROLLEN, Sockets.controlSpace(length));
            assertThat(Sockets.sendmsg(sender, header, Sockets.MSG_NOSIGNAL)).isEqualTo(1);
        } finally {
            Memory.free(header, SIZE);
        }
    }

    private int receive() {
        Buffer bytes = BufferAllocator.pooled().allocate(100);
        int result = DescriptorReceiver.receive(receiver, bytes, 100, heard);
        if (result <= 0) {
            bytes.release();
        }
        return result;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 16})
    void asManyAsWereSentAreHandedUp(int count) throws IOException {
        send(count);
        long before = open();
        assertThat(receive()).isEqualTo(1);
        assertThat(open()).isEqualTo(before + count);
        assertThat(heard.messages).hasSize(1);
        try (DescriptorMessage message = heard.messages.getFirst()) {
            assertThat(message.descriptors())
                    .hasSize(count)
                    .extracting(PassedDescriptor::number)
                    .doesNotHaveDuplicates();
        }
        assertThat(open()).isEqualTo(before);
        assertThat(heard.failures).isEmpty();
    }

    /// The kernel leaves out what does not fit; whoever counts on the rest would be misled.
    @ParameterizedTest
    @ValueSource(ints = {17, 30, 33, 100, 200})
    void ofMoreThanFitNoneIsKept(int count) throws IOException {
        send(count);
        long before = open();
        receive();
        assertThat(open()).isEqualTo(before);
        assertThat(heard.messages).isEmpty();
        assertThat(heard.plain).isEmpty();
        assertThat(heard.failures).hasSize(1);
        assertThat(heard.failures.getFirst()).hasMessageContaining("descriptors were lost");
    }

    @Test
    void thoseThatFindNoMemoryAreClosed() throws IOException {
        send(3);
        long before = open();
        int[] made = new int[1];
        Buffer bytes = BufferAllocator.pooled().allocate(100);
        assertThatThrownBy(
                        () ->
                                DescriptorReceiver.receive(
                                        receiver,
                                        bytes,
                                        100,
                                        heard,
                                        number -> {
                                            if (++made[0] == 2) {
                                                throw new OutOfMemoryError("no memory");
                                            }
                                            return new PassedDescriptor(number, Libc::close);
                                        }))
                .isInstanceOf(OutOfMemoryError.class);
        assertThat(open()).isEqualTo(before);
        assertThat(heard.messages).isEmpty();
    } // and the bytes are not in the ledger

    @Test
    void whereNothingWaitsNothingIsTold() {
        assertThat(receive()).isNegative();
        assertThat(heard.failures).isEmpty();
    }
}
