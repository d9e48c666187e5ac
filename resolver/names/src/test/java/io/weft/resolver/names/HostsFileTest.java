package io.weft.resolver.names;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostsFileTest {
    private static List<String> addresses(HostsFile file, String name) {
        return file.addresses(name).stream().map(InetAddress::getHostAddress).toList();
    }

    @Test
    void namesAndAliasesHaveTheAddressesOfAllTheirLines() {
        HostsFile file =
                HostsFile.parse(
                        """
                        # a comment
                        127.0.0.1   localhost
                        192.0.2.1\tserver.example server\t\twww # behind
                          2001:db8::1 server.example

                        192.0.2.2 Server.Example.
                        192.0.2.1 server
                        """);
        assertThat(addresses(file, "server.example"))
                .containsExactly("192.0.2.1", "2001:db8:0:0:0:0:0:1", "192.0.2.2");
        assertThat(addresses(file, "server")).containsExactly("192.0.2.1");
        assertThat(addresses(file, "www")).containsExactly("192.0.2.1");
        assertThat(file.names())
                .containsExactlyInAnyOrder("localhost", "server.example", "server", "www");
    }

    @Test
    void caseAndTheDotOfTheRootDoNotMatter() {
        HostsFile file = HostsFile.parse("192.0.2.1 WWW.Example");
        assertThat(addresses(file, "www.EXAMPLE.")).containsExactly("192.0.2.1");
    }

    @Test
    void unknownAndImpossibleNamesHaveNone() {
        HostsFile file = HostsFile.parse("192.0.2.1 www");
        assertThat(file.addresses("other")).isEmpty();
        assertThat(file.addresses("")).isEmpty();
        assertThat(file.addresses("a..b")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.1 name",
                "0177.0.0.1 name",
                "192.0.2.256 name",
                "name 192.0.2.1",
                "name",
                "192.0.2.1",
                "#192.0.2.1 name",
                "192.0.2.1 #name",
                "192.0.2.1#name",
                "2001:db8::1::2 name",
                "fe80::1%no-such-interface name",
                "[::1] name",
                "192.0.2.1,name",
                "\u0000 name",
                "192.0.2.1 na\u0001me"
            })
    void linesOfAnotherFormArePassedOver(String line) {
        HostsFile file = HostsFile.parse(line + "\n192.0.2.9 other\n");
        assertThat(file.names()).containsExactly("other");
    }

    @Test
    void scopesNameInterfaces() throws IOException {
        NetworkInterface any =
                NetworkInterface.networkInterfaces()
                        .filter(i -> i.getIndex() > 0)
                        .findFirst()
                        .orElse(null);
        Assumptions.assumeTrue(any != null, "no interface here");
        HostsFile file = HostsFile.parse("fe80::1%" + any.getName() + " router");
        Assumptions.assumeFalse(file.names().isEmpty(), "no IPv6 on that interface");
        assertThat(addresses(file, "router"))
                .containsExactly("fe80:0:0:0:0:0:0:1%" + any.getName());
    }

    @Test
    void sameAddressOfTwoLinksIsTwoAddresses() {
        HostsFile hosts = HostsFile.parse("fe80::1%7 router\nfe80::1%8 router\nfe80::1%7 router\n");
        assertThat(hosts.addresses("router"))
                .extracting(address -> ((Inet6Address) address).getScopeId())
                .containsExactly(7, 8);
    }

    @Test
    void namesInOtherScriptsAreIdns() {
        HostsFile file = HostsFile.parse("192.0.2.1 b\u00fccher.example");
        assertThat(file.names()).containsExactly("xn--bcher-kva.example");
        assertThat(addresses(file, "B\u00dcCHER.example")).containsExactly("192.0.2.1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r\n", "\r"})
    void linesEndInAnyWay(String end) {
        HostsFile file = HostsFile.parse("\uFEFF192.0.2.1 a" + end + "192.0.2.2 b" + end);
        assertThat(file.names()).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void fileThatDoesNotExistIsEmpty(@TempDir Path dir) throws IOException {
        assertThat(HostsFile.read(dir.resolve("hosts")).names()).isEmpty();
    }

    @Test
    void bytesThatAreNoTextSpoilTheirLineOnly(@TempDir Path dir) throws IOException {
        Path path = dir.resolve("hosts");
        Files.write(
                path,
                "192.0.2.1 a\n\u00ff\u00fe b\n192.0.2.2 c\n".getBytes(StandardCharsets.ISO_8859_1));
        assertThat(HostsFile.read(path).names()).containsExactlyInAnyOrder("a", "c");
    }

    @Test
    void longFileIsCutOffAtALine(@TempDir Path dir) throws IOException {
        Path path = dir.resolve("hosts");
        StringBuilder text = new StringBuilder("192.0.2.1 first\n");
        text.append("#".repeat(HostsFile.MAX_BYTES - text.length() - 8));
        Files.writeString(path, text.append("\n192.0.2.2 last\n"));
        assertThat(HostsFile.read(path).names()).containsExactly("first");
    }

    @Test
    void addressesOfOneNameAreBounded() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 2 * HostsFile.MAX_ADDRESSES; i++) {
            text.append("10.0.").append(i / 250).append('.').append(i % 250).append(" many\n");
        }
        assertThat(HostsFile.parse(text.toString()).addresses("many"))
                .hasSize(HostsFile.MAX_ADDRESSES);
    }

    @Test
    void fileOfThisSystemIsRead() throws IOException {
        Path path = HostsFile.systemPath();
        Assumptions.assumeTrue(Files.isReadable(path), "no " + path);
        assertThat(HostsFile.read(path)).isNotNull();
    }
}
