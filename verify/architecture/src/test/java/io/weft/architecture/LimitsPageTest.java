package io.weft.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.client.memcache.MemcacheClientLimits;
import io.weft.client.redis.RedisClientLimits;
import io.weft.client.redis.RedisClusterLimits;
import io.weft.codec.compression.DecompressionLimits;
import io.weft.codec.dns.DnsLimits;
import io.weft.codec.haproxy.HaproxyLimits;
import io.weft.codec.memcache.MemcacheLimits;
import io.weft.codec.mqtt.MqttLimits;
import io.weft.codec.mqtt.session.SessionLimits;
import io.weft.codec.protobuf.ProtobufLimits;
import io.weft.codec.redis.RespLimits;
import io.weft.codec.serialization.SerializationLimits;
import io.weft.codec.smtp.SmtpLimits;
import io.weft.codec.socks.SocksLimits;
import io.weft.codec.stomp.StompLimits;
import io.weft.codec.websocket.WebSocketLimits;
import io.weft.codec.xml.XmlLimits;
import io.weft.engine.ChannelOption;
import io.weft.engine.WriteBufferWaterMark;
import io.weft.http.client.HttpClientLimits;
import io.weft.http.events.EventLimits;
import io.weft.http.events.EventStreamLimits;
import io.weft.http.forms.FormLimits;
import io.weft.http.grpc.GrpcLimits;
import io.weft.http.hpack.HpackLimits;
import io.weft.http.http1.Http1Limits;
import io.weft.http.http2.Http2Limits;
import io.weft.http.rtsp.RtspLimits;
import io.weft.http.server.HttpServerLimits;
import io.weft.http.websocket.WebSocketTimeouts;
import io.weft.resolver.dns.DnsCacheLimits;
import io.weft.resolver.dns.ResolverLimits;
import io.weft.resolver.names.NameCacheLimits;
import io.weft.tls.machine.TlsTimeouts;
import io.weft.transport.udt.UdtLimits;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// docs/limits.md lists every limit and every property, with its default.
class LimitsPageTest {
    /// The first two cells of each row: a name, and a default that begins with the value as the
    /// code has it.
    private static final Pattern ROW =
            Pattern.compile("^\\| `([^`]+)` \\| ([^|]*?) \\|", Pattern.MULTILINE);

    private static final Pattern PROPERTY =
            Pattern.compile(
                    "(?:getProperty|getInteger|getLong|getBoolean)\\(\\s*\"(io\\.weft\\.[^\"]+)\"");

    private static Map<String, String> listed() {
        Map<String, String> rows = new TreeMap<>();
        ROW.matcher(House.text("docs/limits.md"))
                .results()
                .forEach(row -> rows.put(row.group(1), row.group(2)));
        return rows;
    }

    @Test
    void everyPropertyIsListedAndNoOther() throws IOException {
        Set<String> read = new TreeSet<>();
        for (Path source : House.files(".java")) {
            if (source.toString().contains("/src/main/java/")) {
                PROPERTY.matcher(Files.readString(source))
                        .results()
                        .map((MatchResult call) -> call.group(1))
                        .forEach(read::add);
            }
        }
        assertThat(listed().keySet())
                .filteredOn(name -> name.startsWith("io.weft."))
                .containsExactlyInAnyOrderElementsOf(read);
    }

    @Test
    void limitsOfHttpAreListedWithTheirDefaults() throws ReflectiveOperationException {
        Map<String, String> defaults = new TreeMap<>();
        components(Http1Limits.DEFAULT, defaults);
        components(HttpServerLimits.DEFAULT, defaults);
        components(HttpClientLimits.DEFAULT, defaults);
        components(FormLimits.DEFAULT, defaults);
        components(RtspLimits.DEFAULT, defaults);
        components(EventLimits.DEFAULT, defaults);
        components(EventStreamLimits.DEFAULT, defaults);
        components(GrpcLimits.DEFAULT, defaults);
        components(HpackLimits.DEFAULT, defaults);
        components(Http2Limits.DEFAULT, defaults);
        components(WebSocketTimeouts.DEFAULT, defaults);
        assertListed(defaults);
    }

