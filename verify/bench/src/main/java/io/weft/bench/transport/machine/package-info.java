/// Measurements that need another kernel than most machines have: of paths that lose packets, and
/// of SCTP. `dev/machine-rates.sh` runs them in an emulated machine.
@NullMarked
package io.weft.bench.transport.machine;

import org.jspecify.annotations.NullMarked;
