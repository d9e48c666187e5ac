package io.weft.budget;

import java.io.IOException;

/// A client of one connection, which has made its first request.
interface RequestClient {
    /// Sends a request and takes its answer.
    void request() throws IOException;
}
