package io.weft.handler.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProxyEnvironmentTest {
    private static @Nullable String proxy(
            Map<String, String> variables, String scheme, String host, int port) {
        ProxyServer proxy = ProxyEnvironment.of(variables).proxy(scheme, host, port);
        return proxy == null ? null : proxy.toString();
    }

    @Test
    void variablesAreByScheme() {
        Map<String, String> both = Map.of("http_proxy", "a:1", "https_proxy", "http://b:2");
        assertThat(proxy(both, "http", "x", 80)).isEqualTo("http://a:1");
        assertThat(proxy(both, "https", "x", 443)).isEqualTo("http://b:2");
        Map<String, String> all = Map.of("ALL_PROXY", "socks5h://c:3", "http_proxy", "a:1");
        assertThat(proxy(all, "http", "x", 80)).isEqualTo("http://a:1");
        assertThat(proxy(all, "https", "x", 443)).isEqualTo("socks5h://c:3");
        assertThat(proxy(Map.of(), "http", "x", 80)).isNull();
        assertThat(proxy(Map.of("all_proxy", ""), "http", "x", 80)).isNull();
    }

    @Test
    void emptyVariableCountsAsMissing() {
        ProxyEnvironment environment =
                ProxyEnvironment.of(
                        Map.of(
                                "https_proxy", "",
                                "HTTPS_PROXY", "http://proxy:1",
                                "no_proxy", " ",
                                "NO_PROXY", "direct.example"));
        assertThat(environment.proxy("https", "example.org", 443)).isNotNull();
        assertThat(environment.proxy("https", "direct.example", 443)).isNull();
    }

    /// CVE-2016-5385: the variable of a CGI program has the request's field Proxy.
    @Test
    void variableThatARequestMaySetIsNotRead() {
        assertThat(proxy(Map.of("HTTP_PROXY", "evil:1"), "http", "x", 80)).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "*, any.org, 80, true",
        "example.org, example.org, 80, true",
        "example.org, www.example.org, 80, true",
        "example.org, EXAMPLE.ORG., 80, true",
        "example.org, notexample.org, 80, false",
        ".example.org, example.org, 80, true",
        "example.org., www.example.org, 80, true",
        "*.example.org, www.example.org, 80, true",
        "example.org:8080, example.org, 8080, true",
        "example.org:8080, example.org, 80, false",
        "'a.org, b.org', b.org, 80, true",
        "'a.org b.org', b.org, 80, true",
        "192.0.2.1, 192.0.2.1, 80, true",
        "192.0.2.1, 192.0.2.10, 80, false",
        "192.0.2.0/24, 192.0.2.10, 80, true",
        "192.0.2.0/24, 192.0.3.10, 80, false",
        "192.0.2.0/99, 192.0.2.10, 80, false",
        "192.0.2.0/x, 192.0.2.10, 80, false",
        "0.0.0.0/0, 192.0.2.10, 80, true",
        "2.1, 192.0.2.1, 80, false",
        "::1, [::1], 80, true",
        "[::1]:80, ::1, 80, true",
        "[::1]:81, ::1, 80, false",
        "2001:db8::/32, 2001:db8::7, 80, true",
        "'', any.org, 80, false",
    })
    void hostsOfNoProxyAreConnectedToDirectly(String hosts, String host, int port, boolean direct) {
        Map<String, String> variables = Map.of("all_proxy", "p:1", "no_proxy", hosts);
        assertThat(proxy(variables, "http", host, port) == null).isEqualTo(direct);
    }
}
