package io.weft.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.module.ModuleDescriptor.Requires;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Which module may know which.
class ArrowsTest {
    /// All arrows there are. docs/modules.md shows the same table; an arrow that is missing or new
    /// is a decision, to be written down in both places.
    private static final Map<String, Set<String>> ARROWS =
            parse(
                    """
                    io.weft.ffi               ->
                    io.weft.buffer            -> io.weft.ffi
                    io.weft.loop              ->
                    io.weft.engine            -> io.weft.buffer, io.weft.loop
                    io.weft.eventloop         -> io.weft.buffer, io.weft.engine, io.weft.loop
                    io.weft.channel           -> io.weft.buffer, io.weft.engine, io.weft.eventloop, io.weft.loop, io.weft.resolver.names
                    io.weft.pool              -> io.weft.channel
                    io.weft.testkit           -> io.weft.buffer
                    io.weft.transport.local   -> io.weft.engine
                    io.weft.transport.nio     -> io.weft.engine, io.weft.ffi
                    io.weft.transport.sim     -> io.weft.channel
                    io.weft.transport.udt     -> io.weft.engine
                    io.weft.transport.posix   -> io.weft.engine, io.weft.ffi
                    io.weft.transport.epoll   -> io.weft.engine, io.weft.ffi, io.weft.transport.posix
                    io.weft.transport.kqueue  -> io.weft.engine, io.weft.ffi, io.weft.transport.posix
                    io.weft.transport.uring   -> io.weft.engine, io.weft.ffi, io.weft.transport.posix
                    io.weft.transport.serial  -> io.weft.engine, io.weft.ffi
                    io.weft.transport.sctp    -> io.weft.channel, io.weft.ffi, io.weft.transport.posix
                    io.weft.codec             -> io.weft.buffer
                    io.weft.blocking          -> io.weft.channel, io.weft.codec
                    io.weft.codec.framing     -> io.weft.codec
                    io.weft.codec.text        -> io.weft.codec
                    io.weft.codec.compression -> io.weft.codec
                    io.weft.codec.protobuf    -> io.weft.codec, io.weft.codec.framing
                    io.weft.codec.zstd        -> io.weft.codec.compression
                    io.weft.codec.serialization -> io.weft.codec, io.weft.codec.framing
                    io.weft.codec.lzma        -> io.weft.codec.compression
                    io.weft.codec.brotli      -> io.weft.codec.compression
                    io.weft.codec.dns         -> io.weft.codec
                    io.weft.codec.websocket   -> io.weft.codec
                    io.weft.codec.redis       -> io.weft.codec
                    io.weft.codec.mqtt        -> io.weft.codec
                    io.weft.codec.memcache    -> io.weft.codec
                    io.weft.codec.stomp       -> io.weft.codec
                    io.weft.codec.socks       -> io.weft.codec
                    io.weft.codec.haproxy     -> io.weft.codec
                    io.weft.codec.smtp        -> io.weft.codec
                    io.weft.codec.xml         -> io.weft.codec
                    io.weft.resolver.names    -> io.weft.engine, io.weft.eventloop, io.weft.loop
                    io.weft.handler.codec     -> io.weft.channel, io.weft.codec
                    io.weft.handler.timeout   -> io.weft.channel
                    io.weft.handler.flow      -> io.weft.channel
                    io.weft.handler.traffic   -> io.weft.channel
                    io.weft.handler.filter    -> io.weft.channel
                    io.weft.handler.haproxy   -> io.weft.channel, io.weft.codec.haproxy, io.weft.handler.filter
                    io.weft.handler.logging   -> io.weft.channel
                    io.weft.tls.x509          -> io.weft.loop
                    io.weft.tls.machine       -> io.weft.codec, io.weft.tls.x509
                    io.weft.tls.openssl       -> io.weft.ffi, io.weft.tls.machine
                    io.weft.handler.tls       -> io.weft.channel, io.weft.codec, io.weft.tls.machine
                    io.weft.handler.redis     -> io.weft.channel, io.weft.codec.redis, io.weft.handler.codec
                    io.weft.client.pipelined  -> io.weft.channel, io.weft.codec
                    io.weft.client.memcache   -> io.weft.channel, io.weft.client.pipelined, io.weft.codec.memcache, io.weft.handler.codec
                    io.weft.client.redis      -> io.weft.channel, io.weft.client.pipelined, io.weft.codec.redis, io.weft.handler.codec
                    io.weft.resolver.dns      -> io.weft.channel, io.weft.codec, io.weft.codec.dns, io.weft.handler.codec, io.weft.handler.tls, io.weft.tls.machine
                    io.weft.resolver.doh      -> io.weft.codec, io.weft.http.client, io.weft.resolver.dns
                    io.weft.http.model        -> io.weft.buffer
                    io.weft.http.http1        -> io.weft.buffer, io.weft.codec, io.weft.http.model
                    io.weft.http.forms        -> io.weft.codec, io.weft.http.model
                    io.weft.http.rtsp         -> io.weft.codec, io.weft.http.model
                    io.weft.http.events       -> io.weft.codec, io.weft.http.model
                    io.weft.http.hpack        -> io.weft.buffer, io.weft.codec, io.weft.http.model
                    io.weft.http.http2        -> io.weft.buffer, io.weft.codec, io.weft.engine, io.weft.http.hpack, io.weft.http.model
                    io.weft.http.server       -> io.weft.channel, io.weft.codec, io.weft.codec.compression, io.weft.handler.haproxy, io.weft.handler.tls, io.weft.http.http1, io.weft.http.http2, io.weft.http.model, io.weft.tls.machine
                    io.weft.http.websocket    -> io.weft.channel, io.weft.codec, io.weft.codec.websocket, io.weft.http.http1, io.weft.http.model, io.weft.http.server
                    io.weft.http.grpc         -> io.weft.codec, io.weft.codec.compression, io.weft.http.client, io.weft.http.model, io.weft.http.server
                    io.weft.observe.jfr       ->
                    io.weft.observe.micrometer -> io.weft.buffer, io.weft.eventloop, io.weft.http.client, io.weft.http.model, io.weft.http.server
                    io.weft.observe.opentelemetry -> io.weft.http.client, io.weft.http.model, io.weft.http.server
                    io.weft.examples          -> io.weft.blocking, io.weft.channel, io.weft.client.memcache, io.weft.client.redis, io.weft.codec, io.weft.codec.dns, io.weft.codec.framing, io.weft.codec.haproxy, io.weft.codec.memcache, io.weft.codec.mqtt, io.weft.codec.protobuf, io.weft.codec.redis, io.weft.codec.serialization, io.weft.codec.smtp, io.weft.codec.socks, io.weft.codec.stomp, io.weft.codec.text, io.weft.codec.xml, io.weft.handler.codec, io.weft.handler.filter, io.weft.handler.flow, io.weft.handler.haproxy, io.weft.handler.proxy, io.weft.handler.redis, io.weft.handler.timeout, io.weft.handler.tls, io.weft.http.client, io.weft.http.events, io.weft.http.forms, io.weft.http.grpc, io.weft.http.server, io.weft.http.websocket, io.weft.resolver.dns, io.weft.resolver.doh, io.weft.transport.epoll, io.weft.transport.kqueue, io.weft.transport.nio, io.weft.transport.sctp, io.weft.transport.serial, io.weft.transport.udt, io.weft.transport.uring
                    io.weft.handler.proxy     -> io.weft.channel, io.weft.codec.socks, io.weft.handler.tls, io.weft.http.http1, io.weft.http.model, io.weft.tls.machine
                    io.weft.http.client       -> io.weft.channel, io.weft.codec, io.weft.codec.compression, io.weft.handler.tls, io.weft.http.http1, io.weft.http.http2, io.weft.http.model, io.weft.tls.machine
                    """);

