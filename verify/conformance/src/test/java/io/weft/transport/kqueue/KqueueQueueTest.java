package io.weft.transport.kqueue;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.engine.EngineUnavailableException;
import io.weft.ffi.Epoll;
import io.weft.ffi.Errno;
import io.weft.ffi.Kevent;
import io.weft.ffi.KqueueCalls;
import io.weft.ffi.Libc;
import io.weft.ffi.Memory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Filters, changes and calls of a queue over the scripted kqueue.
@EnabledOnOs(OS.LINUX)
@Timeout(300)
class KqueueQueueTest {
    private static final int IN = Epoll.EPOLLIN | Epoll.EPOLLRDHUP;
    private static final int OUT = Epoll.EPOLLOUT;
    private static final int ERRORS = Epoll.EPOLLERR;

    private final List<Integer> descriptors = new ArrayList<>();
    private final long word = Memory.allocate(8, 8);
    private final CountingCalls calls = new CountingCalls();
    private KqueueQueue queue;

    /// Counts calls, and the changes that they make.
    private static final class CountingCalls implements KqueueCalls {
        private final KqueueCalls real = new ScriptedKqueue(Kevent.MACOS);
        private int calls;
        private int changes;
        private int failing = -1;

        @Override
        public int kqueue() {
            return real.kqueue();
        }

        @Override
        public int kevent(
                int kq, long list, int changeCount, long events, int eventCount, long nanos) {
            calls++;
            changes += changeCount;
            for (int i = 0; i < changeCount; i++) {
                long at = Kevent.MACOS.element(list, i);
                if (Kevent.ident(at) == failing && Kevent.filter(at) == Kevent.EVFILT_READ) {
                    Memory.putLong(at + Kevent.IDENT, 1 << 20); // no descriptor
                }
            }
            return real.kevent(kq, list, changeCount, events, eventCount, nanos);
        }

        @Override
        public int close(int kq) {
            return real.close(kq);
        }
    }

    @BeforeEach
    void open() throws EngineUnavailableException {
        queue = new KqueueQueue(calls, Kevent.MACOS);
        assertThat(queue.await(0)).isZero();
    }

    @AfterEach
    void close() {
        queue.close();
        descriptors.forEach(Libc::close);
        Memory.free(word, 8);
    }

    /// An event counter: always writable, readable once it has been written to.
    private int counter() {
        int fd = Libc.eventfd(0, Libc.EFD_CLOEXEC | Libc.EFD_NONBLOCK);
        assertThat(fd).isNotNegative();
        descriptors.add(fd);
        return fd;
    }

    private void fill(int fd) {
        Memory.putLong(word, 1);
        assertThat(Libc.write(fd, word, 8)).isEqualTo(8);
    }

