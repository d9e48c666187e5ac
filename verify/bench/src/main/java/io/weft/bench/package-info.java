/// The entry of the benchmark jar.
@NullMarked
package io.weft.bench;

import org.jspecify.annotations.NullMarked;
