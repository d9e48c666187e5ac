package io.weft.http.model;

/// The protocol version a message came in.
public enum Version {
    HTTP_1_0("HTTP/1.0"),
    HTTP_1_1("HTTP/1.1"),
    HTTP_2("HTTP/2");

    private final String text;

    Version(String text) {
        this.text = text;
    }

    /// Returns the number alone: `1.1`, or `2`.
    public String number() {
        return text.substring("HTTP/".length());
    }

    /// As on the wire: `HTTP/1.1`.
    @Override
    public String toString() {
        return text;
    }
}
