package io.weft.http.client;

import io.weft.buffer.Buffer;
import io.weft.codec.DecoderException;
import io.weft.codec.LimitExceededException;
import io.weft.codec.compression.Decompressor;
import io.weft.http.model.Headers;
import io.weft.http.model.Status;
import org.jspecify.annotations.Nullable;

/// The content of one response on its way to the application: expanded if it is compressed, dropped
/// if it is not wanted. Thread: the loop.
final class ResponseContent {
    /// Bytes of an unwanted body which are received to keep the connection.
    private static final int MAX_DROPPED = 64 << 10;

    private final ResponseBody body;
    private @Nullable Inflation inflation;

    /// Bytes that were dropped since the body is not wanted; -1 while it is.
    private long dropped = -1;

    private boolean whole;
    private Headers trailers = Headers.EMPTY;

    /// Of the response, until the application has it.
    private @Nullable Status status;

    private Headers headers = Headers.EMPTY;

    ResponseContent(ResponseBody.Flow flow) {
        this.body = new ResponseBody(flow);
    }

    ResponseBody body() {
        return body;
    }

    /// Takes the head, as the application is to have it.
    void head(Status of, Headers fields) {
        status = of;
        headers = fields;
    }

    /// Hands the response over, if its head is there and that was not done before.
    void handOver(ExchangeOwner owner) {
        Status of = status;
        if (of != null) {
            status = null;
            owner.responded(of, headers, body);
        }
    }

    /// Expands what comes from now on.
    void expand(Decompressor decompressor) {
        inflation = new Inflation(decompressor, body);
    }

    /// Takes a piece.
    ///
    /// @return whether more is wanted now
    /// @throws DecoderException when it is not of the format, or expands too much
    boolean add(Buffer piece) {
        return inflation == null ? body.add(piece) : inflation.add(piece);
    }

    /// Hears that the response is whole.
    ///
    /// @return false if some of it is expanded only when the body is read on
    /// @throws DecoderException as [#add] does
    boolean end(Headers fields) {
        whole = true;
        trailers = fields;
        if (inflation != null) {
            inflation.end();
        }
        return isExpanded();
    }

    /// Hears that the body is read on.
    ///
    /// @return whether more is wanted now
    /// @throws DecoderException as [#add] does
    boolean resume() {
        return inflation == null || inflation.resume();
    }

    /// The failure of a body that cannot be expanded.
    static HttpClientException undecodable(Origin origin, DecoderException e) {
        return e instanceof LimitExceededException
                ? new HttpClientException.TooLarge(origin, String.valueOf(e.getMessage()), e)
                : new HttpClientException.Malformed(origin, HttpClientException.Stage.BODY, e);
    }

    /// The failure of a body whose coding is known, but cannot be undone here.
    static HttpClientException unknownCoding(Origin origin, Throwable cause) {
        return undecodable(
                origin,
                new DecoderException("content-encoding: cannot be undone: " + cause, cause));
    }

    boolean isWhole() {
        return whole;
    }

    /// Tells if nothing that has come is still to be expanded.
    boolean isExpanded() {
        return inflation == null || inflation.isDone();
    }

    /// Drops everything from now on.
    void beginDrop() {
        dropped = 0;
        close();
    }

    boolean isDropped() {
        return dropped >= 0;
    }

    /// Drops a piece.
    ///
    /// @return false when that was too much to go on
    boolean drop(Buffer piece) {
        dropped += piece.readableBytes();
        piece.release();
        return dropped <= MAX_DROPPED;
    }

    /// Tells the body of its end.
    void finish() {
        body.end(trailers);
    }

    /// Gives up what waits to be expanded.
    void close() {
        if (inflation != null) {
            inflation.close();
            inflation = null;
        }
    }
}
