package io.weft.conformance.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.weft.channel.Channel;
import io.weft.channel.DatagramBootstrap;
import io.weft.channel.ServerChannel;
import io.weft.conformance.rig.Descriptors;
import io.weft.conformance.rig.Echo;
import io.weft.conformance.rig.EveryTransport;
import io.weft.conformance.rig.KernelNetwork;
import io.weft.conformance.rig.Rig;
import io.weft.engine.ChannelOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// No program that this process starts gets one of its sockets, rings or timers: each descriptor is
/// closed by `execve`.
@EveryTransport
@EnabledOnOs(OS.LINUX)
class CloseOnExecTest {
    /// `O_CLOEXEC` in the octal digits of `/proc/self/fdinfo`.
    private static final long CLOSE_ON_EXEC = 02000000;

    private final Set<String> before;
    private final Rig rig;

    CloseOnExecTest(String transport) throws IOException {
        assumeFalse(transport.equals("nio"), "the JDK's own descriptors");
        KernelNetwork.prepare(); // first: what the JDK opens for itself is no program's either
        before = Descriptors.open();
        rig = Rig.ofSockets(transport, 1);
    }

    @AfterEach
    void close() throws IOException {
        rig.close();
    }

    @Test
    void everyDescriptorOfAGroupIsClosedOnExec() throws IOException {
        ServerChannel listener = rig.listener(rig.server(ch -> ch.pipeline().addLast(new Echo())));
        Channel client = rig.connectWeft(listener.localAddress(), _ -> {});
        Channel datagrams =
                new DatagramBootstrap(rig.group).handler(_ -> {}).bind(Rig.ANY_PORT).join();
        Rig.onLoop(
                client, () -> assertThat(client.options().get(ChannelOption.AUTO_READ)).isTrue());
        Set<String> ours = Descriptors.open();
        ours.removeAll(before);
        assertThat(ours).hasSizeGreaterThanOrEqualTo(4); // a listener, both ends, datagrams
        for (String descriptor : ours) {
            assertThat(flags(descriptor) & CLOSE_ON_EXEC).as(descriptor).isNotZero();
        }
        datagrams.close().join();
    }

    private static long flags(String descriptor) throws IOException {
        Path info = Path.of("/proc/self/fdinfo", descriptor.split(" ", 2)[0]);
        for (String line : Files.readAllLines(info)) {
            if (line.startsWith("flags:")) {
                return Long.parseLong(line.substring("flags:".length()).trim(), 8);
            }
        }
        throw new AssertionError(info + ": no flags");
    }
}
