package io.weft.examples.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.examples.Served;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Clients of memcached talk to memcache-server of the examples.
@Tag("peers")
class MemcachePeersTest {
    @BeforeEach
    void peersAreOn() {
        Assumptions.assumeTrue(
                Boolean.getBoolean("peers"), "peers are off (-Dpeers=true switches them on)");
    }

    private static String run(String program, String... arguments) throws Exception {
        boolean there =
                Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
        Assumptions.assumeTrue(
                there, program + " is not on the PATH (dev/install-peers.sh installs it)");
        List<String> command = new ArrayList<>(List.of(program));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }

    private static String port(Served served) {
        return String.valueOf(served.address().getPort());
    }

    @ParameterizedTest
    @ValueSource(strings = {"-a", "-b"})
    void memccapableFindsNothing(String protocol) throws Exception {
        try (Served served = Served.start(MemcacheServer::start, "epoll")) {
            assertThat(run("memccapable", "-h", "127.0.0.1", "-p", port(served), protocol))
                    .contains("All tests passed");
        }
    }

    private static void assumePython(String module) throws Exception {
        Process probe = new ProcessBuilder("python3", "-c", "import " + module).start();
        Assumptions.assumeTrue(probe.waitFor() == 0, module + " is not there");
    }

    @Test
    void pymemcacheGetsItsAnswers() throws Exception {
        assumePython("pymemcache");
        String program =
                """
                import sys
                from pymemcache.client.base import Client
                c = Client(('127.0.0.1', int(sys.argv[1])))
                c.flush_all(noreply=False)
                big = b'\\r\\n' * 500000
                assert c.set('k', big, noreply=False) and c.get('k') == big
                assert c.get('none') is None
                assert c.add('k', b'x', noreply=False) is False
                value, cas = c.gets('k')
                assert c.cas('k', b'5', cas, noreply=False) is True
                assert c.cas('k', b'6', cas, noreply=False) is False
                assert c.incr('k', 2) == 7 and c.decr('k', 9) == 0
                assert c.append('k', b'1', noreply=False) and c.get('k') == b'01'
                c.set_many({'p%d' % i: str(i) for i in range(1000)}, noreply=True)
                assert len(c.get_many(['p%d' % i for i in range(1000)])) == 1000
                assert c.touch('k', 100, noreply=False) and c.delete('k', noreply=False)
                assert b'pid' in c.stats()
                print('good')
                """;
        try (Served served = Served.start(MemcacheServer::start, "epoll")) {
            assertThat(run("python3", "-c", program, port(served))).isEqualTo("good\n");
        }
    }

    @Test
    void bmemcachedGetsItsAnswers() throws Exception {
        assumePython("bmemcached");
        String program =
                """
                import sys, bmemcached
                c = bmemcached.Client(('127.0.0.1:' + sys.argv[1],))
                c.flush_all()
                assert c.set('k', 'v') and c.get('k') == 'v'
                assert c.get('none') is None
                assert c.add('k', 'x') is False
                value, cas = c.gets('k')
                assert c.cas('k', 'w', cas) and not c.cas('k', 'z', cas)
                assert c.incr('n', 1, default=40) == 40 and c.incr('n', 2) == 42
                assert c.set_multi({'p%d' % i: str(i) for i in range(500)}) == []
                assert len(c.get_multi(['p%d' % i for i in range(500)])) == 500
                assert c.delete('k') and c.get('k') is None
                assert c.stats()
                c.disconnect_all()
                print('good')
                """;
        try (Served served = Served.start(MemcacheServer::start, "epoll")) {
            assertThat(run("python3", "-c", program, port(served))).isEqualTo("good\n");
        }
    }
}
