package io.weft.examples.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.examples.Example;
import io.weft.examples.HelloHttp;
import io.weft.examples.Options;
import java.io.File;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// curl and Python's clients through http-proxy.
@Tag("peers")
@Timeout(300)
class ForwardProxyPeersTest {
    private static final String TRANSPORT = "nio";

    @BeforeEach
    void peersAreOn() {
        Assumptions.assumeTrue(
                Boolean.getBoolean("peers"), "peers are off (-Dpeers=true switches them on)");
    }

    private static Example.Running proxy(boolean tls, String... args) {
        Options options = new Options(InetAddress.getLoopbackAddress(), 0, TRANSPORT, 2, tls);
        return ForwardProxy.start(options, ForwardProxy.extras(args));
    }

    private static Example.Running hello(boolean tls) {
        return HelloHttp.start(new Options(InetAddress.getLoopbackAddress(), 0, TRANSPORT, 1, tls));
    }

    private static String at(Example.Running server) {
        InetSocketAddress address = server.address();
        return "127.0.0.1:" + address.getPort();
    }

    private static String run(String... command) throws Exception {
        boolean there =
                Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(directory -> Files.isExecutable(Path.of(directory, command[0])));
        Assumptions.assumeTrue(
                there, command[0] + " is not on the PATH (dev/install-peers.sh installs it)");
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment()
                .keySet()
                .removeIf(name -> name.toLowerCase(Locale.ROOT).endsWith("_proxy"));
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(100, TimeUnit.SECONDS)).isTrue();
        return output;
    }

    private static String curl(String... arguments) throws Exception {
        List<String> command =
                new ArrayList<>(List.of("curl", "-q", "-sS", "--max-time", "60", "-k"));
        command.add("--proxy-insecure");
        command.addAll(List.of(arguments));
        return run(command.toArray(String[]::new));
    }

    /// In absolute form, through a tunnel, and to an origin with TLS; the proxy with TLS or not.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void curlGoesThroughTheProxy(boolean tls) throws Exception {
        try (Example.Running plain = hello(false);
                Example.Running secure = hello(true);
                Example.Running proxy = proxy(tls, "--connect-port", "any")) {
            String through = (tls ? "https://" : "http://") + at(proxy);
            assertThat(curl("-x", through, "http://" + at(plain) + "/")).isEqualTo("Hello, World!");
            assertThat(curl("-x", through, "-p", "http://" + at(plain) + "/"))
                    .isEqualTo("Hello, World!");
            assertThat(curl("-x", through, "https://" + at(secure) + "/"))
                    .isEqualTo("Hello, World!");
            // Twice over one connection to the proxy.
            assertThat(
                            curl(
                                    "-x",
                                    through,
                                    "-w",
                                    "%{num_connects} ",
                                    "http://" + at(plain) + "/",
                                    "http://" + at(plain) + "/"))
                    .isEqualTo("Hello, World!1 Hello, World!0 ");
        }
    }

    @Test
    void curlHasALogin() throws Exception {
        try (Example.Running plain = hello(false);
                Example.Running secure = hello(true);
                Example.Running proxy =
                        proxy(false, "--user", "me:secret", "--connect-port", "any")) {
            String[] urls = {"http://" + at(plain) + "/", "https://" + at(secure) + "/"};
            for (String url : urls) {
                assertThat(curl("-x", "http://me:secret@" + at(proxy), url))
                        .isEqualTo("Hello, World!");
                assertThat(
                                curl(
                                        "-x",
                                        "http://" + at(proxy),
                                        "--proxy-anyauth",
                                        "-U",
                                        "me:secret",
                                        url))
                        .isEqualTo("Hello, World!");
                String code = "%{http_code}/%{http_connect}";
                assertThat(
                                curl(
                                        "-o",
                                        "/dev/null",
                                        "-w",
                                        code,
                                        "-x",
                                        "http://me:wrong@" + at(proxy),
                                        url))
                        .contains("407");
            }
        }
    }

    @Test
    void pythonGoesThroughTheProxy() throws Exception {
        try (Example.Running plain = hello(false);
                Example.Running secure = hello(true);
                Example.Running proxy = proxy(false, "--connect-port", "any")) {
            String said =
                    run(
                            "python3",
                            "-c",
                            """
                            import ssl, sys, urllib.request
                            proxy = 'http://' + sys.argv[1]
                            context = ssl._create_unverified_context()
                            opener = urllib.request.build_opener(
                                urllib.request.ProxyHandler({'http': proxy, 'https': proxy}),
                                urllib.request.HTTPSHandler(context=context))
                            for url in sys.argv[2:]:
                                print(opener.open(url, timeout=60).read().decode())
                            """,
                            at(proxy),
                            "http://" + at(plain) + "/",
                            "https://" + at(secure) + "/");
            assertThat(said.lines()).containsExactly("Hello, World!", "Hello, World!");
        }
    }
}
