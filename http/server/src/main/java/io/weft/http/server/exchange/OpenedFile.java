package io.weft.http.server.exchange;

import io.weft.buffer.Buffer;
import io.weft.engine.FileRegion;
import io.weft.http.model.Body;
import io.weft.http.model.BodySource;
import io.weft.http.model.FileSource;
import io.weft.http.model.Method;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Version;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A part of a file as a body that is open already: a handler that may block has answered with it,
/// on whose thread it was opened. So the answer need not wait for another thread before it is sent.
/// Reading it gives the bytes of the [FileSource].
final class OpenedFile implements BodySource {
    private final FileSource source;

    /// Null once it was taken.
    private @Nullable FileRegion region;

    private OpenedFile(FileSource source, FileRegion region) {
        this.source = source;
        this.region = region;
    }

    /// Opens the file that `response` consists of: to be sent by the kernel, if the answer to
    /// `request` may be, and to be read otherwise.
    ///
    /// @throws IOException while another status can still be sent
    static Response open(Request request, Response response) throws IOException {
        if (!(response.body() instanceof Body.Stream stream
                && stream.source() instanceof FileSource file
                && request.method() != Method.HEAD)) {
            return response;
        }
        if (!isSentByKernel(request)) {
            file.open();
            return response;
        }
        FileRegion region = FileRegion.open(file.path(), file.position(), file.length());
        BodySource opened = new OpenedFile(file, region);
        return response.withBody(
                stream.length() < 0 ? Body.of(opened) : Body.of(opened, stream.length()));
    }

    /// Over TLS and HTTP/2 files are read.
    private static boolean isSentByKernel(Request request) {
        return request.version() != Version.HTTP_2
                && request.peer() instanceof RequestPeer peer
                && peer.tls() == null;
    }

    FileSource source() {
        return source;
    }

    /// Hands the file over.
    ///
    /// @return null if it was closed, or taken before
    @Nullable FileRegion take() {
        FileRegion taken = region;
        region = null;
        return taken;
    }

    @Override
    public Step read(Buffer out) throws IOException {
        return source.read(out);
    }

    @Override
    public void onWake(Runnable wake) {
        source.onWake(wake);
    }

    @Override
    public void close() {
        FileRegion open = take();
        if (open != null) {
            open.close();
        }
        source.close();
    }
}
