/// Concurrency tests of task queues, in the package of what they test; each beside a broken twin.
package io.weft.loop.queue;
