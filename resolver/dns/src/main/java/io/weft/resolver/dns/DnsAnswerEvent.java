package io.weft.resolver.dns;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

@Name("io.weft.DnsAnswer")
@Label("DNS Answer")
@Category("Weft")
@Description("A question of the application was answered, after as many queries as it took")
@StackTrace(false)
final class DnsAnswerEvent extends Event {
    @Label("Name")
    String name = "";

    @Label("Type")
    String type = "";

    @Label("Canonical Name")
    @Description("At the end of the aliases")
    String canonicalName = "";

    @Label("Records")
    int records;

    @Label("Took")
    @Description("Since the question was asked, waiting included")
    @Timespan(Timespan.NANOSECONDS)
    long took;
}
