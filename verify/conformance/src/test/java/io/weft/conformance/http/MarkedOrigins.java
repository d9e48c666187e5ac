package io.weft.conformance.http;

import io.weft.conformance.rig.Programs;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;

/// Servers that write down each request that they see: `METHOD path Via`, a line in `seen.log`.
final class MarkedOrigins {
    private static final String GO =
            """
            package main
            import ("fmt"; "io"; "log"; "net"; "net/http"; "os"; "sync")
            func main() {
              log.SetOutput(io.Discard)
              f, _ := os.OpenFile("seen.log", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0600)
              var m sync.Mutex
              h := func(w http.ResponseWriter, r *http.Request) {
                m.Lock(); fmt.Fprintf(f, "%s %s %s\\n", r.Method, r.RequestURI, r.Header.Get("Via")); m.Unlock()
                io.ReadAll(r.Body); fmt.Fprint(w, "ok") }
              l, _ := net.Listen("tcp", "127.0.0.1:0")
              fmt.Println(l.Addr().(*net.TCPAddr).Port)
              http.Serve(l, http.HandlerFunc(h))
            }
            """;
    private static final String NODE =
            """
            const http = require('http'), fs = require('fs');
            const s = http.createServer((q, r) => {
              fs.appendFileSync('seen.log', q.method + ' ' + q.url + ' ' + (q.headers.via || '') + '\\n');
              q.on('data', () => {}); q.on('end', () => r.end('ok')); });
            s.listen(0, '127.0.0.1', () => console.log(s.address().port));
            """;
    private static final String PYTHON =
            """
            import http.server
            class Handler(http.server.BaseHTTPRequestHandler):
                protocol_version = 'HTTP/1.1'
                def answer(self):
                    with open('seen.log', 'a') as f:
                        f.write('%s %s %s\\n' % (self.command, self.path, self.headers.get('Via', '')))
                    if 'chunked' in self.headers.get('Transfer-Encoding', ''):
                        while (size := int(self.rfile.readline().split(b';')[0], 16)):
                            self.rfile.read(size + 2)
                        while self.rfile.readline().strip(): pass
                    else:
                        self.rfile.read(int(self.headers.get('Content-Length', 0)))
                    self.send_response(200); self.send_header('Content-Length', '2'); self.end_headers()
                    self.wfile.write(b'ok')
                do_GET = do_POST = do_OPTIONS = do_PUT = answer
                def log_message(self, *args): pass
            server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
            print(server.server_address[1], flush=True)
            server.serve_forever()
            """;
    private static final String AIOHTTP =
            """
            import asyncio, logging
            from aiohttp import web
            logging.disable(logging.CRITICAL)
            async def answer(request):
                with open('seen.log', 'a') as f:
                    f.write('%s %s %s\\n' % (request.method, request.rel_url, request.headers.get('Via', '')))
                await request.read()
                return web.Response(text='ok')
            async def main():
                runner = web.ServerRunner(web.Server(answer))
                await runner.setup()
                site = web.TCPSite(runner, '127.0.0.1', 0)
                await site.start()
                print(site._server.sockets[0].getsockname()[1], flush=True)
                await asyncio.sleep(600)
            asyncio.run(main())
            """;

    enum Kind {
        NGINX,
        GO,
        NODE,
        PYTHON,
        AIOHTTP
    }

    private final Programs programs;

    MarkedOrigins(Programs programs) {
        this.programs = programs;
    }

    Path seen() {
        return programs.directory().resolve("seen.log");
    }

    /// Starts a server on a port of the loopback address.
    InetSocketAddress start(Kind kind) throws Exception {
        return new InetSocketAddress(
                InetAddress.getLoopbackAddress(),
                switch (kind) {
                    case NGINX -> nginx();
                    case GO -> {
                        programs.write("main.go", GO);
                        yield programs.serve("go", "run", "main.go");
                    }
                    case NODE -> {
                        programs.write("server.js", NODE);
                        yield programs.serve("node", "server.js");
                    }
                    case PYTHON -> {
                        programs.write("plain.py", PYTHON);
                        yield programs.serve("python3", "plain.py");
                    }
                    case AIOHTTP -> {
                        programs.write("server.py", AIOHTTP);
                        yield programs.serve("python3", "server.py");
                    }
                });
    }

    /// nginx tells no port that the system chose, so it listens on a Unix socket, and a program
    /// that passes bytes on listens before it.
    private int nginx() throws Exception {
        SocketAddress address =
                new HttpOrigins(programs)
                        .nginx(
                                "log_format seen '$request_method $request_uri $http_via';",
                                "access_log "
                                        + seen()
                                        + " seen; location / { client_max_body_size 64m;"
                                        + " proxy_pass http://unix:"
                                        + programs.directory()
                                        + "/end.sock; }");
        programs.write(
                "pass.py",
                """
                import asyncio, os, sys
                async def copy(a, b):
                    try:
                        while data := await a.read(65536):
                            b.write(data); await b.drain()
                        b.write_eof()
                    except OSError:
                        b.close()
                async def client(r, w):
                    a, b = await asyncio.open_unix_connection(sys.argv[1])
                    await asyncio.gather(copy(r, b), copy(a, w))
                    w.close(); b.close()
                async def end(r, w):
                    try:
                        while True:
                            head = await r.readuntil(b'\\r\\n\\r\\n')
                            for line in head.split(b'\\r\\n'):
                                if line.lower().startswith(b'content-length:'):
                                    await r.readexactly(int(line.split(b':')[1]))
                            w.write(b'HTTP/1.0 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok'); await w.drain()
                            break
                    except (asyncio.IncompleteReadError, OSError):
                        pass
                    w.close()
                async def main():
                    await asyncio.start_unix_server(end, sys.argv[2])
                    server = await asyncio.start_server(client, '127.0.0.1', 0)
                    print(server.sockets[0].getsockname()[1], flush=True)
                    await asyncio.sleep(600)
                asyncio.run(main())
                """);
        return programs.serve(
                "python3",
                "pass.py",
                ((UnixDomainSocketAddress) address).getPath().toString(),
                programs.directory() + "/end.sock");
    }
}
