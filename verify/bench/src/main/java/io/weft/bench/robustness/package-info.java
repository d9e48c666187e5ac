/// Attacks on a server in a process of its own, with what they cost it beside a goal.
@NullMarked
package io.weft.bench.robustness;

import org.jspecify.annotations.NullMarked;
