package io.weft.ffi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
@Timeout(300)
class EpollTest {
    private static final int MAX = 8;
    private static final long SIZE = (long) MAX * Epoll.EVENT_SIZE + 8;
    private static final long DATA = 0x8899AABBCCDDEEFFL;

    private final long events = Memory.allocate(SIZE, 16);
    private final long word = events + (long) MAX * Epoll.EVENT_SIZE;
    private final int epoll = Epoll.create();
    private final int counter = Libc.eventfd(0, Libc.EFD_CLOEXEC | Libc.EFD_NONBLOCK);

    @AfterEach
    void close() {
        Libc.close(counter);
        Libc.close(epoll);
        Memory.free(events, SIZE);
    }

    private void signal() {
        Memory.putLong(word, 1);
        assertThat(Libc.write(counter, word, 8)).isEqualTo(8);
    }

    private int add(int interest) {
        return Epoll.ctl(epoll, Epoll.CTL_ADD, counter, interest, DATA);
    }

    @Test
    void instanceIsCloseOnExec() {
        assertThat(Libc.fcntl(epoll, Libc.F_GETFD, 0)).isEqualTo(Libc.FD_CLOEXEC);
    }

    @Test
    void tellsWhatIsReadyAndWhose() {
        assertThat(add(Epoll.EPOLLIN)).isZero();
        assertThat(Epoll.wait(epoll, events, MAX, 0)).isZero();
        signal();
        assertThat(Epoll.wait(epoll, events, MAX, -1)).isEqualTo(1);
        assertThat(Epoll.events(events, 0)).isEqualTo(Epoll.EPOLLIN);
        assertThat(Epoll.data(events, 0)).isEqualTo(DATA);
    }

    @Test
    void anotherThreadsEventEndsTheWait() throws InterruptedException {
        add(Epoll.EPOLLIN);
        Thread waker = Thread.ofPlatform().start(this::signal);
        assertThat(Waits.uninterrupted(() -> Epoll.wait(epoll, events, MAX, -1))).isEqualTo(1);
        waker.join();
    }

    @Test
    void readsEveryElementOfTheArray() {
        int second = Libc.eventfd(1, Libc.EFD_CLOEXEC | Libc.EFD_NONBLOCK);
        try {
            add(Epoll.EPOLLIN);
            Epoll.ctl(epoll, Epoll.CTL_ADD, second, Epoll.EPOLLIN | Epoll.EPOLLOUT, -2);
            signal();
            assertThat(Epoll.wait(epoll, events, MAX, -1)).isEqualTo(2);
            assertThat(new long[] {Epoll.data(events, 0), Epoll.data(events, 1)})
                    .containsExactlyInAnyOrder(DATA, -2);
        } finally {
            Libc.close(second);
        }
    }

    @Test
    void edgeIsReportedOnceUntilTheNext() {
        add(Epoll.EPOLLIN | Epoll.EPOLLET);
        signal();
        assertThat(Epoll.wait(epoll, events, MAX, 0)).isEqualTo(1);
        assertThat(Epoll.wait(epoll, events, MAX, 0)).isZero();
        signal();
        assertThat(Epoll.wait(epoll, events, MAX, 0)).isEqualTo(1);
    }

    @Test
    void interestCanBeChangedAndRemoved() {
        add(Epoll.EPOLLIN);
        assertThat(add(Epoll.EPOLLIN)).isEqualTo(-Errno.EEXIST);
        assertThat(Epoll.ctl(epoll, Epoll.CTL_MOD, counter, Epoll.EPOLLOUT, 5)).isZero();
        assertThat(Epoll.wait(epoll, events, MAX, 0)).isEqualTo(1);
        assertThat(Epoll.data(events, 0)).isEqualTo(5);
        assertThat(Epoll.ctl(epoll, Epoll.CTL_DEL, counter, 0, 0)).isZero();
        assertThat(Epoll.ctl(epoll, Epoll.CTL_DEL, counter, 0, 0)).isEqualTo(-Errno.ENOENT);
    }

    @Test
    void waitsToTheNanosecond() {
        int none = Epoll.wait2(epoll, events, MAX, 0);
        assumeTrue(
                none != -Errno.ENOSYS && none != -Errno.EPERM,
                () -> "epoll_pwait2: " + Errno.describe(-none));
        assertThat(none).isZero();
        assertThat(Waits.uninterrupted(() -> Epoll.wait2(epoll, events, MAX, 1))).isZero();
        add(Epoll.EPOLLIN);
        signal();
        assertThat(Epoll.wait2(epoll, events, MAX, -1)).isEqualTo(1);
        assertThat(Epoll.wait2(epoll, events, MAX, 5_000_000_000L)).isEqualTo(1);
    }

    @Test
    void failuresAreErrorNumbers() {
        assertThat(Epoll.wait(-1, events, MAX, 0)).isEqualTo(-Errno.EBADF);
        assertThat(Epoll.wait(epoll, events, 0, 0)).isEqualTo(-Errno.EINVAL);
        assertThat(Epoll.wait2(-1, events, MAX, 0)).isIn(-Errno.EBADF, -Errno.ENOSYS, -Errno.EPERM);
    }
}
