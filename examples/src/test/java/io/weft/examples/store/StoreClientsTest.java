package io.weft.examples.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.weft.examples.ClientOptions;
import io.weft.examples.Example;
import io.weft.examples.Options;
import io.weft.examples.Ports;
import io.weft.examples.Served;
import io.weft.examples.Tls;
import io.weft.tls.machine.TlsContext;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.StringReader;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Options and commands of redis-client and memcache-client.
@Timeout(300)
class StoreClientsTest {
    /// Runs a client of one of the kinds with a script.
    private interface Client {
        boolean run(StoreDial dial, BufferedReader in, PrintStream out) throws Exception;
    }

    private static Served inTls(Example.Start start) {
        return Served.start(o -> start.start(withTls(o)), "nio");
    }

    private static Options withTls(Options o) {
        return new Options(o.host(), o.port(), o.transport(), o.loops(), true);
    }

    private static StoreDial dial(
            Served served, Map<String, String> own, @Nullable TlsContext tls, String... command) {
        Options options =
                new Options(served.address().getAddress(), served.address().getPort(), "nio", 1);
        return new StoreDial(new ClientOptions(options, own, List.of(command)), tls);
    }

    private static String said(Client client, boolean good, StoreDial dial, String script)
            throws Exception {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        BufferedReader in = new BufferedReader(new StringReader(script));
        assertThat(client.run(dial, in, new PrintStream(said, true, UTF_8))).isEqualTo(good);
        return said.toString(UTF_8).replaceAll("\\R", " ").strip();
    }

    @Test
    void commandsOfTheCommandLineRunAlone() throws Exception {
        try (Served redis = Served.start(RedisServer::start, "nio");
                Served memcache = Served.start(MemcacheServer::start, "nio")) {
            var set = dial(redis, Map.of(), null, "SET", "one", "a b");
            assertThat(said(RedisCli::run, true, set, "")).isEqualTo("OK");
            var get = dial(redis, Map.of("--resp", "2"), null, "GET", "one");
            assertThat(said(RedisCli::run, true, get, "")).isEqualTo("\"a b\"");
            var bad = dial(redis, Map.of(), null, "NOTHING");
            assertThat(said(RedisCli::run, false, bad, "")).startsWith("(error) ERR");
            var stored = dial(memcache, Map.of(), null, "set", "one", "0", "a", "b");
            assertThat(said(MemcacheCli::run, true, stored, "")).isEqualTo("OK");
            var got = dial(memcache, Map.of(), null, "get", "one");
            assertThat(said(MemcacheCli::run, true, got, "")).startsWith("one: a b (flags 0");
            var none = dial(memcache, Map.of(), null, "touch");
            assertThat(said(MemcacheCli::run, false, none, "")).startsWith("(not sent)");
        }
    }

    @Test
    void singleCommandFailsWithItsConnection() throws Exception {
        int port = Ports.free();
        Options options = new Options(InetAddress.getLoopbackAddress(), port, "nio", 1);
        assertThat(said(RedisCli::run, false, dialOf(options, "PING"), ""))
                .startsWith("(error) connect ")
                .contains(":" + port)
                .doesNotContain("Exception");
        assertThat(said(MemcacheCli::run, false, dialOf(options, "bogus"), ""))
                .isEqualTo("(not sent) bogus: unknown command (expected: one that --help shows)");
    }

    private static StoreDial dialOf(Options options, String... command) {
        return new StoreDial(new ClientOptions(options, Map.of(), List.of(command)), null);
    }

    @Test
    void wordsOfALineMayHaveQuotes() throws Exception {
        try (Served redis = Served.start(RedisServer::start, "nio")) {
            String script =
                    """
                    SET quoted "a \\"b\\" \\x41"
                    GET quoted
                    set 'two words' '1'
                    GET 'two words'
                    GET "open

                    MGET quoted none
                    """;
            assertThat(said(RedisCli::run, true, dial(redis, Map.of(), null), script))
                    .matches(
                            "OK \"a \"b\" A\" OK \"1\" \\(not sent\\) .* 1\\) \"a \"b\" A\""
                                    + " 2\\) \\(nil\\)");
        }
    }

    @Test
    void storesSpeakOverTls() throws Exception {
        try (Served redis = inTls(RedisServer::start);
                Served memcache = inTls(MemcacheServer::start)) {
            var ping = dial(redis, Map.of(), Tls.context(), "PING");
            assertThat(said(RedisCli::run, true, ping, "")).isEqualTo("PONG");
            var version = dial(memcache, Map.of(), Tls.context(), "version");
            assertThat(said(MemcacheCli::run, true, version, "")).isEqualTo("1.6.0");
        }
    }

    @Test
    void optionsStandBeforeTheCommand() {
        Set<String> own = Set.of("--user", "--db");
        StoreDial dial =
                StoreDial.parse(1, own, "--user", "u", "--port", "7", "--db", "3", "GET", "--tls");
        assertThat(dial.given().value("--user")).isEqualTo("u");
        assertThat(dial.options().port()).isEqualTo(7);
        assertThat(dial.given().number("--db", 0, 0, 9)).isEqualTo(3);
        assertThat(dial.given().number("--other", 5, 0, 9)).isEqualTo(5);
        assertThat(dial.given().words()).containsExactly("GET", "--tls");
        assertThat(dial.tls()).isNull();
        assertThat(StoreDial.parse(1, own, "--tls").tls()).isNotNull();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StoreDial.parse(1, own, "--wrong", "x"))
                .withMessageContaining("--wrong");
        assertThatIllegalArgumentException().isThrownBy(() -> StoreDial.parse(1, own, "--user"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> dial.given().number("--user", 0, 0, 9));
    }
}