    private List<String> told() {
        int count = queue.await(0);
        List<String> told = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int events = queue.events(i);
            told.add(
                    queue.key(i)
                            + ((events & Epoll.EPOLLIN) != 0 ? " in" : "")
                            + ((events & Epoll.EPOLLOUT) != 0 ? " out" : "")
                            + ((events & Epoll.EPOLLERR) != 0 ? " error" : ""));
        }
        return told;
    }

    @Test
    void inputIsToldUntilItHasBeenRead() {
        int fd = counter();
        assertThat(queue.add(fd, IN, 5)).isZero();
        assertThat(told()).isEmpty();
        fill(fd);
        assertThat(told()).containsExactly("5 in");
        assertThat(told()).containsExactly("5 in");
        assertThat(Libc.read(fd, word, 8)).isEqualTo(8);
        assertThat(told()).isEmpty();
    }

    @Test
    void changesCostNoCallOfTheirOwn() {
        int fd = counter();
        int before = calls.calls;
        queue.add(fd, 0, 5);
        queue.change(fd, 0, IN, 5);
        queue.change(fd, IN, IN | OUT, 5);
        assertThat(calls.calls).isEqualTo(before);
        assertThat(told()).containsExactly("5 out");
        assertThat(calls.calls).isEqualTo(before + 1);
        queue.change(fd, IN | OUT, IN, 5);
        assertThat(told()).isEmpty();
        assertThat(calls.calls).isEqualTo(before + 2);
    }

    @Test
    void aChangeThatIsUndoneBeforeItWasMadeIsNone() {
        int fd = counter();
        queue.add(fd, IN, 5);
        assertThat(told()).isEmpty();
        int before = calls.changes;
        for (int i = 0; i < 100; i++) {
            queue.change(fd, IN, IN | OUT, 5);
            queue.change(fd, IN | OUT, IN, 5);
            queue.change(fd, IN, 0, 5);
            queue.change(fd, 0, IN, 5);
        }
        assertThat(told()).isEmpty();
        assertThat(calls.changes).isEqualTo(before);
        fill(fd);
        assertThat(told()).containsExactly("5 in");
    }

    @Test
    void theNumberOfAClosedDescriptorIsAnothersAtOnce() {
        for (int round = 0; round < 3; round++) {
            int fd = Libc.eventfd(0, Libc.EFD_CLOEXEC | Libc.EFD_NONBLOCK);
            queue.add(fd, IN | ERRORS, 100 + round);
            fill(fd);
            if (round == 1) {
                assertThat(told()).containsExactly("101 in"); // else it is still to be added
                queue.change(fd, IN | ERRORS, ERRORS, 101);
            }
            queue.closing(fd, IN, false);
            Libc.close(fd);
            int next = Libc.eventfd(0, Libc.EFD_CLOEXEC | Libc.EFD_NONBLOCK);
            assertThat(next).isEqualTo(fd);
            queue.add(next, IN | ERRORS, 200 + round);
            fill(next);
            assertThat(told()).containsExactly(200 + round + " in");
            queue.closing(next, IN, false);
            Libc.close(next);
        }
    }

    @Test
    void aRemovedDescriptorIsItsOwnersToClose() {
        int fd = Libc.eventfd(0, Libc.EFD_CLOEXEC | Libc.EFD_NONBLOCK);
        queue.add(fd, IN, 5);
        fill(fd);
        assertThat(told()).containsExactly("5 in");
        assertThat(queue.remove(fd, IN)).isZero();
        Libc.close(fd); // nobody tells the queue
        int next = counter();
        assertThat(next).isEqualTo(fd);
        queue.add(next, IN, 6);
        fill(next);
        assertThat(told()).containsExactly("6 in");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 63, 64, 65, 200})
    void manyChangesInOneRoundAreAllMade(int count) {
        for (int i = 0; i < count; i++) {
            int fd = counter();
            queue.add(fd, IN | ERRORS, i);
            fill(fd);
        }
        List<String> told = told();
        assertThat(told).hasSize(count).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 100})
    void aFilterThatCannotBeAddedIsToldAsAnError(int others) {
        int fd = counter();
        calls.failing = fd;
        queue.add(fd, IN, 5);
        for (int i = 0; i < others; i++) { // more than are kept back
            queue.add(counter(), IN, 100 + i);
        }
        assertThat(told()).containsExactly("5 error");
        assertThat(told()).isEmpty();
    }

    @Test
    void outputOfATargetThatWantsErrorsIsToldAgainWhenItWantsItAgain() {
        int fd = counter();
        queue.add(fd, ERRORS, 5);
        assertThat(told()).isEmpty();
        for (int i = 0; i < 3; i++) {
            queue.change(fd, ERRORS, OUT | ERRORS, 5);
            assertThat(told()).containsExactly("5 out");
            queue.change(fd, OUT | ERRORS, ERRORS, 5);
            assertThat(told()).isEmpty();
        }
    }

    @Test
    void whatCanBeWatchedIsFoundOut() {
        assertThat(queue.check(counter())).isZero();
        assertThat(queue.check(1 << 20)).isEqualTo(-Errno.EBADF);
        assertThat(told()).isEmpty();
    }

    @Test
    void aWakeUpEndsTheWaitAfterItOnce() {
        queue.wakeup();
        queue.wakeup();
        assertThat(queue.await(Long.MAX_VALUE)).isEqualTo(1);
        assertThat(queue.key(0)).isEqualTo(KqueueQueue.WAKEUP);
        assertThat(queue.await(0)).isZero();
    }
}
