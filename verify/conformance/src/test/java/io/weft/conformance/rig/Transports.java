package io.weft.conformance.rig;

import java.util.List;

/// The transports that [EveryTransport] runs classes on. The property
/// `io.weft.conformance.transports` names others, as `dev/kqueue.sh` does.
final class Transports {
    static final List<String> LIST = named("io_uring,epoll,nio,local,sim,udt");

    /// Those of [ContractTest], which asks less of them.
    static final List<String> CONTRACT =
            named(
                    "embedded,local,sim,udt,io_uring,epoll,scripted-kqueue,nio,"
                            + "serial-io_uring,serial-epoll,sctp-epoll");

    private static List<String> named(String usual) {
        return List.of(System.getProperty("io.weft.conformance.transports", usual).split(",", -1));
    }

    private Transports() {}
}
