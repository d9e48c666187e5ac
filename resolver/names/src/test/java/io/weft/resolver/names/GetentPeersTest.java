package io.weft.resolver.names;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.loop.EventExecutor;
import io.weft.loop.SingleThreadExecutor;
import java.io.File;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The system's `getent ahosts` finds what the default resolver finds.
@Tag("peers")
class GetentPeersTest {
    private static final long PATIENCE_SECONDS = 30;
    private static final int NOT_FOUND = 2;

    private final EventExecutor loop = SingleThreadExecutor.builder("names").build();
    private final NameLookup lookup =
            new NameLookup(new StandardNames().create(), AddressFamilies.IPV6_PREFERRED);

    @BeforeEach
    void peersAreOn() {
        Assumptions.assumeTrue(
                Boolean.getBoolean("peers"), "peers are off (-Dpeers=true switches them on)");
        boolean there =
                Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(d -> Files.isExecutable(Path.of(d, "getent")));
        Assumptions.assumeTrue(there, "getent is not on the PATH (it comes with libc-bin)");
    }

    @AfterEach
    void end() throws InterruptedException {
        assertThat(loop.shutdownGracefully().await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    private static Set<InetAddress> getent(String name) throws IOException, InterruptedException {
        return run("getent", "ahosts", name);
    }

    private static Set<InetAddress> run(String... command)
            throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        try {
            assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
            Assumptions.assumeTrue(
                    command[0].equals("getent")
                            || (process.exitValue() < 77 && process.exitValue() != 1),
                    "no name space of mounts here");
            assertThat(process.exitValue()).isIn(0, NOT_FOUND);
            Set<InetAddress> addresses = new LinkedHashSet<>();
            new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
                    .lines()
                    .map(line -> line.split("\\s+", -1)[0])
                    .forEach(address -> addresses.add(InetAddress.ofLiteral(address)));
            return addresses;
        } finally {
            process.destroyForcibly();
        }
    }

    /// A system without a network of IPv6 leaves these addresses out.
    private static void assertAgree(String name, Set<InetAddress> own, Set<InetAddress> system) {
        assertThat(own).as(name).containsAll(system);
        assertThat(system)
                .as(name)
                .containsAll(own.stream().filter(a -> a instanceof Inet4Address).toList());
    }

    private Set<InetAddress> own(String name) throws InterruptedException {
        var all = lookup.resolveAll(name, loop);
        assertThat(all.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        List<InetAddress> found = all.now();
        return found == null ? Set.of() : new LinkedHashSet<>(found);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1", "192.0.2.1", "255.255.255.255", "::1", "2001:db8::1",
                "2001:DB8:0:0:0:0:0:1", "::ffff:192.0.2.1", "256.0.0.1", "1.2.3.4.5", "12345::",
                "a..b"
            })
    void literalsAgree(String literal) throws Exception {
        assertThat(own(literal)).isEqualTo(getent(literal));
    }

    /// The system may know the loopback by one family only; RFC 6761 has both.
    @ParameterizedTest
    @ValueSource(strings = {"localhost", "LOCALHOST"})
    void localhostHasTheAddressesOfTheSystem(String name) throws Exception {
        assertThat(own(name)).containsAll(getent(name));
    }

    @Test
    void entriesOfTheHostsFileAgree() throws Exception {
        HostsFile file = HostsFile.read(HostsFile.systemPath());
        List<String> names =
                file.names().stream()
                        .filter(name -> !name.endsWith("localhost"))
                        .limit(50)
                        .toList();
        Assumptions.assumeFalse(names.isEmpty(), "no names in " + HostsFile.systemPath());
        for (String name : names) {
            assertAgree(name, own(name), getent(name));
        }
    }

    /// Both read the same file: the system as `/etc/hosts`, in a name space of mounts.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "alpha.example",
                "alpha",
                "ALPHA.example",
                "beta",
                "gamma.example",
                "short",
                "octal",
                "comment",
                "tail",
                "twice",
                "none",
                "bare",
                "tabs"
            })
    void systemReadsAHostsFileAsWeDo(String name, @TempDir Path dir) throws Exception {
        Path hosts =
                Files.writeString(
                        dir.resolve("hosts"),
                        """
                        # comment
                        192.0.2.9 alpha.example alpha
                        2001:db8::9 alpha.example
                        192.0.2.10 beta # comment
                        10.0.0.1 GAMMA.Example
                        127.1 short
                        0177.0.0.1 octal
                          192.0.2.11\t \ttabs\t
                        192.0.2.12#none
                        192.0.2.13
                        bare
                        192.0.2.14 twice twice
                        192.0.2.14 twice
                        192.0.2.15 tail""");
        String mount = "mount --bind \"$1\" /etc/hosts || exit 77; exec getent ahosts \"$2\"";
        assertAgree(
                name,
                new LinkedHashSet<>(HostsFile.read(hosts).addresses(name)),
                run("unshare", "-rm", "sh", "-c", mount, "sh", hosts.toString(), name));
    }

    /// Names that lenient systems take are refused all the same.
    @ParameterizedTest
    @ValueSource(strings = {"127.1", "2130706433", "0x7f000001", "0177.0.0.1"})
    void shortFormsThatTheSystemTakesAreRefused(String text) throws Exception {
        assertThat(own(text)).isEmpty();
        NameResolver system = NameResolver.system();
        var search = system.resolve(text, 0, loop, _ -> {});
        assertThat(search.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(search.isSuccess()).isFalse();
        assertThat(getent(text)).isNotNull();
    }
}
