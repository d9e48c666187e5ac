/// The servers of both sides that are measured, each run as a process of its own by [Server], and
/// what they answer.
@NullMarked
package io.weft.bench.transport.process.server;

import org.jspecify.annotations.NullMarked;
