package io.weft.loop.guard;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

@Name("io.weft.LoopHeld")
@Label("Loop Held")
@Category("Weft")
@Description("A task holds its loop, so that nothing else runs there")
@StackTrace(false) // it would be the watchdog's
public final class LoopHeldEvent extends Event {
    @Label("Executor")
    public String executor = "";

    @Label("Held For")
    @Description("So far; the task goes on")
    @Timespan(Timespan.NANOSECONDS)
    public long heldFor;

    @Label("Stack")
    @Description("Where the loop's thread is, a line a frame")
    public String stack = "";
}
