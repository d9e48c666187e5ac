/// Groups of JMH benchmarks: Weft and its peers interleaved, with ratios.
@NullMarked
package io.weft.bench.jmh;

import org.jspecify.annotations.NullMarked;
