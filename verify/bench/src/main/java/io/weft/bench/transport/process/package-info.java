/// Measurements of whole processes: servers of every engine of both sides, each in a process of its
/// own, and one plain load generator for all of them.
@NullMarked
package io.weft.bench.transport.process;

import org.jspecify.annotations.NullMarked;
