package io.weft.engine;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.nio.channels.UnsupportedAddressTypeException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;

/// Sources by the routes of this machine. To connect a socket for datagrams sends nothing, but has
/// the kernel choose a route and an address.
///
/// The JDK does not tell flags of addresses. Linux lists those of IPv6 in `/proc/net/if_inet6`,
/// which is read where it exists; elsewhere a prefix of IPv6 is taken to have 64 bits. The prefix
/// of an IPv4 address stays unknown: rule 9 would undo the rotation that servers of names make.
final class RouteProbe implements SourceAddresses {
    static final RouteProbe INSTANCE = new RouteProbe(Path.of("/proc/net/if_inet6"));

    /// Nothing is sent, so any port does.
    private static final int PORT = 9;

    private static final int USUAL_PREFIX = 64;
    private static final int HOME_ADDRESS = 0x10;
    private static final int DEPRECATED = 0x20;

    private final Path table;

    RouteProbe(Path table) {
        this.table = table;
    }

    @Override
    public Source of(InetAddress destination) {
        boolean ipv4 = destination instanceof Inet4Address;
        var family = ipv4 ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6;
        try (DatagramChannel channel = DatagramChannel.open(family)) {
            channel.connect(new InetSocketAddress(destination, PORT));
            return channel.getLocalAddress() instanceof InetSocketAddress local
                    ? describe(local.getAddress())
                    : new Unknown();
        } catch (IOException
                | UnsupportedOperationException // no such family on this machine
                | UnsupportedAddressTypeException
                | SecurityException _) {
            return new Unreachable();
        }
    }

    private Source describe(InetAddress source) {
        if (source instanceof Inet4Address) {
            return new Local(source, 0);
        }
        String wanted = HexFormat.of().formatHex(source.getAddress());
        for (String line : lines()) {
            // fe800000000000000000000000000001 02 40 20 80     eth0
            String[] fields = line.split("\\s+", -1);
            if (fields.length >= 5 && fields[0].equals(wanted)) {
                try {
                    return known(source, hex(fields[2]), hex(fields[4]));
                } catch (IllegalArgumentException _) {
                    break; // a table of another form
                }
            }
        }
        return known(source, USUAL_PREFIX, 0);
    }

    private static int hex(String digits) {
        return Integer.parseInt(digits, 16);
    }

    private static Local known(InetAddress source, int prefixLength, int flags) {
        Mobility mobility = (flags & HOME_ADDRESS) != 0 ? Mobility.HOME : Mobility.HOME_AND_CARE_OF;
        byte[] bytes = source.getAddress();
        boolean sixToFour = bytes[0] == 0x20 && bytes[1] == 0x02; // 2002::/16
        boolean teredo = bytes[0] == 0x20 && bytes[1] == 0x01 && bytes[2] == 0 && bytes[3] == 0;
        return new Local(
                source, prefixLength, (flags & DEPRECATED) != 0, mobility, sixToFour || teredo);
    }

    private List<String> lines() {
        try {
            return Files.readAllLines(table);
        } catch (IOException | SecurityException _) {
            return List.of();
        }
    }
}
