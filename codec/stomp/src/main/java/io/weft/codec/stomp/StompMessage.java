package io.weft.codec.stomp;

/// A message of a connection: a frame, a part of one whose body is long, or a heart-beat.
public sealed interface StompMessage
        permits StompFrame, StompFrameStart, StompBodyPart, StompHeartBeat {}
