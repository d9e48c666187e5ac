package io.weft.codec.socks;

/// A client's command.
///
/// @param code 0 to 255
public record SocksCommand(int code) {
    /// Connects to the destination.
    public static final SocksCommand CONNECT = new SocksCommand(1);

    /// Listens for one connection, and replies twice: with the address where, and with the peer's.
    public static final SocksCommand BIND = new SocksCommand(2);

    /// Relays datagrams ([Socks5Datagram]) as long as the connection stands. Not of SOCKS 4.
    public static final SocksCommand UDP_ASSOCIATE = new SocksCommand(3);

    /// @throws IllegalArgumentException when the code is out of range
    public SocksCommand {
        SocksText.requireByte("code", code);
    }

    @Override
    public String toString() {
        return switch (code) {
            case 1 -> "CONNECT";
            case 2 -> "BIND";
            case 3 -> "UDP ASSOCIATE";
            default -> "command " + code;
        };
    }
}
