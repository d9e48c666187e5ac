package io.weft.conformance.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.conformance.rig.Programs;
import io.weft.conformance.rig.Rig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// Servers that answer each request with `[METHOD path]`, and that close a connection on which a
/// request is not whole after a second.
final class HttpOrigins {
    private static final String GO =
            """
            package main
            import ("fmt"; "io"; "log"; "net"; "net/http"; "time")
            func main() {
              log.SetOutput(io.Discard)
              h := func(w http.ResponseWriter, r *http.Request) { io.ReadAll(r.Body); fmt.Fprintf(w, "[%s %s]", r.Method, r.URL.Path) }
              s := &http.Server{Handler: http.HandlerFunc(h), ReadTimeout: time.Second, IdleTimeout: time.Second}
              l, _ := net.Listen("tcp", "127.0.0.1:0")
              fmt.Println(l.Addr().(*net.TCPAddr).Port)
              s.Serve(l)
            }
            """;
    private static final String NODE =
            """
            const http = require('http');
            const s = http.createServer({requestTimeout: 1000, headersTimeout: 1000, connectionsCheckingInterval: 200}, (q, r) => {
              q.on('data', () => {}); q.on('end', () => r.end('[' + q.method + ' ' + q.url + ']')); });
            s.keepAliveTimeout = 500;
            s.listen(0, '127.0.0.1', () => console.log(s.address().port));
            """;
    private static final String AIOHTTP =
            """
            import asyncio
            from aiohttp import web
            async def answer(request):
                await request.read()
                return web.Response(text='[%s %s]' % (request.method, request.rel_url.path))
            async def main():
                runner = web.ServerRunner(web.Server(answer, keepalive_timeout=1))
                await runner.setup()
                site = web.TCPSite(runner, '127.0.0.1', 0)
                await site.start()
                print(site._server.sockets[0].getsockname()[1], flush=True)
                await asyncio.sleep(300)
            import logging
            logging.disable(logging.CRITICAL)
            asyncio.run(main())
            """;

    private final Programs programs;
    private final int seconds;

    HttpOrigins(Programs programs) {
        this(programs, 1);
    }

    /// @param seconds that nginx and HAProxy wait for more of a request; a client that is alive
    ///     needs none, but may get no processor for so long
    HttpOrigins(Programs programs, int seconds) {
        this.programs = programs;
        this.seconds = seconds;
    }

    private static SocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    SocketAddress go() throws Exception {
        programs.write("main.go", GO);
        return loopback(programs.serve("go", "run", "main.go"));
    }

    SocketAddress node() throws Exception {
        programs.write("server.js", NODE);
        return loopback(programs.serve("node", "server.js"));
    }

    SocketAddress aiohttp() throws Exception {
        programs.write("server.py", AIOHTTP);
        return loopback(programs.serve("python3", "server.py"));
    }

    SocketAddress nginx() throws Exception {
        return nginx("", "location / { return 200 \"[$request_method $uri]\"; }");
    }

    /// Starts nginx with `http` in its block of that name, and `server` in that of the server.
    SocketAddress nginx(String http, String server) throws Exception {
        Path socket = programs.directory().resolve("nginx.sock");
        Path configuration =
                programs.write(
                        "nginx.conf",
                        """
                        daemon off; master_process off; pid %1$s/nginx.pid; error_log %1$s/error.log;
                        events {}
                        http {
                          access_log off;
                          client_body_temp_path %1$s/a; proxy_temp_path %1$s/b; fastcgi_temp_path %1$s/c;
                          uwsgi_temp_path %1$s/d; scgi_temp_path %1$s/e;
                          client_header_timeout %5$ds; client_body_timeout %5$ds; keepalive_timeout %5$ds;
                          client_max_body_size 64m;
                          map $http_upgrade $connection_upgrade { default upgrade; '' ''; }
                          %3$s
                          server { listen unix:%2$s; server_name a; %4$s }
                        }
                        """
                                .formatted(programs.directory(), socket, http, server, seconds));
        String log = programs.directory() + "/error.log";
        Process nginx = programs.start("nginx", "-e", log, "-c", configuration.toString());
        return await(nginx, socket);
    }

    SocketAddress haproxy() throws Exception {
        return haproxy(
                "http-request return status 200 content-type text/plain lf-string [%HM\\ %HP]");
    }

    /// Starts HAProxy with `proxy` in its only proxy.
    SocketAddress haproxy(String proxy) throws Exception {
        Path socket = programs.directory().resolve("haproxy.sock");
        Path configuration =
                programs.write(
                        "haproxy.cfg",
                        """
                        global
                          maxconn 100
                        defaults
                          mode http
                          timeout connect 60s
                          timeout client %3$ds
                          timeout http-request %3$ds
                          timeout http-keep-alive %3$ds
                          timeout server 60s
                          timeout tunnel 60s
                        listen front
                          bind unix@%1$s
                          %2$s
                        """
                                .formatted(socket, proxy, seconds));
        Process haproxy = programs.start("haproxy", "-db", "-f", configuration.toString());
        return await(haproxy, socket);
    }

    /// Connects until somebody listens: a file alone says that he has bound.
    private static SocketAddress await(Process server, Path socket) throws Exception {
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(socket);
        Rig.awaitTrue(
                "a server at " + socket,
                () -> {
                    try (SocketChannel _ = SocketChannel.open(address)) {
                        return true;
                    } catch (IOException e) {
                        assertThat(server.isAlive()).as(() -> said(server, socket)).isTrue();
                        return false;
                    }
                });
        return address;
    }

    /// Output of a server that has ended, and all that it left behind.
    private static String said(Process server, Path socket) {
        try (Stream<Path> files = Files.list(socket.getParent())) {
            byte[] output = server.getInputStream().readAllBytes();
            return new String(output, StandardCharsets.UTF_8) + " in " + files.toList();
        } catch (IOException e) {
            return e.toString();
        }
    }
}
