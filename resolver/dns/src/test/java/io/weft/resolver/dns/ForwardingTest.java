package io.weft.resolver.dns;

import static io.weft.resolver.dns.SimWorld.answer;
import static io.weft.resolver.dns.SimWorld.name;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.codec.dns.DnsMessage;
import io.weft.codec.dns.Edns;
import io.weft.codec.dns.EdnsOption;
import io.weft.codec.dns.Octets;
import io.weft.codec.dns.RecordType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Responses that are passed on to whoever sent the query.
class ForwardingTest {
    private static final EdnsOption STALE = new EdnsOption.ExtendedError(3, Octets.EMPTY);

    private final SimWorld world = new SimWorld();
    private final DnsResolver resolver =
            world.resolver(
                    SimServer.of(
                            world.sim,
                            world.host("server"),
                            query -> {
                                EdnsOption.Cookie cookie = Query.cookieOf(query);
                                assertThat(cookie).isNotNull();
                                Edns edns =
                                        Edns.DEFAULT
                                                .payloadSize(4096)
                                                .options(
                                                        new EdnsOption.Cookie(
                                                                cookie.client(),
                                                                Octets.ofHex("aabbccddeeff0011")),
                                                        STALE,
                                                        new EdnsOption.Padding(20));
                                return answer(query, "www.example. 60 A 192.0.2.1").edns(edns);
                            }));

    @AfterEach
    void close() {
        world.close();
    }

    private DnsMessage exchange(@Nullable Edns edns) {
        DnsMessage query = DnsMessage.query(7, name("www.example."), RecordType.A).edns(edns);
        DnsMessage response = world.await(resolver.exchange(query));
        assertThat(response.id()).isEqualTo(7);
        assertThat(response.answers()).hasSize(1);
        return response;
    }

    @Test
    void clientWithoutEdnsGetsNone() {
        assertThat(exchange(null).edns()).isNull();
    }

    @Test
    void clientWithEdnsGetsThatOfThisHopAndWhyTheAnswerIsAsItIs() {
        EdnsOption own = new EdnsOption.Cookie(Octets.ofHex("0011223344556677"), Octets.EMPTY);
        assertThat(exchange(Edns.DEFAULT.options(own)).edns())
                .isEqualTo(Edns.DEFAULT.options(STALE));
        assertThat(exchange(Edns.DEFAULT.dnssecOk(true)).edns())
                .isEqualTo(Edns.DEFAULT.dnssecOk(true).options(STALE));
    }
}
