/// What every group of benchmarks reports with.
@NullMarked
package io.weft.bench.report;

import org.jspecify.annotations.NullMarked;
