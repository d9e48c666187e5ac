package io.weft.http.client;

import io.weft.codec.compression.Decompressor;
import io.weft.http.model.Headers;
import io.weft.http.model.Status;
import org.jspecify.annotations.Nullable;

/// Hears what becomes of an exchange, on its loop.
interface ExchangeOwner {
    /// An interim response has come, other than 100 and 101.
    default void interim(Status status, Headers headers) {}

    /// The response has begun.
    ///
    /// @return false if nobody takes it any longer, nor what the connection became with it
    boolean responded(Status status, Headers headers, ResponseBody body);

    /// There is no response.
    ///
    /// @param unprocessed whether the server has certainly not seen the request
    /// @param unanswered whether not a byte of a response came
    void failed(HttpClientException cause, boolean unprocessed, boolean unanswered);

    /// The exchange is over, for good or ill.
    void over();

    /// Makes a decompressor for a response with these fields; null leaves it as it is.
    @Nullable Decompressor decompressor(Headers headers);
}
