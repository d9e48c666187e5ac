package io.weft.handler.tls;

import io.weft.channel.Channel;
import io.weft.loop.Future;
import io.weft.tls.machine.TlsSession;
import java.util.Objects;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

@Name("io.weft.TlsHandshake")
@Label("TLS Handshake")
@Category("Weft")
@Description("A TLS handshake, complete or failed")
@StackTrace(false)
final class TlsHandshakeEvent extends Event {
    @Label("Remote Address")
    String remote = "";

    @Label("Server")
    @Description("Set if this side is the server")
    boolean server;

    @Label("Server Name")
    @Description("The host that the client asked for")
    @Nullable String serverName;

    @Label("Protocol")
    @Nullable String protocol;

    @Label("Cipher Suite")
    @Nullable String cipherSuite;

    @Label("Application Protocol")
    @Description("What ALPN chose")
    @Nullable String applicationProtocol;

    @Label("Resumed")
    boolean resumed;

    @Label("Failure")
    @Description("Null if the handshake is complete")
    @Nullable String failure;

    /// Records a handshake that begins now, if a recording takes it. To be called only if JFR runs:
    /// the first use of this class has JFR register it, which takes up to half a second.
    static void follow(Future<TlsSession> handshake, Channel channel, boolean server) {
        var event = new TlsHandshakeEvent();
        if (event.isEnabled()) {
            event.remote = Objects.toString(channel.remoteAddress(), "");
            event.server = server;
            event.begin();
            var _ = handshake.addListener(event::ended);
        }
    }

    private void ended(Future<TlsSession> handshake) {
        TlsSession session = handshake.now();
        if (session == null) {
            failure = String.valueOf(handshake.cause());
        } else {
            serverName = session.serverName();
            protocol = session.protocol().standardName();
            cipherSuite = session.cipherSuite();
            applicationProtocol = session.applicationProtocol();
            resumed = session.resumed();
        }
        commit();
    }
}
