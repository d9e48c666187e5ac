package io.weft.resolver.dns;

import io.weft.testkit.Ports;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/// A name server of others that runs as a process, with a configuration of its own.
record PeerServer(Process process, int port, int tlsPort) implements AutoCloseable {
    static final String ZONE =
            """
            $TTL 300
            @ SOA ns h 1 3600 600 86400 60
            @ NS ns
            ns A 127.0.0.1
            www A 192.0.2.1
            www A 192.0.2.2
            www AAAA 2001:db8::1
            alias CNAME www
            out CNAME www.other.test.
            dn DNAME other.test.
            @ MX 10 www
            _http._tcp SRV 0 5 8080 www
            @ HTTPS 1 . alpn=h2,h3 ipv4hint=192.0.2.7
            """
                    + big();

    private static String big() {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < 20; i++) {
            all.append("big TXT \"").append(i).append(' ').append("x".repeat(200)).append("\"\n");
        }
        return all.toString();
    }

    /// Skips the test where the program is missing.
    static String program(String name) {
        for (String directory :
                (System.getenv("PATH") + File.pathSeparator + "/usr/sbin")
                        .split(File.pathSeparator, -1)) {
            Path file = Path.of(directory, name);
            if (Files.isExecutable(file)) {
                return file.toString();
            }
        }
        Assumptions.abort(name + " is not on the PATH (dev/install-peers.sh installs it)");
        throw new AssertionError();
    }

    static void zones(Path directory) throws IOException {
        Files.writeString(directory.resolve("example.zone"), ZONE);
        Files.writeString(directory.resolve("other.zone"), ZONE);
    }

    private static PeerServer start(Path directory, int port, int tlsPort, String... command)
            throws IOException {
        List<String> all = new ArrayList<>(Arrays.asList(command));
        all.set(0, program(command[0]));
        Process process =
                new ProcessBuilder(all)
                        .directory(directory.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(directory.resolve("log").toFile())
                        .start();
        return new PeerServer(process, port, tlsPort);
    }

    /// BIND, the authority of example.test and other.test, with TLS at another port.
    static PeerServer bind(Path directory) throws IOException {
        program("named");
        int port = Ports.free();
        int tls = Ports.free();
        zones(directory);
        Files.writeString(
                directory.resolve("named.conf"),
                """
                tls local { cert-file "cert.pem"; key-file "key.pem"; };
                options {
                  directory "%s"; pid-file none; session-keyfile none;
                  listen-on port %d { 127.0.0.1; };
                  listen-on port %d tls local { 127.0.0.1; };
                  listen-on-v6 { none; };
                  recursion no; dnssec-validation no; allow-transfer { any; };
                };
                controls {};
                zone "example.test" { type primary; file "example.zone"; };
                zone "other.test" { type primary; file "other.zone"; };
                """
                        .formatted(directory, port, tls));
        return start(directory, port, tls, "named", "-c", "named.conf", "-g", "-n", "1");
    }

    static PeerServer knot(Path directory) throws IOException {
        program("knotd");
        int port = Ports.free();
        zones(directory);
        Files.writeString(
                directory.resolve("knot.conf"),
                """
                server:
                  listen: 127.0.0.1@%d
                  rundir: "%s"
                  udp-workers: 1
                  tcp-workers: 1
                  background-workers: 1
                database:
                  storage: "%s"
                log:
                  - target: stdout
                    any: info
                template:
                  - id: default
                    storage: "%s"
                zone:
                  - domain: example.test
                    file: example.zone
                  - domain: other.test
                    file: other.zone
                """
                        .formatted(port, directory, directory, directory));
        return start(directory, port, 0, "knotd", "-c", "knot.conf");
    }

    /// Unbound, with data of its own and TLS, or with the zones of another server.
    static PeerServer unbound(Path directory, int stub) throws IOException {
        program("unbound");
        int port = Ports.free();
        int tls = Ports.free();
        Files.writeString(
                directory.resolve("unbound.conf"),
                """
                server:
                  interface: 127.0.0.1@%d
                  interface: 127.0.0.1@%d
                  tls-port: %d
                  tls-service-key: "key.pem"
                  tls-service-pem: "cert.pem"
                  directory: "%s"
                  chroot: ""
                  username: ""
                  pidfile: ""
                  use-syslog: no
                  do-daemonize: no
                  num-threads: 1
                  do-not-query-localhost: no
                  module-config: "iterator"
                  local-zone: "test." nodefault
                remote-control:
                  control-enable: no
                stub-zone:
                  name: "test."
                  stub-addr: 127.0.0.1@%d
                """
                        .formatted(port, tls, tls, directory, stub));
        return start(directory, port, tls, "unbound", "-d", "-c", "unbound.conf");
    }

    static PeerServer dnsmasq(Path directory, int upstream) throws IOException {
        program("dnsmasq");
        int port = Ports.free();
        return start(
                directory,
                port,
                0,
                "dnsmasq",
                "--keep-in-foreground",
                "--conf-file=/dev/null",
                "--no-resolv",
                "--no-hosts",
                "--listen-address=127.0.0.1",
                "--bind-interfaces",
                "--user=" + System.getProperty("user.name"),
                "--pid-file=",
                "--port=" + port,
                "--server=127.0.0.1#" + upstream);
    }

    InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    InetSocketAddress tls() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), tlsPort);
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
