package io.weft.resolver.dns;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.codec.dns.DnsName;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Names that a text stands for, in order.
class SearchListTest {
    private static final ResolverConfig CONFIG =
            ResolvConf.parse("search a.example b.example\noptions ndots:2\n");

    @ParameterizedTest
    @CsvSource({
        "db,               db.a.example. db.b.example. db.",
        "db.x,             db.x.a.example. db.x.b.example. db.x.",
        "db.x.y,           db.x.y. db.x.y.a.example. db.x.y.b.example.",
        "db.,              db.",
        "db\\.,            db\\..a.example. db\\..b.example. db\\..",
        "localhost,        localhost.",
        "b\u00fccher.x.,     xn--bcher-kva.x.",
        "\ud83e\udd9e.x.,     xn--ut9h.x.", // younger than IDNA 2003
    })
    void namesAreInTheOrderInWhichTheyAreTried(String text, String names) {
        List<DnsName> expected = List.of(names.split(" ")).stream().map(DnsName::parse).toList();
        assertThat(SearchList.names(text, CONFIG)).isEqualTo(expected);
    }
}
