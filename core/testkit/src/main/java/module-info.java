import org.jspecify.annotations.NullMarked;

/// What tests of anything built on Weft use.
@NullMarked
module io.weft.testkit {
    requires static transitive org.jspecify;
    requires transitive io.weft.buffer;
    requires jdk.management;
    requires transitive org.junit.jupiter.api;

    exports io.weft.testkit;

    // The same line stands in META-INF/services for tests that have this jar on their class path.
    provides org.junit.jupiter.api.extension.Extension with
            io.weft.testkit.LeakLedger;
}
