package io.weft.examples;

import io.weft.channel.Channel;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.MessageHandler;
import io.weft.codec.PrematureEndException;
import io.weft.codec.xml.XmlAttribute;
import io.weft.codec.xml.XmlDecoder;
import io.weft.codec.xml.XmlEncoder;
import io.weft.codec.xml.XmlEvent;
import io.weft.codec.xml.XmlException;
import io.weft.codec.xml.XmlLimits;
import io.weft.codec.xml.XmlName;
import io.weft.codec.xml.XmlNamespace;
import io.weft.codec.xml.XmlStream;
import io.weft.codec.xml.XmlStreamDecoder;
import io.weft.handler.codec.DecoderHandler;
import io.weft.handler.codec.EncoderHandler;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A chat over streams of XML as those of XMPP (RFC 6120): a message of one goes to all others, a
/// ping is answered. It knows no users, and no TLS.
///
/// Try it: `(echo "<s to='x'><message><body>hello</body></message>"; sleep 1; echo '</s>') | nc
/// 127.0.0.1 5222`
public final class XmlStreamServer {
    private static final String STREAMS = "http://etherx.jabber.org/streams";
    private static final String ERRORS = "urn:ietf:params:xml:ns:xmpp-streams";
    private static final String STANZA_ERRORS = "urn:ietf:params:xml:ns:xmpp-stanzas";
    private static final XmlName ROOT = new XmlName(STREAMS, "stream", "stream");
    private static final XmlLimits LIMITS =
            new XmlLimits(32, 32, 256, 512, 16_384, 65_536, 65_536, 1L << 30);

    private final Crowd<Channel> everybody = new Crowd<>();

    private XmlStreamServer() {}

    public static void main(String[] args) {
        Extras extras = Extras.take(args, "xml-stream [options]");
        Example.main(5222, extras.others(), XmlStreamServer::start);
    }

    static Example.Running start(Options options) {
        XmlStreamServer server = new XmlStreamServer();
        return Example.tcp(
                options,
                channel ->
                        channel.pipeline()
                                .addLast(
                                        new DecoderHandler<>(
                                                new XmlDecoder(LIMITS)
                                                        .then(new XmlStreamDecoder())))
                                .addLast(new EncoderHandler<>(XmlEvent.class, new XmlEncoder()))
                                .addLast(server.new Connection()));
    }

    private final class Connection implements MessageHandler<XmlStream> {
        private boolean opened;
        private boolean ended;
        private Crowd<Channel>.@Nullable Member member;

        @Override
        public Class<XmlStream> messageType() {
            return XmlStream.class;
        }

        @Override
        public void messageRead(ChannelHandlerContext ctx, XmlStream message) {
            switch (message) {
                case XmlStream.Opened root -> open(ctx, root.root());
                case XmlStream.Stanza stanza -> stanza(ctx, stanza);
                case XmlStream.Closed _ -> end(ctx);
            }
        }

        private void open(ChannelHandlerContext ctx, XmlEvent.StartElement root) {
            String to = root.attribute("to");
            header(ctx, to == null ? "localhost" : to);
            XmlName features = new XmlName(STREAMS, "stream", "features");
            ctx.write(XmlEvent.StartElement.of(features), null);
            // Before the client knows that it may speak: others' messages come behind the features.
            member = Crowd.join(everybody, ctx);
            ctx.writeAndFlush(new XmlEvent.EndElement(features));
        }

        private void header(ChannelHandlerContext ctx, String from) {
            opened = true;
            ctx.write(new XmlEvent.Declaration("1.0", null), null);
            ctx.write(
                    new XmlEvent.StartElement(
                            ROOT,
                            List.of(
                                    XmlAttribute.of("from", from),
                                    XmlAttribute.of("id", UUID.randomUUID().toString()),
                                    XmlAttribute.of("version", "1.0")),
                            List.of(
                                    new XmlNamespace("", "jabber:client"),
                                    new XmlNamespace("stream", STREAMS))),
                    null);
        }

        private void stanza(ChannelHandlerContext ctx, XmlStream.Stanza stanza) {
            XmlEvent.StartElement element = stanza.element();
            switch (element.name().local()) {
                case "message" -> {
                    String body = stanza.childText("body");
                    if (member != null) {
                        member.tell(
                                other -> {
                                    // A client that does not read misses messages.
                                    if (other != ctx.channel() && other.isWritable()) {
                                        say(other, body == null ? "" : body);
                                    }
                                });
                    }
                }
                case "iq" -> answer(ctx, stanza);
                default -> {}
            }
        }

        private void answer(ChannelHandlerContext ctx, XmlStream.Stanza stanza) {
            String type = stanza.element().attribute("type");
            if (!"get".equals(type) && !"set".equals(type)) {
                return; // RFC 6120, 8.2.3: results and errors get no answer
            }
            String id = stanza.element().attribute("id");
            boolean ping = stanza.childText("ping") != null;
            XmlName iq = XmlName.of("iq");
            ctx.write(
                    XmlEvent.StartElement.of(
                            iq,
                            XmlAttribute.of("type", ping ? "result" : "error"),
                            XmlAttribute.of("id", id == null ? "" : id)),
                    null);
            if (!ping) {
                XmlName error = XmlName.of("error");
                ctx.write(XmlEvent.StartElement.of(error, XmlAttribute.of("type", "cancel")), null);
                condition(ctx, STANZA_ERRORS, "service-unavailable");
                ctx.write(new XmlEvent.EndElement(error), null);
            }
            ctx.writeAndFlush(new XmlEvent.EndElement(iq));
        }

        private static void condition(ChannelHandlerContext ctx, String namespace, String local) {
            XmlName name = XmlName.of(namespace, local);
            ctx.write(
                    new XmlEvent.StartElement(
                            name, List.of(), List.of(new XmlNamespace("", namespace))),
                    null);
            ctx.write(new XmlEvent.EndElement(name), null);
        }

        private void leave() {
            if (member != null) {
                member.leave();
            }
        }

        private void end(ChannelHandlerContext ctx) {
            ended = true;
            leave();
            ctx.writeAndFlush(new XmlEvent.EndElement(ROOT));
            ctx.close();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            if (ctx.channel().isActive() && !ended) {
                if (!opened) {
                    header(ctx, "localhost"); // RFC 6120, 4.9.1.2: an error is within a stream
                }
                // RFC 6120, 4.9
                XmlName error = new XmlName(STREAMS, "stream", "error");
                ctx.write(XmlEvent.StartElement.of(error), null);
                condition(ctx, ERRORS, condition(cause));
                ctx.write(new XmlEvent.EndElement(error), null);
                end(ctx);
            } else {
                ctx.close();
            }
        }

        /// RFC 6120, 4.9.3.
        private static String condition(Throwable cause) {
            return switch (cause) {
                case XmlException fault when fault.isRestricted() -> "restricted-xml";
                case XmlException _ -> "not-well-formed";
                case PrematureEndException _ -> "not-well-formed";
                default -> "policy-violation";
            };
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            leave();
            ctx.fireChannelInactive();
        }
    }

    private static void say(Channel to, String text) {
        XmlName message = XmlName.of("message");
        XmlName body = XmlName.of("body");
        to.write(XmlEvent.StartElement.of(message, XmlAttribute.of("type", "chat")));
        to.write(XmlEvent.StartElement.of(body));
        to.write(new XmlEvent.Text(text));
        to.write(new XmlEvent.EndElement(body));
        to.writeAndFlush(new XmlEvent.EndElement(message));
    }
}
