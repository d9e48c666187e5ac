package io.weft.examples.store;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Ledger;
import io.weft.examples.Example;
import io.weft.examples.Served;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Clients of the stores that break off, dribble, announce more than they send and ask for much.
@Timeout(300)
class HostileStoreClientsTest {
    private static final String BINARY_SET =
            "\u0080\u0001\0\u0001\u0008\0\0\0\0\0\0\n\0\0\0\7\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0kv";
    private static final String BINARY_NOOP =
            "\u0080\n\0\0\0\0\0\0\0\0\0\0\0\0\0\u0009\0\0\0\0\0\0\0\0";

    @AfterEach
    void nothingIsLeft() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private static Served served(String store) {
        Example.Start start = store.equals("redis") ? RedisServer::start : MemcacheServer::start;
        return Served.start(start, "nio");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(ISO_8859_1);
    }

    /// The answers of the server until it closes.
    private static String answer(Served served, String request) throws Exception {
        try (Socket socket = served.connect()) {
            try {
                socket.getOutputStream().write(bytes(request));
                socket.shutdownOutput();
            } catch (SocketException e) {
                // It has closed already.
            }
            return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
        }
    }

    private static void assertServes(Served served, String store) throws Exception {
        boolean redis = store.equals("redis");
        assertThat(answer(served, redis ? "PING\r\n" : "mn\r\n"))
                .isEqualTo(redis ? "+PONG\r\n" : "MN\r\n");
    }

    private static String traffic(String store) {
        String value = "x".repeat(20_000);
        return store.equals("redis")
                ? "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$20000\r\n"
                        + value
                        + "\r\n*2\r\n$3\r\nGET\r\n$1\r\nk\r\n*2\r\n$9\r\nSUBSCRIBE\r\n$1\r\na\r\n"
                        + "*3\r\n$7\r\nPUBLISH\r\n$1\r\na\r\n$5\r\nhello\r\n"
                : "set k 0 0 20000\r\n" + value + "\r\nget k k k\r\nms k 2\r\nhi\r\nmg k v\r\n";
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis", "memcache"})
    void resetsInTheMiddleOfCommandsLeaveNothing(String store) throws Exception {
        SplittableRandom random = new SplittableRandom(Long.getLong("io.weft.test.seed", 1));
        byte[] traffic = bytes(traffic(store));
        try (Served served = served(store)) {
            for (int i = 0; i < 100; i++) {
                int length = random.nextInt(traffic.length);
                Socket socket = served.connect();
                socket.getOutputStream().write(traffic, 0, length);
                socket.setSoLinger(true, 0);
                socket.close();
            }
            assertServes(served, store);
        }
    }

    @Test
    void bytesThatComeOneByOneAreCommands() throws Exception {
        try (Served redis = served("redis");
                Served memcache = served("memcache")) {
            assertThat(dribble(redis, "*2\r\n$4\r\nECHO\r\n$2\r\nhi\r\necho \"a b\"\r\n"))
                    .isEqualTo("$2\r\nhi\r\n$3\r\na b\r\n");
            assertThat(dribble(memcache, "set d 1 0 2\r\nhi\r\nget d\r\nmg d v\r\n"))
                    .isEqualTo("STORED\r\nVALUE d 1 2\r\nhi\r\nEND\r\nVA 2\r\nhi\r\n");
            assertThat(dribble(memcache, BINARY_SET + BINARY_NOOP)).hasSize(48);
        }
    }

    private static String dribble(Served served, String request) throws Exception {
        try (Socket socket = served.connect()) {
            socket.setTcpNoDelay(true);
            for (byte b : bytes(request)) {
                socket.getOutputStream().write(b);
            }
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "*2147483647\r\n",
                "*99999999999999999999\r\n",
                "*-2\r\n",
                "*1\r\n$99999999999\r\n",
                "*1\r\n$-1\r\n",
                "*1\r\n:1\r\n",
                "*1\r\n$1\r\nabc\r\n"
            })
    void countsThatCannotBeAreRefusedByRedis(String request) throws Exception {
        try (Served served = served("redis")) {
            assertThat(answer(served, request + "PING\r\n"))
                    .startsWith("-ERR Protocol error")
                    .doesNotContain("PONG");
            assertServes(served, "redis");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "set k 0 0 -1\r\n",
                "set k 0 0 99999999999999999999\r\n",
                "set k 0 0\r\n",
                "ms k -1\r\n",
                "ms k x\r\n"
            })
    void lengthsThatCannotBeAreRefusedByMemcached(String request) throws Exception {
        try (Served served = served("memcache")) {
            assertThat(answer(served, request)).matches("(CLIENT_|SERVER_)?ERROR.*\r\n");
            assertServes(served, "memcache");
        }
    }

    @Test
    void quietCommandsAreSilentInAnyNumber() throws Exception {
        String getq = "\u0080\u0009\0\u0001\0\0\0\0\0\0\0\u0001\0\0\0\7\0\0\0\0\0\0\0\0z";
        try (Served served = served("memcache")) {
            // Misses of GETQ say nothing; the NOOP behind them is answered.
            assertThat(answer(served, getq.repeat(20_000) + BINARY_NOOP)).hasSize(24);
        }
    }

    @Test
    void clientsThatAskForMuchAndReadNothingCostOthersNothing() throws Exception {
        try (Served served = served("redis")) {
            assertThat(answer(served, "SET big " + "x".repeat(60_000) + "\r\n"))
                    .isEqualTo("+OK\r\n");
            Socket greedy = served.connect();
            byte[] many = bytes("GET big\r\n".repeat(2_000));
            Thread writer = Thread.ofVirtual().start(() -> write(greedy, many));
            assertServes(served, "redis");
            greedy.setSoLinger(true, 0);
            greedy.close();
            writer.join();
            assertServes(served, "redis");
        }
    }

    private static void write(Socket socket, byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
        } catch (IOException e) {
            // closed meanwhile
        }
    }
}