    /// Libraries that a codec is there to wrap. Each is a module of its own, so that only who wants
    /// it has it.
    private static final Map<String, Set<String>> WRAPPED =
            parse(
                    """
                    io.weft.codec.protobuf -> com.google.protobuf
                    io.weft.codec.zstd     -> com.github.luben.zstd_jni
                    io.weft.codec.lzma     -> org.tukaani.xz
                    io.weft.codec.brotli   -> com.aayushatharva.brotli4j
                    io.weft.observe.micrometer -> micrometer.core
                    io.weft.observe.opentelemetry -> io.opentelemetry.api, io.opentelemetry.context
                    """);

    private static Map<String, Set<String>> parse(String table) {
        Map<String, Set<String>> arrows = new TreeMap<>();
        table.lines()
                .map(line -> line.split("->", -1))
                .forEach(sides -> arrows.put(sides[0].strip(), names(sides[1])));
        return arrows;
    }

    private static Set<String> names(String list) {
        return Arrays.stream(list.replace("`", "").split(","))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Map<String, Set<String>> drawn() {
        Map<String, Set<String>> drawn = new TreeMap<>();
        House.ROOMS.forEach(room -> drawn.put(room.module(), room.arrows()));
        return drawn;
    }

    @Test
    void modulesRequireExactlyWhatTheTableAllows() {
        assertThat(drawn()).isEqualTo(ARROWS);
    }

    @Test
    void modulesPageShowsTheSameTable() {
        // | 1 | `core/buffer` | `io.weft.buffer` | `io.weft.ffi` |
        Matcher row =
                Pattern.compile(
                                "^\\| *\\S* *\\| *`([^`|]+)` *\\| *`(io\\.weft\\.[^`|]+)`"
                                        + " *\\|([^|]*)\\|",
                                Pattern.MULTILINE)
                        .matcher(House.text("docs/modules.md"));
        Map<String, Set<String>> shown = new TreeMap<>();
        Map<String, String> directories = new TreeMap<>();
        while (row.find()) {
            shown.put(row.group(2), names(row.group(3)));
            directories.put(row.group(2), row.group(1));
        }
        assertThat(shown).isEqualTo(ARROWS);
        House.ROOMS.forEach(
                room -> assertThat(directories).containsEntry(room.module(), room.directory()));
    }

    @Test
    void onlyBuffersAndEnginesOfBothKindsKnowTheSystem() {
        assertThat(House.ROOMS)
                .filteredOn(room -> room.arrows().contains("io.weft.ffi"))
                .allSatisfy(
                        room ->
                                assertThat(room.module())
                                        .matches(
                                                "io\\.weft\\.(buffer|transport\\..+|tls\\.openssl)"));
    }

    @Test
    void protocolsNeverSeeEngines() {
        assertThat(House.ROOMS)
                .filteredOn(room -> !room.directory().matches("transport/.*|examples"))
                .allSatisfy(
                        room ->
                                assertThat(reachable(room.module(), new TreeSet<>()))
                                        .noneMatch(name -> name.startsWith("io.weft.transport.")));
    }

    private static Set<String> reachable(String module, Set<String> seen) {
        for (String next : ARROWS.getOrDefault(module, Set.of())) {
            if (seen.add(next)) {
                reachable(next, seen);
            }
        }
        return seen;
    }

    @Test
    void nothingPointsAtExamplesOrAtWhatVerifies() {
        Set<String> outside =
                House.ROOMS.stream()
                        .filter(room -> room.directory().matches("examples|core/testkit|verify/.*"))
                        .map(Room::module)
                        .collect(Collectors.toSet());
        assertThat(outside).contains("io.weft.examples");
        assertThat(House.ROOMS)
                .allSatisfy(room -> assertThat(room.arrows()).doesNotContainAnyElementsOf(outside));
    }

    @Test
    void nothingIsRequiredBesidesTheJdkAnnotationsAndWhatACodecWraps() {
        assertThat(House.ROOMS)
                .filteredOn(room -> !room.directory().equals("core/testkit")) // which is for tests
                .allSatisfy(
                        room ->
                                assertThat(room.descriptor().requires())
                                        .filteredOn(r -> !r.name().startsWith("io.weft."))
                                        .allMatch(r -> isOfTheJdk(r) || isWrapped(room, r)));
    }

    private static boolean isOfTheJdk(Requires required) {
        return required.name().matches("(java|jdk)\\..+") || isAnnotations(required);
    }

    private static boolean isWrapped(Room room, Requires required) {
        return WRAPPED.getOrDefault(room.module(), Set.of()).contains(required.name());
    }

    private static boolean isAnnotations(Requires required) {
        return required.name().equals("org.jspecify")
                && required.modifiers().contains(Requires.Modifier.STATIC);
    }
}
