/// The cost of raw memory access beside the JDK's own ways.
@NullMarked
package io.weft.bench.ffi;

import org.jspecify.annotations.NullMarked;
