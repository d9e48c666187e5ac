package io.weft.channel.jfr;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

@Name("io.weft.ConnectionClosed")
@Label("Connection Closed")
@Category("Weft")
@Description("A connection that was opened while a recording ran has closed; it lasted so long")
@Enabled(false) // a busy server has thousands a second; weft.jfc takes them
@StackTrace(false)
final class ConnectionClosedEvent extends Event {
    @Label("Local Address")
    String local = "";

    @Label("Remote Address")
    String remote = "";

    @Label("Accepted")
    @Description("False for a connection that this side established")
    boolean accepted;

    @Label("Received")
    @DataAmount
    long received;

    @Label("Sent")
    @DataAmount
    long sent;
}
