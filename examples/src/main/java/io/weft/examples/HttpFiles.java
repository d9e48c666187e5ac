package io.weft.examples;

import io.weft.http.server.Compression;
import io.weft.http.server.Routes;
import io.weft.http.server.StaticFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/// Serves the files of the working directory: ranges, entity tags, conditional requests,
/// compression of text.
public final class HttpFiles {
    private HttpFiles() {}

    public static void main(String[] args) {
        Example.main(Taken.SOCKETS, 8080, args, options -> start(options, Path.of("")));
    }

    static Example.Running start(Options options, Path directory) {
        try {
            Routes routes =
                    Routes.builder().get("/{path...}").blocking(StaticFiles.of(directory)).build();
            return Example.http(
                    options, server -> server.routes(routes).filter(Compression.DEFAULT));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
