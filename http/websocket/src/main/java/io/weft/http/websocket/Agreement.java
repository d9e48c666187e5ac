package io.weft.http.websocket;

import io.weft.codec.websocket.DeflateParameters;
import org.jspecify.annotations.Nullable;

/// The terms on which both ends agreed in their handshake.
///
/// @param subprotocol null when there is none
/// @param deflate null when messages are not compressed
public record Agreement(@Nullable String subprotocol, @Nullable DeflateParameters deflate) {}
