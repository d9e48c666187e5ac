package io.weft.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Ledger;
import java.io.BufferedInputStream;
import java.io.InputStream;
import java.net.Socket;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class XmlStreamServerTest {
    private static final String OPEN = "<stream:stream xmlns:stream='s' to='a&amp;b'>";

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private static String talk(String said) throws Exception {
        try (Served server = Served.start(XmlStreamServer::start, "nio");
                Socket socket = server.connect()) {
            socket.getOutputStream().write(said.getBytes(UTF_8));
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        }
    }

    @Test
    void pingIsAnswered() throws Exception {
        assertThat(
                        talk(
                                OPEN
                                        + "<iq type='get' id='&lt;1'><ping xmlns='urn:xmpp:ping'/></iq>"
                                        + "<iq type='set' id='2'><foo/></iq></stream:stream>"))
                .startsWith("<?xml version=\"1.0\"?><stream:stream xmlns=\"jabber:client\"")
                .contains("from=\"a&amp;b\"")
                .contains("<iq type=\"result\" id=\"&lt;1\"></iq>")
                .contains("<service-unavailable xmlns=")
                .endsWith("</stream:stream>");
    }

    @Test
    void faultsEndTheStreamWithTheirCondition() throws Exception {
        assertThat(talk(OPEN + "<a></b></a>"))
                .contains("<not-well-formed xmlns=\"urn:ietf:params:xml:ns:xmpp-streams\">")
                .endsWith("</stream:error></stream:stream>");
        assertThat(talk(OPEN + "<a>" + "x".repeat(70_000))).contains("<policy-violation");
    }

    @Test
    void faultsBeforeTheHeaderAreToldInAStream() throws Exception {
        String[][] faults = {
            {"hello", "not-well-formed"},
            {"<a b=<", "not-well-formed"},
            {"GET / HTTP/1.1\r\n\r\n", "not-well-formed"},
            {"<!DOCTYPE a []><a>", "restricted-xml"},
            {"<?xml version='1.0'?><!-- a --><a>", "restricted-xml"},
            {"<?php a?><a>", "restricted-xml"},
            {"<a b='" + "x".repeat(70_000), "policy-violation"}
        };
        for (String[] fault : faults) {
            assertThat(talk(fault[0]))
                    .as(fault[0])
                    .startsWith("<?xml version=\"1.0\"?><stream:stream xmlns=\"jabber:client\"")
                    .contains("<stream:error><" + fault[1] + " xmlns=")
                    .doesNotContain("features")
                    .endsWith("</stream:error></stream:stream>");
        }
    }

    @Test
    void whatStreamsDoNotHaveIsRestricted() throws Exception {
        for (String part : List.of("<!-- a -->", "<?a b?>", "<a>&nbsp;</a>", "<a><!-- b --></a>")) {
            assertThat(talk(OPEN + part)).as(part).contains("<restricted-xml xmlns=");
        }
    }

    @Test
    void messagesReachOthers() throws Exception {
        try (Served server = Served.start(XmlStreamServer::start, "nio");
                Socket one = server.connect();
                Socket other = server.connect()) {
            for (Socket socket : new Socket[] {one, other}) {
                socket.getOutputStream().write(OPEN.getBytes(UTF_8));
                await(socket, "</stream:features>");
            }
            one.getOutputStream().write("<message><body>1 &lt; 2</body></message>".getBytes(UTF_8));
            assertThat(await(other, "</message>"))
                    .isEqualTo("<message type=\"chat\"><body>1 &lt; 2</body></message>");
        }
    }

    /// Attack class: a client that makes others lose their connections by what it says.
    @Test
    void floodOfOneResetsNobodyElse() throws Exception {
        String large = "<message><body>" + "x".repeat(60_000) + "</body></message>";
        try (Served server = Served.start(XmlStreamServer::start, "nio");
                Socket flooder = server.connect();
                Socket first = server.connect();
                Socket second = server.connect();
                Socket third = server.connect()) {
            for (Socket socket : new Socket[] {flooder, first, second, third}) {
                socket.getOutputStream().write(OPEN.getBytes(UTF_8));
                await(socket, "</stream:features>");
            }
            for (int i = 0; i < 400; i++) {
                flooder.getOutputStream().write(large.getBytes(UTF_8));
            }
            for (Socket socket : new Socket[] {flooder, first, second, third}) {
                String ping = "<iq type='get' id='last'><ping/></iq>";
                socket.getOutputStream().write(ping.getBytes(UTF_8));
                await(
                        new BufferedInputStream(socket.getInputStream()),
                        "<iq type=\"result\" id=\"last\"></iq>");
            }
        }
    }

    private static String await(Socket socket, String end) throws Exception {
        return await(socket.getInputStream(), end);
    }

    private static String await(InputStream in, String end) throws Exception {
        StringBuilder text = new StringBuilder();
        while (text.length() < end.length()
                || text.indexOf(end, text.length() - end.length()) < 0) {
            int b = in.read();
            assertThat(b).as("end of input").isNotNegative();
            text.append((char) b);
        }
        return text.toString();
    }
}
