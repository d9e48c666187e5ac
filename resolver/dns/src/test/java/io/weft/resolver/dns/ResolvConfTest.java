package io.weft.resolver.dns;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.codec.dns.DnsName;
import io.weft.testkit.LogCapture;
import io.weft.testkit.Warns;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResolvConfTest {
    private static List<String> servers(ResolverConfig config) {
        return config.servers().stream().map(Object::toString).toList();
    }

    @Test
    void readsServersSearchAndOptions() {
        ResolverConfig config =
                ResolvConf.parse(
                        """
                        # made by a program
                        nameserver 192.0.2.1
                        nameserver\t2001:db8::1
                        search example.com corp.example.com.
                        options ndots:2 timeout:3 attempts:4 rotate single-request trust-ad use-vc
                        """);
        assertThat(servers(config)).containsExactly("192.0.2.1#53", "2001:db8:0:0:0:0:0:1#53");
        assertThat(config.search())
                .containsExactly(DnsName.parse("example.com."), DnsName.parse("corp.example.com."));
        assertThat(config)
                .returns(2, ResolverConfig::ndots)
                .returns(Duration.ofSeconds(3), ResolverConfig::timeout)
                .returns(4, ResolverConfig::attempts)
                .returns(true, ResolverConfig::rotate)
                .returns(true, ResolverConfig::singleRequest)
                .returns(true, ResolverConfig::trustAd)
                .returns(true, ResolverConfig::useTcp);
    }

    @Test
    void emptyFileMeansThisHost() {
        ResolverConfig config = ResolvConf.parse("");
        assertThat(servers(config)).containsExactly("127.0.0.1#53");
        assertThat(config.ndots()).isEqualTo(1);
        assertThat(config.attempts()).isEqualTo(2);
        assertThat(config.timeout()).isEqualTo(Duration.ofSeconds(5));
    }

    /// As in libc: one cannot receive from such an address what is sent to it.
    @Test
    void unspecifiedAddressMeansThisHost() {
        assertThat(servers(ResolvConf.parse("nameserver 0.0.0.0\nnameserver ::\n")))
                .containsExactly("127.0.0.1#53", "0:0:0:0:0:0:0:1#53");
        assertThat(DnsServer.of("0.0.0.0:5353")).isEqualTo(DnsServer.of("127.0.0.1:5353"));
    }

    @Test
    void lastOfDomainAndSearchCounts() {
        assertThat(ResolvConf.parse("search a.example b.example\ndomain c.example\n").search())
                .containsExactly(DnsName.parse("c.example."));
        assertThat(ResolvConf.parse("domain c.example\nsearch a.example b.example\n").search())
                .containsExactly(DnsName.parse("a.example."), DnsName.parse("b.example."));
        assertThat(ResolvConf.parse("search a.example\nsearch .\n").search()).isEmpty();
    }

    @Test
    void severalLinesOfOptionsAddUp() {
        ResolverConfig config = ResolvConf.parse("options rotate\r\noptions ndots:3\r\n");
        assertThat(config.rotate()).isTrue();
        assertThat(config.ndots()).isEqualTo(3);
    }

    @Test
    void numbersAreBroughtIntoTheirRange() {
        ResolverConfig config =
                ResolvConf.parse("options ndots:99999999999 timeout:0 attempts:77\n");
        assertThat(config.ndots()).isEqualTo(15);
        assertThat(config.timeout()).isEqualTo(Duration.ofSeconds(1));
        assertThat(config.attempts()).isEqualTo(5);
    }

    /// resolv.conf(5): variables count more than the file, and it more than the host's name.
    @ParameterizedTest
    @CsvSource({
        "'',                ,         ,        vm,              '',               1",
        "'',                ,         ,        vm.corp.example, corp.example.,    1",
        "search .,          ,         ,        vm.corp.example, '',               1",
        "search,            ,         ,        vm.corp.example, corp.example.,    1",
        "domain a.example,  ,         ,        vm.corp.example, a.example.,       1",
        "search a.example,  b. c.d,   ,        vm.corp.example, b. c.d.,          1",
        "search a.example,  '',       ,        vm.corp.example, '',               1",
        "'',                b.,       ,        vm.corp.example, b.,               1",
        "options ndots:2,   ,         ndots:3, vm,              '',               3",
        "options ndots:2,   ,         x:y,     vm,              '',               2",
        "'',                ,         ,        .example,        example.,         1",
        "'',                ,         ,        vm.,             '',               1",
    })
    void systemGoesByVariablesAndTheNameOfTheHost(
            String text, String domains, String options, String host, String search, int ndots) {
        Map<String, String> environment = new HashMap<>();
        environment.put("LOCALDOMAIN", domains);
        environment.put("RES_OPTIONS", options);
        ResolverConfig config = ResolvConf.system(text, environment::get, host);
        assertThat(String.join(" ", config.search().stream().map(DnsName::toString).toList()))
                .isEqualTo(search);
        assertThat(config.ndots()).isEqualTo(ndots);
    }

    @ParameterizedTest
    @ValueSource(strings = {"search", "search # none", "search a..b", "domain"})
    void lineWithoutADomainLeavesThoseBeforeIt(String line) {
        assertThat(ResolvConf.parse("search a.example\n" + line + "\n").search())
                .containsExactly(DnsName.parse("a.example."));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nameserver",
                "nameserver ns.example.com",
                "nameserver 192.0.2",
                "nameserver 192.0.2.1.5",
                "Nameserver 192.0.2.1",
                "options",
                "options ndots: ndots:x ndots:-1 unknown:5",
                "search",
                "search a..b",
                "domain",
                "sortlist 130.155.160.0/255.255.240.0",
                ";nameserver 192.0.2.1",
                "#nameserver 192.0.2.1",
                "\u0000\u00ff",
            })
    void linesThatAreNotUnderstoodAreIgnored(String line) {
        ResolverConfig expected = ResolvConf.parse("nameserver 192.0.2.9\n");
        assertThat(ResolvConf.parse(line + "\nnameserver 192.0.2.9\n")).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "[192.0.2.1]:5353,  192.0.2.1:5353",
        "[2001:db8::1]:53,  [2001:db8::1]:53",
        "[2001:db8::1]:5353, [2001:db8::1]:5353",
    })
    void serverMayHaveAPortOfItsOwn(String server, String address) {
        assertThat(ResolvConf.parse("port 5300\nnameserver " + server + "\n").servers())
                .containsExactly(DnsServer.of(address));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[::1]",
                "[::1]:",
                "[::1]:0",
                "[::1]:65536",
                "[::1]:x",
                "[x]:53",
                "[]:53",
                "]:53"
            })
    void portThatIsNoneMakesNoServer(String server) {
        assertThat(ResolvConf.parse("nameserver " + server + "\n").servers())
                .containsExactly(DnsServer.of("127.0.0.1"));
    }

    @Test
    void longFileIsCutOffAtALine() {
        String line = "nameserver 192.0.2.123\n";
        String comment = "#" + "x".repeat(ResolvConf.MAX_FILE - line.length()) + "\n";
        ResolverConfig config = ResolvConf.parse("nameserver 192.0.2.9\n" + comment + line);
        assertThat(config.servers()).containsExactly(DnsServer.of("192.0.2.9"));
        String exact = "nameserver 192.0.2.9\n";
        String filled = exact + "#".repeat(ResolvConf.MAX_FILE - exact.length() - 20) + "\n";
        assertThat(ResolvConf.parse(filled + line).servers())
                .containsExactly(DnsServer.of("192.0.2.9"));
    }

    @Test
    void serversAndDomainsAreBounded() {
        StringBuilder text = new StringBuilder("search");
        for (int i = 0; i < 100; i++) {
            text.append(" d").append(i).append(".example");
        }
        for (int i = 1; i < 100; i++) {
            text.append("\nnameserver 192.0.2.").append(i);
        }
        ResolverConfig config = ResolvConf.parse(text.toString());
        assertThat(config.servers()).hasSize(ResolvConf.MAX_SERVERS);
        assertThat(config.search()).hasSize(ResolvConf.MAX_SEARCH);
    }

    @Test
    @Warns // of bad..name
    void filesOfADirectoryHaveServersOfTheirDomains(@TempDir Path directory) throws IOException {
        Files.writeString(directory.resolve("corp.example"), "nameserver 192.0.2.1\nport 5353\n");
        Files.writeString(
                directory.resolve("other"), "domain sub.example\nnameserver 2001:db8::1\n");
        Files.writeString(directory.resolve("empty.example"), "# none\n");
        Files.writeString(directory.resolve("bad..name"), "nameserver 192.0.2.1\n");
        List<ResolverConfig.DomainServers> domains = ResolvConf.readDomains(directory);
        assertThat(domains)
                .extracting(ResolverConfig.DomainServers::domain)
                .containsExactlyInAnyOrder(
                        DnsName.parse("corp.example."), DnsName.parse("sub.example."));
        assertThat(domains)
                .flatExtracting(ResolverConfig.DomainServers::servers)
                .contains(DnsServer.of(new InetSocketAddress("192.0.2.1", 5353)));
        assertThat(ResolvConf.readDomains(directory.resolve("missing"))).isEmpty();
        assertThat(ResolvConf.read(directory.resolve("missing"))).isEqualTo(ResolvConf.parse(""));
    }

    @Test
    @Warns
    void fileThatCannotBeReadIsSkippedAlone(@TempDir Path directory) throws IOException {
        Path zip = directory.resolve("resolver.zip");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) {
            for (String name : List.of("a.example", "b.example", "c.example")) {
                out.putNextEntry(new ZipEntry(name));
                out.write(("# " + name + "\nnameserver 192.0.2.1\n").getBytes(US_ASCII));
                out.closeEntry();
            }
        }
        // The data of the second file become such as cannot be inflated.
        byte[] bytes = Files.readAllBytes(zip);
        int data = new String(bytes, ISO_8859_1).indexOf("b.example") + "b.example".length();
        Arrays.fill(bytes, data, data + 8, (byte) 0xFF);
        Files.write(zip, bytes);
        try (FileSystem files = FileSystems.newFileSystem(zip);
                LogCapture log = new LogCapture("io.weft.resolver.dns")) {
            assertThat(ResolvConf.readDomains(files.getPath("/")))
                    .extracting(ResolverConfig.DomainServers::domain)
                    .containsExactlyInAnyOrder(
                            DnsName.parse("a.example."), DnsName.parse("c.example."));
            assertThat(log.warnings())
                    .singleElement(InstanceOfAssertFactories.STRING)
                    .contains("/b.example: skipped: ")
                    .contains("ZipException");
        }
    }
}
