import org.jspecify.annotations.NullMarked;

/// Tools for tests of anything built on Weft.
@NullMarked
module io.weft.testkit {
    requires static transitive org.jspecify;
    requires transitive io.weft.buffer;
    requires java.logging;
    requires transitive jdk.jfr;
    requires jdk.management;
    requires transitive org.junit.jupiter.api;

    exports io.weft.testkit;

    // The same lines stand in META-INF/services for tests that have this jar on their class path.
    provides org.junit.jupiter.api.extension.Extension with
            io.weft.testkit.LeakLedger,
            io.weft.testkit.TestLog;
}
