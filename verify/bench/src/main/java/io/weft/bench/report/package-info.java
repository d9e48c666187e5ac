/// The reporting of every group of benchmarks.
@NullMarked
package io.weft.bench.report;

import org.jspecify.annotations.NullMarked;
