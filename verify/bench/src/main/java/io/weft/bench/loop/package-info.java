/// Executors, timers, promises, object pools and locals beside those of Netty, SOFAJRaft and the
/// JDK.
///
/// A benchmark method is named after its side and its operation: `weftCancelInOrder`. Each class
/// says what one operation is, and whether it is a literal port of a peer's benchmark or measures
/// what that one's name says.
@NullMarked
package io.weft.bench.loop;

import org.jspecify.annotations.NullMarked;
