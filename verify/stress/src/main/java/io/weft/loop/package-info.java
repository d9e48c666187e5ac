/// Concurrency tests of what the loops rest on, in the package of what they test. Each stands
/// beside a broken twin: the same test of a version with the defect that it guards against. A twin
/// that does not fail shows that the test sees nothing.
package io.weft.loop;
