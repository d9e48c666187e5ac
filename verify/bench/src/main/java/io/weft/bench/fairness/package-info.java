/// Latency of one client of the HTTP server beside clients that take all they can get.
@NullMarked
package io.weft.bench.fairness;

import org.jspecify.annotations.NullMarked;
