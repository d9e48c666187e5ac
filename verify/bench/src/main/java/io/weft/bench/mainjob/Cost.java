package io.weft.bench.mainjob;

/// The cost of a request, counted in a window of its own because counting slows the server. `NaN`
/// where it is not known.
record Cost(double syscallsPerRequest, double bytesPerRequest) {}
