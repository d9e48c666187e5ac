package io.weft.buffer.leak;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/// The flight recorder's event for a leak.
@Name("io.weft.Leak")
@Label("Leak")
@Category("Weft")
@Description("A resource was dropped without being released")
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // read by JFR
final class LeakEvent extends Event {
    @Label("Resource")
    private String resource = "";

    @Label("Allocated At")
    private String site = "";

    @Label("Accesses")
    private int accesses;

    @Label("Report")
    private String report = "";

    void fill(LeakReport leak) {
        if (shouldCommit()) {
            resource = leak.resource();
            site = leak.site();
            accesses = leak.accesses();
            report = leak.toString();
        }
    }
}
