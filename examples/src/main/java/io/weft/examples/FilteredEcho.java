package io.weft.examples;

import io.weft.handler.filter.IpFilter;
import io.weft.handler.filter.UniqueIpFilter;
import java.util.ArrayList;
import java.util.List;

/// Sends back what it receives, to peers of some addresses alone: `--allow BLOCK`, any number of
/// times, by default this machine. Others are reset before a byte of theirs is read. With
/// `--unique` each address has one connection.
///
/// Try it: `./run-example.sh ip-filter --host 0.0.0.0 --allow 192.0.2.0/24 --allow ::1/128`
public final class FilteredEcho {
    private static final String USAGE =
            "ip-filter [--allow BLOCK ..., default this machine] [--unique] [options]";
    private static final List<String> THIS_MACHINE = List.of("127.0.0.0/8", "::1/128");

    private FilteredEcho() {}

    public static void main(String[] args) {
        Extras extras = Extras.take(args, USAGE, "--allow");
        List<String> rest = new ArrayList<>(extras.rest());
        boolean unique = rest.remove("--unique");
        List<String> allowed = extras.all("--allow");
        List<String> blocks = allowed.isEmpty() ? THIS_MACHINE : allowed;
        Example.main(8028, rest.toArray(String[]::new), options -> start(options, blocks, unique));
    }

    /// @param allowed blocks of addresses, such as `192.0.2.0/24`
    /// @param unique if each address has one connection
    static Example.Running start(Options options, List<String> allowed, boolean unique) {
        IpFilter.Rule[] rules =
                allowed.stream().map(IpFilter.Rule::accept).toArray(IpFilter.Rule[]::new);
        UniqueIpFilter once = new UniqueIpFilter();
        return Example.tcp(
                options,
                channel -> {
                    channel.pipeline().addLast(new IpFilter(IpFilter.Action.REJECT, rules));
                    if (unique) {
                        channel.pipeline().addLast(once);
                    }
                    channel.pipeline().addLast(new Echo.EchoHandler());
                });
    }
}
