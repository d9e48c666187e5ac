package io.weft.resolver.dns;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

@Name("io.weft.DnsQuery")
@Label("DNS Query")
@Category("Weft")
@Description("A name server has responded to a query, or has not")
@StackTrace(false)
final class DnsQueryEvent extends Event {
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
}
