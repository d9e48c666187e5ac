import org.jspecify.annotations.NullMarked;

/// Floor 0: settings for recordings of JFR that take the events of all modules. The events
/// themselves are made where they happen.
@NullMarked
module io.weft.observe.jfr {
    requires static transitive org.jspecify;
    requires transitive jdk.jfr;

    exports io.weft.observe.jfr;
}
