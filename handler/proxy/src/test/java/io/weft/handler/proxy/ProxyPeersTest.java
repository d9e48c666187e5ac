package io.weft.handler.proxy;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.channel.Bootstrap;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.eventloop.EventLoopGroup;
import io.weft.testkit.Ports;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.x509.CertificateBuilder;
import io.weft.tls.x509.Pem;
import io.weft.tls.x509.TlsIdentity;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Connections through real proxies: microsocks, dante, tinyproxy and squid.
@Tag("peers")
@Timeout(300)
class ProxyPeersTest {
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    @TempDir Path directory;

    private final List<Process> processes = new ArrayList<>();
    private final EventLoopGroup group = EventLoopGroup.create("nio", 1);
    private final ServerSocket echo;

    ProxyPeersTest() throws IOException {
        echo = new ServerSocket(0, 50, LOOPBACK);
    }

    @BeforeEach
    void peersAreOn() {
        Assumptions.assumeTrue(
                Boolean.getBoolean("peers"), "peers are off (-Dpeers=true switches them on)");
        var _ =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    while (!echo.isClosed()) {
                                        try {
                                            Socket one = echo.accept();
                                            var _ = Thread.startVirtualThread(() -> serve(one));
                                        } catch (IOException e) {
                                            return;
                                        }
                                    }
                                });
    }

    private static void serve(Socket socket) {
        try (socket) {
            socket.getInputStream().transferTo(socket.getOutputStream());
        } catch (IOException e) {
            // The client has gone.
        }
    }

    @AfterEach
    void end() throws Exception {
        for (Process process : processes) {
            process.destroy();
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                var _ = process.destroyForcibly();
            }
        }
        echo.close();
        group.close();
    }

    private static String program(String name) {
        String path = System.getenv("PATH") + File.pathSeparator + "/usr/sbin";
        return Arrays.stream(path.split(File.pathSeparator, -1))
                .map(d -> Path.of(d, name))
                .filter(Files::isExecutable)
                .findFirst()
                .map(Path::toString)
                .orElseGet(
                        () ->
                                Assumptions.abort(
                                        name
                                                + " is not there (dev/install-peers.sh installs"
                                                + " it)"));
    }

    private void run(int port, String... command) throws Exception {
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(directory.resolve("log").toFile())
                        .start();
        processes.add(process);
        for (int i = 0; i < 600; i++) {
            try (Socket _ = new Socket(LOOPBACK, port)) {
                return;
            } catch (IOException e) {
                if (process.waitFor(100, TimeUnit.MILLISECONDS)) {
                    break;
                }
            }
        }
        Assumptions.abort(
                command[0] + " does not serve: " + Files.readString(directory.resolve("log")));
    }

    /// Sends a text to the echo server, by name or address, and reads it back.
    private void talks(String proxy, String host) throws Exception {
        talks(ProxyChain.of(proxy), host);
    }

    private void talks(ProxyChain proxy, String host) throws Exception {
        CompletableFuture<String> answer = new CompletableFuture<>();
        Channel channel =
                connect(
                        proxy,
                        host,
                        new ChannelHandler() {
                            private final StringBuilder text = new StringBuilder();

                            @Override
                            public void channelRead(ChannelHandlerContext ctx, Object message) {
                                try (Buffer bytes = (Buffer) message) {
                                    text.append(bytes.readString(US_ASCII));
                                }
                                if (text.length() == 5) {
                                    answer.complete(text.toString());
                                }
                            }
                        });
        channel.writeAndFlush(channel.allocator().allocate(8).writeAscii("hello"));
        assertThat(answer.get(60, TimeUnit.SECONDS)).as("%s", proxy).isEqualTo("hello");
        assertThat(channel.close().await(60, TimeUnit.SECONDS)).isTrue();
    }

    private Channel connect(ProxyChain chain, String host, ChannelHandler handler) {
        return new Bootstrap(group)
                .tunnel(chain.withTimeout(Duration.ofSeconds(60)))
                .handler(ch -> ch.pipeline().addLast(handler))
                .connect(host, echo.getLocalPort())
                .join();
    }

    private void refuses(String proxy, Class<? extends ProxyException> type) {
        assertThatThrownBy(
                        () -> connect(ProxyChain.of(proxy), "127.0.0.1", new ChannelHandler() {}))
                .as(proxy)
                .hasCauseInstanceOf(type);
    }

    @Test
    void microsocks() throws Exception {
        int port = Ports.free();
        run(port, program("microsocks"), "-i", "127.0.0.1", "-p", "" + port, "-u", "u", "-P", "p");
        talks("socks5h://u:p@127.0.0.1:" + port, "localhost");
        talks("socks5://u:p@127.0.0.1:" + port, "127.0.0.1");
        refuses("socks5h://u:wrong@127.0.0.1:" + port, ProxyException.AuthenticationFailed.class);
        refuses("socks5h://127.0.0.1:" + port, ProxyException.AuthenticationFailed.class);
    }

    @Test
    void dante() throws Exception {
        int port = Ports.free();
        Path config =
                Files.writeString(
                        directory.resolve("danted.conf"),
                        """
                        logoutput: stderr
                        internal: 127.0.0.1 port = %d
                        external: 127.0.0.1
                        socksmethod: none
                        clientmethod: none
                        client pass { from: 127.0.0.1/32 to: 0.0.0.0/0 }
                        socks pass { from: 127.0.0.1/32 to: 0.0.0.0/0 }
                        """
                                .formatted(port));
        run(port, program("danted"), "-f", config.toString(), "-p", directory.resolve("pid") + "");
        talks("socks4://127.0.0.1:" + port, "127.0.0.1");
        talks("socks5://127.0.0.1:" + port, "localhost");
        talks("socks5h://127.0.0.1:" + port, "127.0.0.1");
    }

    @Test
    void tinyproxy() throws Exception {
        int port = Ports.free();
        Path config =
                Files.writeString(
                        directory.resolve("tinyproxy.conf"),
                        """
                        Port %d
                        Listen 127.0.0.1
                        Timeout 60
                        Allow 127.0.0.1
                        BasicAuth u p
                        """
                                .formatted(port));
        run(port, program("tinyproxy"), "-d", "-c", config.toString());
        talks("http://u:p@127.0.0.1:" + port, "localhost");
        refuses("http://127.0.0.1:" + port, ProxyException.AuthenticationFailed.class);
        refuses("http://u:wrong@127.0.0.1:" + port, ProxyException.class);
    }

    @Test
    void squid() throws Exception {
        int port = Ports.free();
        Path config =
                Files.writeString(
                        directory.resolve("squid.conf"),
                        """
                        http_port 127.0.0.1:%d
                        pid_filename none
                        access_log none
                        cache_log /dev/null
                        cache deny all
                        acl good port %d
                        acl CONNECT method CONNECT
                        http_access allow CONNECT good
                        http_access deny all
                        """
                                .formatted(port, echo.getLocalPort()));
        run(port, program("squid"), "-N", "-f", config.toString());
        talks("http://127.0.0.1:" + port, "localhost");
        assertThatThrownBy(
                        () ->
                                new Bootstrap(group)
                                        .tunnel(ProxyChain.of("http://127.0.0.1:" + port))
                                        .handler(_ -> {})
                                        .connect("127.0.0.1", 1)
                                        .join())
                .hasCauseInstanceOf(ProxyException.Refused.class)
                .hasMessageContaining("403");
    }

    /// TLS to the proxy, whose certificate is checked: HAProxy in front of tinyproxy.
    @Test
    void tinyproxyOverTlsOfHaproxy() throws Exception {
        int plain = Ports.free();
        int secure = Ports.free();
        TlsIdentity identity = CertificateBuilder.selfSigned("localhost", "127.0.0.1");
        X509Certificate certificate = identity.certificate();
        Path pem = directory.resolve("proxy.pem");
        Files.writeString(pem, Pem.write(certificate) + Pem.write(identity.key()));
        Path tinyproxy =
                Files.writeString(
                        directory.resolve("tinyproxy.conf"),
                        "Port %d\nListen 127.0.0.1\nAllow 127.0.0.1\nBasicAuth u p\n"
                                .formatted(plain));
        run(plain, program("tinyproxy"), "-d", "-c", tinyproxy.toString());
        Path haproxy =
                Files.writeString(
                        directory.resolve("haproxy.cfg"),
                        """
                        defaults
                          mode tcp
                          timeout connect 10s
                          timeout client 60s
                          timeout server 60s
                        listen proxy
                          bind 127.0.0.1:%d ssl crt %s
                          server plain 127.0.0.1:%d
                        """
                                .formatted(secure, pem, plain));
        run(secure, program("haproxy"), "-db", "-f", haproxy.toString());
        TlsContext trusting = TlsContext.client().trust(certificate).build();
        var proxy = new ProxyServer.Http("localhost", secure).withTls(trusting).withLogin("u", "p");
        talks(ProxyChain.of(proxy), "localhost");
        // The system's authorities do not know this certificate.
        refuses("https://u:p@localhost:" + secure, ProxyException.Unreachable.class);
    }

    /// An OpenSSH client as the proxy, with a server of its own behind it.
    @Test
    void sshWithDynamicForwarding() throws Exception {
        Path key = directory.resolve("key");
        Process made =
                new ProcessBuilder(
                                program("ssh-keygen"),
                                "-q",
                                "-t",
                                "ed25519",
                                "-N",
                                "",
                                "-f",
                                key.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(directory.resolve("keygen").toFile())
                        .start();
        assertThat(made.waitFor(60, TimeUnit.SECONDS)).isTrue();
        int server = Ports.free();
        Path config =
                Files.writeString(
                        directory.resolve("sshd_config"),
                        """
                        Port %1$d
                        ListenAddress 127.0.0.1
                        HostKey %2$s
                        AuthorizedKeysFile %2$s.pub
                        PidFile none
                        StrictModes no
                        UsePAM no
                        PasswordAuthentication no
                        PermitRootLogin yes
                        AllowTcpForwarding yes
                        """
                                .formatted(server, key));
        run(server, program("sshd"), "-D", "-e", "-f", config.toString());
        int port = Ports.free();
        run(
                port,
                program("ssh"),
                "-F",
                "none",
                "-N",
                "-D",
                "127.0.0.1:" + port,
                "-p",
                "" + server,
                "-i",
                key.toString(),
                "-o",
                "StrictHostKeyChecking=no",
                "-o",
                "UserKnownHostsFile=/dev/null",
                "-o",
                "BatchMode=yes",
                "127.0.0.1");
        for (String scheme : List.of("socks4a", "socks5h")) {
            talks(scheme + "://127.0.0.1:" + port, "localhost");
        }
        talks("socks4://127.0.0.1:" + port, "127.0.0.1");
        talks("socks5://127.0.0.1:" + port, "127.0.0.1");
    }

    /// A chain of two, each asked for the next by its name.
    @Test
    void microsocksBehindMicrosocks() throws Exception {
        int first = Ports.free();
        run(first, program("microsocks"), "-i", "127.0.0.1", "-p", "" + first);
        int second = Ports.free();
        run(second, program("microsocks"), "-i", "127.0.0.1", "-p", "" + second);
        Channel channel =
                connect(
                        ProxyChain.of(
                                "socks5h://127.0.0.1:" + first, "socks5h://127.0.0.1:" + second),
                        "localhost",
                        new ChannelHandler() {});
        assertThat(channel.isActive()).isTrue();
        channel.abort();
    }
}
