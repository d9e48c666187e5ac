/// What raw memory access costs beside the JDK's own ways.
@NullMarked
package io.weft.bench.ffi;

import org.jspecify.annotations.NullMarked;
