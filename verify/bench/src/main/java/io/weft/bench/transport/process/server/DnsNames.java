package io.weft.bench.transport.process.server;

import java.util.List;
import java.util.stream.IntStream;

/// The names that servers under dnsperf know, and the questions that they are asked.
public final class DnsNames {
    public static final String ZONE = "example.com.";
    public static final int TTL = 300;

    /// Names with an address each.
    public static final int COUNT = 1_000;

    private DnsNames() {}

    public static String host(int index) {
        return "host" + index + "." + ZONE;
    }

    public static String address(int index) {
        return "192.0.2." + index % 256;
    }

    /// The zone as a master file.
    public static String zone() {
        StringBuilder text = new StringBuilder("$ORIGIN " + ZONE + "\n$TTL " + TTL + "\n");
        text.append("@ SOA ns hostmaster 1 3600 600 86400 60\n  NS ns\nns A 127.0.0.1\n");
        for (int i = 0; i < COUNT; i++) {
            text.append("host").append(i).append(" A ").append(address(i)).append('\n');
        }
        return text.toString();
    }

    /// Questions as dnsperf reads them: one of eleven is for a name that does not exist.
    public static List<String> questions() {
        return IntStream.range(0, COUNT)
                .mapToObj(i -> i % 11 == 10 ? "no" + i + "." + ZONE + " A" : host(i) + " A")
                .toList();
    }
}
