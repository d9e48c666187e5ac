package io.weft.channel.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

@Name("io.weft.ConnectionOpened")
@Label("Connection Opened")
@Category("Weft")
@Description("A connection was accepted or established")
@Enabled(false) // a busy server has thousands a second; weft.jfc takes them
@StackTrace(false)
final class ConnectionOpenedEvent extends Event {
    @Label("Local Address")
    String local = "";

    @Label("Remote Address")
    String remote = "";

    @Label("Accepted")
    @Description("False for a connection that this side established")
    boolean accepted;
}
