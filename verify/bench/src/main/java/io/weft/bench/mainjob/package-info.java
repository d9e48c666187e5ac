/// The main job: a hello server under load, Weft beside Netty and beside C, in one interleaved run.
@NullMarked
package io.weft.bench.mainjob;

import org.jspecify.annotations.NullMarked;
