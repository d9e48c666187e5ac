package io.weft.http.forms;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.Cumulation;
import io.weft.codec.DecoderException;
import io.weft.codec.LimitExceededException;
import io.weft.http.forms.FormStorage.StorageFullException;
import io.weft.http.model.Body;
import io.weft.http.model.HeaderName;
import io.weft.http.model.HttpException;
import io.weft.http.model.Request;
import io.weft.http.model.Status;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/// Reads the forms of requests, urlencoded and multipart, within limits. Immutable; any thread may
/// use it.
///
/// ```java
/// .post("/profile").blocking(request ->
///         Forms.DEFAULT.with(request, form -> Response.text("hello " + form.text("name"))))
/// ```
///
/// A form that breaks its format fails with an [HttpException] of 400, one beyond its limits with
/// 413, and another type of body with 415, which a server answers; 503 when all forms together have
/// as much on disk as they may.
public final class Forms {
    /// With [FormLimits#DEFAULT] and [FormStorage#DEFAULT].
    public static final Forms DEFAULT = new Forms(FormLimits.DEFAULT, FormStorage.DEFAULT);

    private static final int PIECE = 16 << 10;

    private final FormLimits limits;
    private final FormStorage storage;

    private Forms(FormLimits limits, FormStorage storage) {
        this.limits = limits;
        this.storage = storage;
    }

    /// The same with other limits.
    public Forms withLimits(FormLimits other) {
        return new Forms(other, storage);
    }

    /// The same with its files in another place, and another quota.
    public Forms withStorage(FormStorage other) {
        return new Forms(limits, other);
    }

    /// An answer that is made of a form.
    @FunctionalInterface
    public interface FormFunction<R> {
        /// @param form which is closed behind it
        R apply(Form form) throws Exception;
    }

    /// Reads the form of a request, hands it to `function`, and closes it. Thread: one that may
    /// block.
    ///
    /// @throws HttpException when the body is no form, or beyond the limits
    /// @throws IOException when the body breaks off, or the disk fails
    /// @throws Exception of `function`
    public <R> R with(Request request, FormFunction<R> function) throws Exception {
        try (Form form = read(request)) {
            return function.apply(form);
        }
    }

    /// Reads the form of a request, which is the caller's to close. Thread: one that may block.
    ///
    /// @throws HttpException when the body is no form, or beyond the limits
    /// @throws IOException when the body breaks off, or the disk fails; nothing is left on disk
    ///     then
    public Form read(Request request) throws IOException {
        FormDecoder decoder = decoder(request);
        PartKeeper keeper = new PartKeeper(limits, storage);
        boolean whole = false;
        try (decoder) {
            decode(request.body(), decoder, keeper);
            whole = true;
            return keeper.form();
        } finally {
            if (!whole) {
                keeper.close();
            }
        }
    }

    /// Hands the form of a request to `out`, part by part, as it comes in. Nothing is kept, so that
    /// only the limits of parts, names and bytes count. Thread: one that may block.
    ///
    /// @param out may block; buffers in what it gets are its to release. If it throws, so does this
    /// @throws HttpException when the body is no form, or beyond the limits
    /// @throws IOException when the body breaks off
    public void stream(Request request, Consumer<? super FormEvent> out) throws IOException {
        try (FormDecoder decoder = decoder(request)) {
            decode(request.body(), decoder, out);
        }
    }

    /// Reads the form of a request, without blocking the caller: on a virtual thread, since the
    /// disk may be slow. The form is the caller's to close, also when it comes after its interest
    /// has gone.
    ///
    /// @return fails as [#read] does. Cancelling it stops the reading and leaves nothing on disk
    public CompletableFuture<Form> collect(Request request) {
        CompletableFuture<Form> form = new CompletableFuture<>();
        Thread reader =
                Thread.ofVirtual()
                        .name("weft-form")
                        .start(
                                () -> {
                                    try {
                                        Form whole = read(request);
                                        if (!form.complete(whole)) {
                                            whole.close();
                                        }
                                    } catch (Throwable t) {
                                        form.completeExceptionally(t);
                                    }
                                });
        var _ =
                form.whenComplete(
                        (_, _) -> {
                            if (form.isCancelled()) {
                                reader.interrupt();
                            }
                        });
        return form;
    }

    private FormDecoder decoder(Request request) {
        List<String> types = request.headers().all(HeaderName.CONTENT_TYPE);
        if (types.size() > 1) {
            // Another recipient may take the other one, and see other fields.
            throw new HttpException(
                    Status.BAD_REQUEST, "content-type: " + types.size() + " fields (expected: 1)");
        }
        return FormDecoder.of(types.isEmpty() ? null : types.getFirst(), limits);
    }

    private static void decode(Body body, FormDecoder decoder, Consumer<? super FormEvent> out)
            throws IOException {
        try (InputStream in = body.asInputStream()) {
            decode(in, decoder, out);
        } catch (LimitExceededException e) {
            throw new HttpException(Status.CONTENT_TOO_LARGE, String.valueOf(e.getMessage()));
        } catch (DecoderException e) {
            throw new HttpException(Status.BAD_REQUEST, String.valueOf(e.getMessage()));
        } catch (UncheckedIOException e) {
            if (e.getCause() instanceof StorageFullException full) {
                throw new HttpException(
                        Status.SERVICE_UNAVAILABLE, String.valueOf(full.getMessage()));
            }
            throw e.getCause();
        }
    }

    private static void decode(InputStream in, FormDecoder decoder, Consumer<? super FormEvent> out)
            throws IOException {
        byte[] piece = new byte[PIECE];
        Cumulation rest = new Cumulation();
        try {
            for (int got = in.read(piece); got >= 0; got = in.read(piece)) {
                Buffer bytes = BufferAllocator.pooled().allocate(got);
                bytes.writeBytes(piece, 0, got);
                decoder.decode(rest.add(bytes), out);
                rest.trim();
            }
        } finally {
            rest.release();
        }
        decoder.end(out);
    }
}
