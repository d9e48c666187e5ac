package io.weft.http.rtsp;

import io.weft.http.model.Method;

/// The methods of RTSP (RFC 2326, 10; RFC 7826, 13). Others are tokens too, so compare by `equals`.
public final class RtspMethod {
    public static final Method DESCRIBE = Method.of("DESCRIBE");
    public static final Method ANNOUNCE = Method.of("ANNOUNCE");
    public static final Method GET_PARAMETER = Method.of("GET_PARAMETER");
    public static final Method OPTIONS = Method.OPTIONS;
    public static final Method PAUSE = Method.of("PAUSE");
    public static final Method PLAY = Method.of("PLAY");
    public static final Method PLAY_NOTIFY = Method.of("PLAY_NOTIFY");
    public static final Method RECORD = Method.of("RECORD");
    public static final Method REDIRECT = Method.of("REDIRECT");
    public static final Method SETUP = Method.of("SETUP");
    public static final Method SET_PARAMETER = Method.of("SET_PARAMETER");
    public static final Method TEARDOWN = Method.of("TEARDOWN");

    private RtspMethod() {}
}
