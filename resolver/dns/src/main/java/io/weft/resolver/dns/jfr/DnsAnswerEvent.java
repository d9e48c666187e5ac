package io.weft.resolver.dns.jfr;

import io.weft.codec.dns.DnsName;
import io.weft.codec.dns.DnsQuestion;
import java.time.Duration;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/// An answer to the application.
@Name("io.weft.DnsAnswer")
@Label("DNS Answer")
@Category("Weft")
@Description("A question of the application was answered, after as many queries as it took")
@StackTrace(false)
public final class DnsAnswerEvent extends Event {
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

    /// Records an answer, unless no recording takes them.
    public static void record(
            DnsQuestion question, DnsName canonicalName, int records, Duration after) {
        var event = new DnsAnswerEvent();
        if (event.isEnabled()) {
            event.name = question.name().toString();
            event.type = question.type().toString();
            event.canonicalName = canonicalName.toString();
            event.records = records;
            event.took = after.toNanos();
            event.commit();
        }
    }
}
