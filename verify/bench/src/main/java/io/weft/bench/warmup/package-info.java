/// Warm JVMs: what is measured is compiled.
@NullMarked
package io.weft.bench.warmup;

import org.jspecify.annotations.NullMarked;
