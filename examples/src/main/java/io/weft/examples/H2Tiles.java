package io.weft.examples;

import io.weft.http.model.Body;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.HttpException;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.Routes;

/// A page of many small images: a browser asks for all of them at once, over one connection of
/// HTTP/2 where TLS is on.
public final class H2Tiles {
    /// Of the page, in both directions.
    private static final int TILES = 15;

    private static final Headers IMAGE =
            Headers.builder()
                    .add(HeaderName.CONTENT_TYPE, "image/svg+xml")
                    .add(HeaderName.CACHE_CONTROL, "no-store")
                    .build();

    /// The script says in the page how many tiles are there, and how many came over HTTP/2.
    private static final String PAGE =
            """
            <!doctype html>
            <html lang="en">
            <head><meta charset="utf-8"><title>tiles</title>
            <link rel="icon" href="data:,">
            <style>body{margin:1em;font:1em sans-serif} div{line-height:0}</style></head>
            <body><p id="said">loading</p>
            TILES<script>
            addEventListener('load', () => {
              const tiles = performance.getEntriesByType('resource').filter(e => e.name.includes('/tile/'));
              const there = [...document.images].filter(i => i.complete && i.naturalWidth > 0);
              const h2 = tiles.filter(e => e.nextHopProtocol === 'h2');
              document.getElementById('said').textContent =
                  there.length + ' tiles, ' + h2.length + ' over HTTP/2, '
                  + Math.round(performance.now()) + ' ms';
            });
            </script></body></html>
            """;

    private H2Tiles() {}

    public static void main(String[] args) {
        Example.main(Taken.SOCKETS, 8443, args, H2Tiles::start);
    }

    static Example.Running start(Options options) {
        Response page = Response.html(PAGE.replace("TILES", grid()));
        Routes routes =
                Routes.builder().get("/", _ -> page).get("/tile/{x}/{y}", H2Tiles::tile).build();
        return Example.http(options, server -> server.routes(routes));
    }

    private static String grid() {
        StringBuilder rows = new StringBuilder();
        for (int y = 0; y < TILES; y++) {
            rows.append("<div>");
            for (int x = 0; x < TILES; x++) {
                rows.append(
                        "<img src=\"/tile/%d/%d\" width=\"24\" height=\"24\" alt=\"\">"
                                .formatted(x, y));
            }
            rows.append("</div>\n");
        }
        return rows.toString();
    }

    private static Response tile(Request request) {
        int x = coordinate(request.parameter("x"));
        int y = coordinate(request.parameter("y"));
        int distance = (int) Math.hypot(x - TILES / 2, y - TILES / 2);
        String color = "hsl(%d,70%%,%d%%)".formatted(360 * x / TILES, 30 + 60 * distance / TILES);
        String svg =
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"24\" height=\"24\">"
                        + "<rect width=\"24\" height=\"24\" fill=\""
                        + color
                        + "\"/></svg>";
        return Response.of(Status.OK, IMAGE, Body.of(svg));
    }

    private static int coordinate(String text) {
        try {
            int number = Integer.parseInt(text);
            if (number >= 0 && number < TILES) {
                return number;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw new HttpException(Status.NOT_FOUND, "no such tile");
    }
}
