package io.weft.codec.xml;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.codec.LimitExceededException;
import io.weft.codec.PrematureEndException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class XmlFrameTest {
    private static List<String> decode(String wire) {
        XmlFrameDecoder decoder = new XmlFrameDecoder(100);
        List<String> frames = new ArrayList<>();
        try (Buffer in = Events.buffer(wire.getBytes(UTF_8))) {
            decoder.decode(in, frame -> frames.add(take(frame)));
            decoder.end(frame -> frames.add(take(frame)));
        }
        return frames;
    }

    private static String take(Buffer frame) {
        try (frame) {
            return frame.readString(UTF_8);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<a/>",
                "<a b='>'>x</a>",
                "<a b=\"'/>\" />",
                "<a><a/><b><a></a></b></a>",
                "<a><!-- </a> - --></a>",
                "<a><![CDATA[</a>]]]]></a>",
                "<?xml version='1.0'?><!-- <x> --> <a><?pi </a> ??></a>",
                "<a b/c></a>",
                "<é>ü</é>",
                "\uFEFF<a/>",
                "\uFEFF<?xml version='1.0'?><a/>",
            })
    void documentIsOneFrame(String document) {
        assertThat(decode(" " + document + "\r\n\t" + document))
                .containsExactly(document, document);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<!DOCTYPE a><a/>",
                "<a><!DOCTYPE a></a>",
                "x<a/>",
                "</a>",
                "<a <b/>",
                "< a/>",
                "<>",
                "<a><!-- -- --></a>",
                "<a><![cdata[]]></a>",
                "<![CDATA[]]>",
                "\uFEFF\uFEFF<a/>",
                "\uFEFFx<a/>",
                "\uFEFE<a/>",
                "\uFE00<a/>",
                "<!-- -->\uFEFF<a/>",
            })
    void othersAreRefused(String wire) {
        assertThatThrownBy(() -> decode(wire)).isInstanceOf(XmlException.class);
    }

    @Test
    void byteOrderMarkMayBeSplit() {
        byte[] wire = " \uFEFF<a/>\uFEFF<b/>".getBytes(UTF_8);
        XmlFrameDecoder decoder = new XmlFrameDecoder(100);
        List<String> frames = new ArrayList<>();
        try (Buffer in = Events.buffer(new byte[0])) {
            for (byte b : wire) {
                in.ensureWritable(1);
                in.writeByte(b);
                decoder.decode(in, frame -> frames.add(take(frame)));
            }
            decoder.end(frame -> frames.add(take(frame)));
        }
        assertThat(frames).containsExactly("\uFEFF<a/>", "\uFEFF<b/>");
    }

    @Test
    void framesAreLimitedAndWhole() {
        assertThat(decode("<a>" + "x".repeat(93) + "</a>")).hasSize(1);
        assertThatThrownBy(() -> decode("<a>" + "x".repeat(94) + "</a>"))
                .isInstanceOf(LimitExceededException.class);
        assertThatThrownBy(() -> decode("<a/><b>")).isInstanceOf(PrematureEndException.class);
    }
}
