package io.weft.codec.socks;

/// A message of the negotiation between a client and a SOCKS server.
public sealed interface SocksMessage permits SocksClientMessage, SocksServerMessage {}
