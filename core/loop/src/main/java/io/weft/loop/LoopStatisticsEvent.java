package io.weft.loop;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

@Name("io.weft.LoopStatistics")
@Label("Loop Statistics")
@Category("Weft")
@Description("What a loop has done since it began, and how it is doing; about once a second")
@StackTrace(false)
final class LoopStatisticsEvent extends Event {
    @Label("Executor")
    String executor = "";

    @Label("Tasks Run")
    long tasksRun;

    @Label("Pending Tasks")
    int pendingTasks;

    @Label("Lag")
    @Description("How late the last due timer was")
    @Timespan(Timespan.NANOSECONDS)
    long lag;

    @Label("Busy")
    @Description("How long the loop has been at work, by samples")
    @Timespan(Timespan.NANOSECONDS)
    long busy;
}
