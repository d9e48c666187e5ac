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
import io.weft.http.server.AsyncHttpHandler;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A part of a file as a body that is open already, before a status is sent. If a handler that may
/// block has answered with it, it was opened on that thread, so that the answer waits for no other;
/// else on a virtual thread. Reading it gives the bytes of the [FileSource].
final class OpenedFile implements BodySource {
    private final FileSource source;

    /// Null once it was taken, and where the file is to be read.
    private @Nullable FileRegion region;

    private OpenedFile(FileSource source, @Nullable FileRegion region) {
        this.source = source;
        this.region = region;
    }

    /// Tells if `response` consists of a file that is still to be opened.
    static boolean isDue(Request request, Response response) {
        return response.body() instanceof Body.Stream stream
                && stream.source() instanceof FileSource
                && request.method() != Method.HEAD;
    }

    /// A handler that answers with `response` when its file is open: it may wait for a disk.
    static AsyncHttpHandler opening(Response response) {
        return Application.blocking(_ -> response, Thread.ofVirtual().name("weft-file")::start)
                .handler();
    }

    /// Opens the file that `response` consists of: to be sent by the kernel, if the answer to
    /// `request` may be, and to be read otherwise.
    ///
    /// @throws IOException while another status can still be sent
    static Response open(Request request, Response response) throws IOException {
        if (!isDue(request, response)
                || !(response.body() instanceof Body.Stream stream
                        && stream.source() instanceof FileSource file)) {
            return response;
        }
        FileRegion region = null;
        if (isSentByKernel(request)) {
            region = FileRegion.open(file.path(), file.position(), file.length());
        } else {
            file.open();
        }
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
