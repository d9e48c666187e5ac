package io.weft.transport.sctp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.channel.Bootstrap;
import io.weft.channel.ServerBootstrap;
import io.weft.eventloop.EventLoopGroup;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class SctpUnavailableTest {
    private static final SctpAddress AT = SctpAddress.of(Rig.loopback(1, 0));

    private final String refusal = String.valueOf(SctpProvider.refusal());

    @Test
    void withoutSctpTheErrorNamesTheReason() {
        Assumptions.assumeFalse(refusal.equals("null"), "this kernel has SCTP");
        try (EventLoopGroup group = EventLoopGroup.create()) {
            assertThatThrownBy(
                            () -> new ServerBootstrap(group).childHandler(_ -> {}).bind(AT).join())
                    .hasRootCauseInstanceOf(SctpUnavailableException.class)
                    .rootCause()
                    .hasMessageContaining(refusal);
            assertThatThrownBy(() -> new Bootstrap(group).handler(_ -> {}).connect(AT).join())
                    .hasRootCauseInstanceOf(SctpUnavailableException.class);
        }
        assertThat(refusal).contains("expected: ");
    }

    @Test
    void engineThatWatchesNoDescriptorsIsRefused() {
        Assumptions.assumeTrue(refusal.equals("null"), refusal);
        try (EventLoopGroup group = EventLoopGroup.create("nio", 1)) {
            assertThatThrownBy(
                            () -> new ServerBootstrap(group).childHandler(_ -> {}).bind(AT).join())
                    .hasStackTraceContaining("expected: io_uring or epoll");
        }
    }
}
