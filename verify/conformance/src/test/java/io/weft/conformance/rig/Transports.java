package io.weft.conformance.rig;

import java.util.List;

/// The transports that [EveryTransport] runs classes on. The property
/// `io.weft.conformance.transports` names others, as `dev/kqueue.sh` does.
final class Transports {
    static final List<String> LIST =
            List.of(
                    System.getProperty(
                                    "io.weft.conformance.transports",
                                    "io_uring,epoll,nio,local,sim,udt")
                            .split(",", -1));

    private Transports() {}
}
