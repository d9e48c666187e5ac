/// Buffers whose owners release them at the same moment.
@NullMarked
package io.weft.buffer;

import org.jspecify.annotations.NullMarked;
