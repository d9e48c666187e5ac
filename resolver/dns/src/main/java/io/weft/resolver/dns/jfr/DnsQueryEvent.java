package io.weft.resolver.dns.jfr;

import io.weft.codec.dns.DnsQuestion;
import io.weft.codec.dns.ResponseCode;
import java.time.Duration;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/// A query to a server, and what became of it.
@Name("io.weft.DnsQuery")
@Label("DNS Query")
@Category("Weft")
@Description("A name server has responded to a query, or has not")
@StackTrace(false)
public final class DnsQueryEvent extends Event {
    @Label("Name")
    String name = "";

    @Label("Type")
    String type = "";

    @Label("Server")
    String server = "";

    @Label("Response Code")
    @Description("Null if there was no response")
    @Nullable String code;

    @Label("Failure")
    @Description("Null if there was a response")
    @Nullable String failure;

    @Label("Took")
    @Description("From the query to the response; 0 without one")
    @Timespan(Timespan.NANOSECONDS)
    long took;

    /// Records a response, unless no recording takes them.
    public static void responded(
            DnsQuestion question, Object server, ResponseCode code, Duration after) {
        var event = new DnsQueryEvent();
        if (event.isEnabled()) {
            event.about(question, server);
            event.code = code.toString();
            event.took = after.toNanos();
            event.commit();
        }
    }

    /// Records that there was no response, unless no recording takes them.
    public static void failed(DnsQuestion question, Object server, Throwable cause) {
        var event = new DnsQueryEvent();
        if (event.isEnabled()) {
            event.about(question, server);
            event.failure = cause.toString();
            event.commit();
        }
    }

    private void about(DnsQuestion question, Object asked) {
        name = question.name().toString();
        type = question.type().toString();
        server = asked.toString();
    }
}