    private static void components(Record limits, Map<String, String> to)
            throws ReflectiveOperationException {
        for (RecordComponent component : limits.getClass().getRecordComponents()) {
            Object value = component.getAccessor().invoke(limits);
            if (!(value instanceof Record)) {
                to.put(limits.getClass().getSimpleName() + "." + component.getName(), shown(value));
            }
        }
    }

    @Test
    void limitsOfDecompressionAreListedWithTheirDefaults() throws ReflectiveOperationException {
        Map<String, String> defaults = new TreeMap<>();
        components(DecompressionLimits.DEFAULT, defaults);
        assertListed(defaults);
    }

    @Test
    void limitsOfMessagesAreListedWithTheirDefaults() throws ReflectiveOperationException {
        Map<String, String> defaults = new TreeMap<>();
        components(ProtobufLimits.DEFAULT, defaults);
        components(DnsLimits.DEFAULT, defaults);
        components(RespLimits.DEFAULT, defaults);
        components(MemcacheLimits.DEFAULT, defaults);
        components(MemcacheClientLimits.DEFAULT, defaults);
        components(RedisClientLimits.DEFAULT, defaults);
        components(RedisClusterLimits.DEFAULT, defaults);
        components(ResolverLimits.DEFAULT, defaults);
        components(DnsCacheLimits.DEFAULT, defaults);
        components(MqttLimits.DEFAULT, defaults);
        components(SessionLimits.DEFAULT, defaults);
        components(StompLimits.DEFAULT, defaults);
        components(SocksLimits.DEFAULT, defaults);
        components(HaproxyLimits.DEFAULT, defaults);
        components(SmtpLimits.DEFAULT, defaults);
        components(XmlLimits.DEFAULT, defaults);
        components(SerializationLimits.DEFAULT, defaults);
        components(WebSocketLimits.DEFAULT, defaults);
        assertListed(defaults);
    }

    @Test
    void limitsOfNamesAreListedWithTheirDefaults() throws ReflectiveOperationException {
        Map<String, String> defaults = new TreeMap<>();
        components(NameCacheLimits.DEFAULT, defaults);
        assertListed(defaults);
    }

    @Test
    void limitsOfUdtAreListedWithTheirDefaults() throws ReflectiveOperationException {
        Map<String, String> defaults = new TreeMap<>();
        components(UdtLimits.DEFAULT, defaults);
        assertListed(defaults);
    }

    @Test
    void limitsOfTlsAreListedWithTheirDefaults() throws ReflectiveOperationException {
        Map<String, String> defaults = new TreeMap<>();
        components(TlsTimeouts.DEFAULT, defaults);
        assertListed(defaults);
    }

    @Test
    void optionsOfChannelsAreListedWithTheirDefaults() throws IllegalAccessException {
        Map<String, String> defaults = new TreeMap<>();
        for (Field field : ChannelOption.class.getFields()) {
            if (Modifier.isStatic(field.getModifiers())
                    && field.get(null) instanceof ChannelOption<?> option) {
                assertThat(option.name()).isEqualTo(field.getName());
                if (option.isOfSocket()) {
                    continue; // the kernel's affair, and its limits
                }
                defaults.put(option.name(), shown(option.defaultValue()));
            }
        }
        assertListed(defaults);
    }

    private static String shown(Object value) {
        return switch (value) {
            case Duration d when d.toMillis() < 1000 -> d.toMillis() + " ms";
            case Duration d -> d.toSeconds() + " s";
            case WriteBufferWaterMark m -> m.low() + ", " + m.high() + ", " + m.cap();
            default -> value.toString();
        };
    }

    private static void assertListed(Map<String, String> defaults) {
        Map<String, String> listed = listed();
        assertThat(defaults).isNotEmpty();
        defaults.forEach(
                (name, value) ->
                        assertThat(listed.get(name))
                                .as("docs/limits.md: %s", name)
                                .isNotNull()
                                .matches(Pattern.quote(value) + "(\\b.*)?"));
    }
}
