package io.weft.examples.dns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.codec.dns.DnsName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ZoneServerTest {
    private static final String ZONE =
            """
            $TTL 1h
            @  IN SOA ns hostmaster 1 2h 10m 1w 5m
               NS ns
            $INCLUDE\s""";

    @TempDir private Path directory;

    @BeforeEach
    void write() throws IOException {
        Files.createDirectories(directory.resolve("zones/hosts"));
        Files.writeString(directory.resolve("zones/hosts/a"), "ns A 192.0.2.1\n");
        Files.writeString(directory.resolve("secret"), "ns A 192.0.2.2\n");
        Files.createSymbolicLink(directory.resolve("zones/out"), directory.resolve("secret"));
        Files.createSymbolicLink(directory.resolve("zones/in"), directory.resolve("zones/hosts/a"));
    }

    private DnsZone zone(String included) throws IOException {
        Path file = directory.resolve("zones/example.com");
        Files.writeString(file, ZONE + included + "\n");
        return ZoneServer.zone(file.toString(), DnsName.parse("example.com."));
    }

    @Test
    void filesWithinTheDirectoryOfTheZoneAreIncluded() throws IOException {
        for (String name : List.of("hosts/a", "hosts/../hosts/a", "in")) {
            assertThat(zone(name)).as(name).isNotNull();
        }
    }

    @Test
    void filesOutsideOfTheDirectoryOfTheZoneAreRefused() {
        Path secret = directory.resolve("secret");
        for (String name : List.of("../secret", "hosts/../../secret", "out", secret.toString())) {
            assertThatThrownBy(() -> zone(name))
                    .as(name)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("line 4: ")
                    .hasMessageContaining("outside of the zone's directory");
        }
    }
}
