package io.weft.examples;

import io.weft.http.model.Response;

/// Answers every request with "Hello, World!".
public final class HelloHttp {
    private HelloHttp() {}

    public static void main(String[] args) {
        Example.main(Taken.SOCKETS, 8080, args, HelloHttp::start);
    }

    public static Example.Running start(Options options) {
        // Responses are immutable: one object answers everybody.
        Response hello = Response.text("Hello, World!");
        return Example.http(options, server -> server.handler(request -> hello));
    }
}
