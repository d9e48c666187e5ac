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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Clients of Redis talk to redis-server of the examples.
@Tag("peers")
class RedisPeersTest {
    @BeforeEach
    void peersAreOn() {
        Assumptions.assumeTrue(
                Boolean.getBoolean("peers"), "peers are off (-Dpeers=true switches them on)");
    }

    private static String run(String input, String program, String... arguments) throws Exception {
        boolean there =
                Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
        Assumptions.assumeTrue(
                there, program + " is not on the PATH (dev/install-peers.sh installs it)");
        List<String> command = new ArrayList<>(List.of(program));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().write(input.getBytes(UTF_8));
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }

    private static String port(Served served) {
        return String.valueOf(served.address().getPort());
    }

    @ParameterizedTest
    @ValueSource(strings = {"-2", "-3"})
    void redisCliGetsItsAnswers(String version) throws Exception {
        try (Served served = Served.start(RedisServer::start, "epoll")) {
            String output =
                    run(
                            String.join(
                                    "",
                                    "FLUSHALL\nSET a 1\nGET a\nGET b\nRPUSH l x y\n",
                                    "LRANGE l 0 -1\nHSET h f v\nHGETALL h\n"),
                            "redis-cli",
                            version,
                            "--no-raw",
                            "-p",
                            port(served));
            String hash = version.equals("-3") ? "1# \"f\" => \"v\"\n" : "1) \"f\"\n2) \"v\"\n";
            assertThat(output)
                    .isEqualTo(
                            "OK\nOK\n\"1\"\n(nil)\n(integer) 2\n1) \"x\"\n2) \"y\"\n(integer) 1\n"
                                    + hash);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"io_uring", "epoll", "nio"})
    void redisBenchmarkFindsNoErrors(String transport) throws Exception {
        try (Served served = Served.start(RedisServer::start, transport)) {
            for (String pipeline : List.of("1", "16")) {
                for (String version : List.of("", "-3")) {
                    List<String> arguments =
                            new ArrayList<>(
                                    List.of(
                                            "-p",
                                            port(served),
                                            "-q",
                                            "-e",
                                            "-n",
                                            "1000",
                                            "-r",
                                            "100",
                                            "-P",
                                            pipeline,
                                            "-t",
                                            "ping,set,get,incr,lpush,rpush,lpop,rpop,sadd,hset,mset"));
                    if (!version.isEmpty()) {
                        arguments.add(version);
                    }
                    String output = run("", "redis-benchmark", arguments.toArray(String[]::new));
                    assertThat(output)
                            .contains("SET: ", "MSET")
                            .doesNotContain("Error", "WRONGTYPE");
                }
            }
        }
    }

    private static final String PYTHON =
            """
            import sys, redis
            r = redis.Redis(port=int(sys.argv[1]), protocol=int(sys.argv[2]))
            r.flushall()
            assert r.ping()
            assert r.set('k', b'\\x00\\r\\n\\xff', ex=100)
            assert r.get('k') == b'\\x00\\r\\n\\xff'
            assert 0 < r.ttl('k') <= 100
            assert r.get('none') is None
            assert r.incrby('n', 41) == 41
            assert r.rpush('l', *range(1000)) == 1000
            assert r.lrange('l', 0, -1) == [str(i).encode() for i in range(1000)]
            assert r.hset('h', mapping={'a': 1, 'b': 2}) == 2
            assert r.hgetall('h') == {b'a': b'1', b'b': b'2'}
            assert r.sadd('s', 'x', 'y') == 2
            assert set(r.smembers('s')) == {b'x', b'y'}
            big = b'x' * 3000000
            assert r.set('big', big) and r.get('big') == big
            try:
                r.incr('h')
                raise SystemExit('no error')
            except redis.ResponseError as e:
                assert 'wrong kind' in str(e), e
            with r.pipeline(transaction=False) as p:
                for i in range(2000):
                    p.set('p%d' % i, i)
                    p.get('p%d' % i)
                got = p.execute()
            assert got[1::2] == [str(i).encode() for i in range(2000)]
            ps = r.pubsub()
            ps.subscribe('news')
            ps.psubscribe('n*')
            kinds = [ps.get_message(timeout=30)['type'] for _ in range(2)]
            assert kinds == ['subscribe', 'psubscribe'], kinds
            assert r.publish('news', 'hello') == 2
            got = sorted(ps.get_message(timeout=30)['type'] for _ in range(2))
            assert got == ['message', 'pmessage'], got
            ps.close()
            print('good')
            """;

    @ParameterizedTest
    @ValueSource(strings = {"2", "3"})
    void redisPyGetsItsAnswers(String version) throws Exception {
        Process probe = new ProcessBuilder("python3", "-c", "import redis").start();
        Assumptions.assumeTrue(
                probe.waitFor() == 0, "redis-py is not there (dev/install-peers.sh)");
        try (Served served = Served.start(RedisServer::start, "epoll")) {
            assertThat(run("", "python3", "-c", PYTHON, port(served), version)).isEqualTo("good\n");
        }
    }
}
