package io.weft.codec.mqtt;

/// A name and a value that an application adds to a packet; names may come several times.
public record UserProperty(String name, String value) {}
