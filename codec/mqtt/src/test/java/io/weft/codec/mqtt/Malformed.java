package io.weft.codec.mqtt;

import java.util.ArrayList;
import java.util.List;

/// Packets that break a rule, each with the reason code that it earns.
final class Malformed {
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Vector(String what, byte[] wire, ReasonCode reason) {
        @Override
        public String toString() {
            return reason + ": " + what;
        }
    }

    /// CONNECT of 3.1, 3.1.1 and 5.0 with an empty or one-letter client identifier.
    static final String OLD = "10 0f 0006 4d5149736470 03 02 0000 0001 61 ";

    static final String V3 = "10 0c 0004 4d515454 04 02 0000 0000 ";
    static final String V5 = "10 0d 0004 4d515454 05 02 0000 00 0000 ";
    private static final String ACK3 = "20 02 00 00 ";
    private static final String ACK5 = "20 03 00 00 00 ";
    private static final String AUTH = "f0 06 18 04 15 0001 6d ";

    private final List<Vector> vectors = new ArrayList<>();

    private Malformed() {}

    private void malformed(String what, String hex) {
        add(ReasonCode.MALFORMED_PACKET, what, hex);
    }

    private void protocol(String what, String hex) {
        add(ReasonCode.PROTOCOL_ERROR, what, hex);
    }

    private void add(ReasonCode reason, String what, String hex) {
        vectors.add(new Vector(what, Wire.hex(hex), reason));
    }

    static List<Vector> ofClients() {
        Malformed m = new Malformed();
        m.headers();
        m.connects();
        m.publishes();
        m.subscribes();
        m.acknowledgements();
        m.properties();
        m.strings();
        return m.vectors;
    }

    static List<Vector> ofServers(MqttVersion version) {
        Malformed m = new Malformed();
        boolean v5 = version.isV5();
        String ack = v5 ? ACK5 : ACK3;
        m.protocol("PUBLISH before CONNACK", "30 03 0001 61");
        m.protocol("CONNECT", V5);
        m.protocol("SUBSCRIBE", ack + "82 00");
        m.protocol("PINGREQ", ack + "c0 00");
        m.protocol("two CONNACKs", ack + ack);
        if (v5) {
            m.protocol("PUBLISH behind AUTH, before CONNACK", AUTH + "30 04 0001 61 00");
        }
        m.malformed("type 0", "00 00");
        m.malformed("flags of CONNACK", "21 02 00 00");
        m.malformed("flags of CONNACK's body", v5 ? "20 03 02 00 00" : "20 02 02 00");
        m.malformed("CONNACK cut off", "20 01 00");
        m.malformed("SUBACK without identifier", ack + "90 01 00");
        m.malformed("PINGRESP with a body", ack + "d0 01");
        if (v5) {
            m.protocol("a session with an error", "20 03 01 80 00");
            m.protocol("reason of another packet", "20 03 00 92 00");
            m.protocol("reason that is none", "20 03 00 7f 00");
            m.protocol("SUBACK, reason of another packet", ack + "90 04 0001 00 92");
            m.malformed("SUBACK without reasons", ack + "90 03 0001 00");
            m.malformed("UNSUBACK without reasons", ack + "b0 03 0001 00");
            m.protocol("DISCONNECT with session expiry", ack + "e0 07 00 05 11 00000000");
            m.protocol("maximum QoS 2", "20 05 00 00 02 24 02");
            m.protocol("receive maximum 0", "20 06 00 00 03 21 0000");
            m.protocol("maximum packet size 0", "20 08 00 00 05 27 00000000");
            m.protocol("AUTH without a method", "f0 00");
            m.protocol("request property in CONNACK", "20 05 00 00 02 17 00");
        } else {
            m.malformed("return code 6", "20 02 00 06");
            m.protocol("a session with an error", "20 02 01 05");
            m.malformed("SUBACK, 3", ack + "90 03 0001 03");
            m.malformed("SUBACK, 0x87", ack + "90 03 0001 87");
            m.protocol("DISCONNECT", ack + "e0 00");
            m.malformed("AUTH", ack + "f0 00");
            m.malformed("UNSUBACK with reasons", ack + "b0 03 0001 00");
        }
        return m.vectors.stream()
                .filter(v -> !v.reason().equals(ReasonCode.SUCCESS))
                .map(v -> fix(v, v5))
                .toList();
    }

    /// Before 5.0 an unknown code is malformed.
    private static Vector fix(Vector v, boolean v5) {
        boolean old = !v5 && v.what().startsWith("SUBACK, ");
        return old ? new Vector(v.what(), v.wire(), old(v)) : v;
    }

    private static ReasonCode old(Vector v) {
        return v.what().endsWith("3") ? ReasonCode.PROTOCOL_ERROR : ReasonCode.MALFORMED_PACKET;
    }

    private void headers() {
        malformed("type 0", "00 00");
        malformed("type 15 before a version", "f0 00");
        malformed("type 15 in 3.1.1", V3 + "f0 00");
        malformed("length of five bytes", "10 ff ff ff ff");
        malformed("length not shortest in 5", V5 + "c0 80 00");
        malformed(
                "CONNECT's length not shortest in 5", "10 8d 00 0004 4d515454 05 02 0000 00 0000");
        malformed("flags of CONNECT", "11 00");
        malformed("flags of SUBSCRIBE", V5 + "80 00");
        malformed("flags of SUBSCRIBE, duplicate in 3.1.1", V3 + "8a 00");
        malformed("flags of UNSUBSCRIBE", V5 + "a0 00");
        malformed("flags of PUBREL", V5 + "60 02 0001");
        malformed("flags of PUBACK", V5 + "42 02 0001");
        malformed("flags of PINGREQ", V5 + "c1 00");
        malformed("flags of DISCONNECT", V5 + "e2 00");
        malformed("PINGREQ with a body", V5 + "c0 01");
        protocol("CONNACK", V5 + "20 02 00 00");
        protocol("SUBACK", V5 + "90 00");
        protocol("UNSUBACK", V5 + "b0 00");
        protocol("PINGRESP", V5 + "d0 00");
        protocol("two CONNECTs", V3 + V3);
        protocol("PUBLISH first", "30 03 0001 61");
        protocol("PINGREQ first", "c0 00");
        add(ReasonCode.PACKET_TOO_LARGE, "a packet above the limit", V5 + "30 a1 1f");
        add(ReasonCode.PACKET_TOO_LARGE, "a CONNECT above the limit", "10 ff ff ff 7f");
    }

    private void connects() {
        String name = "0004 4d515454 ";
        add(ReasonCode.UNSUPPORTED_PROTOCOL_VERSION, "level 6", "10 0c" + name + "06 02 0000 0000");
        add(ReasonCode.UNSUPPORTED_PROTOCOL_VERSION, "level 3", "10 0c" + name + "03 02 0000 0000");
        add(
                ReasonCode.UNSUPPORTED_PROTOCOL_VERSION,
                "another name",
                "10 0c 0004 48545450 04 02 0000 0000");
        malformed("no name", "10 00");
        malformed("a name behind the end", "10 04 0010 4d51");
        malformed("no level", "10 06" + name);
        malformed("reserved flag", "10 0c" + name + "04 03 0000 0000");
        malformed("will of QoS 3", "10 12" + name + "04 1e 0000 0000 0001 61 0001 62");
        malformed("QoS without a will", "10 0c" + name + "04 0a 0000 0000");
        malformed("retain without a will", "10 0c" + name + "04 22 0000 0000");
        malformed("password without a user in 3.1.1", "10 0f" + name + "04 42 0000 0000 0001 61");
        malformed("user name missing", "10 0c" + name + "04 82 0000 0000");
        malformed("bytes behind it", "10 0d" + name + "04 02 0000 0000 00");
        malformed("no keep alive", "10 09" + name + "04 02 00");
        add(
                ReasonCode.CLIENT_IDENTIFIER_NOT_VALID,
                "a session of nobody",
                "10 0c" + name + "04 00 0000 0000");
        add(
                ReasonCode.CLIENT_IDENTIFIER_NOT_VALID,
                "an empty identifier in 3.1",
                "10 0e 0006 4d5149736470 03 02 0000 0000");
        add(
                ReasonCode.CLIENT_IDENTIFIER_NOT_VALID,
                "24 characters in 3.1",
                "10 26 0006 4d5149736470 03 02 0000 0018" + "61".repeat(24));
        add(
                ReasonCode.CLIENT_IDENTIFIER_NOT_VALID,
                "an identifier above the limit",
                "10 8e 02" + name + "05 02 0000 00 0101" + "61".repeat(257));
        add(
                ReasonCode.TOPIC_NAME_INVALID,
                "a will for a wildcard",
                "10 12" + name + "04 06 0000 0000 0001 23 0001 62");
        add(
                ReasonCode.TOPIC_NAME_INVALID,
                "a will without a topic",
                "10 11" + name + "04 06 0000 0000 0000 0001 62");
        protocol("authentication data alone", "10 11" + name + "05 02 0000 04 16 0001 61 0000");
        protocol("a will's property", "10 12" + name + "05 02 0000 05 18 00000000 0000");
    }

    private void publishes() {
        malformed("QoS 3", V5 + "36 05 0001 61 0001");
        malformed("duplicate with QoS 0", V5 + "38 04 0001 61 00");
        malformed("identifier 0", V5 + "32 06 0001 61 0000 00");
        malformed("no identifier", V5 + "32 03 0001 61");
        malformed("no topic", V3 + "30 00");
        malformed("half a length", V3 + "30 01 00");
        malformed("topic behind the end", V3 + "30 03 0002 61");
        malformed("properties behind the end", V5 + "30 04 0001 61 05");
        malformed("property length of five bytes", V5 + "30 08 0001 61 80808080 01");
        add(ReasonCode.TOPIC_NAME_INVALID, "a wildcard +", V5 + "30 04 0001 2b 00");
        add(ReasonCode.TOPIC_NAME_INVALID, "a wildcard #", V3 + "30 05 0003 612f23");
        add(ReasonCode.TOPIC_NAME_INVALID, "empty in 3.1.1", V3 + "30 02 0000");
        protocol("empty without an alias", V5 + "30 03 0000 00");
        add(ReasonCode.TOPIC_ALIAS_INVALID, "alias 0", V5 + "30 07 0001 61 03 23 0000");
        add(ReasonCode.TOPIC_NAME_INVALID, "201 levels", V3 + "30 ca 01 00c8" + "2f".repeat(200));
        add(
                ReasonCode.PACKET_TOO_LARGE,
                "properties above the limit",
                V5 + "30 fc 03 0001 61 f503");
        malformed("a long topic above the packet", V5 + "30 80 02 ffff");
        malformed(
                "a long packet whose properties do not end",
                V5 + "30 80 02 00fe" + "61".repeat(254));
        protocol("a subscription identifier", V5 + "30 06 0001 61 02 0b 01");
    }

    private void subscribes() {
        malformed("SUBSCRIBE, identifier 0", V3 + "82 06 0000 0001 61 00");
        malformed("SUBSCRIBE without filters", V3 + "82 02 0001");
        malformed("SUBSCRIBE without options", V3 + "82 05 0001 0001 61");
        malformed("QoS 3 of a subscription", V3 + "82 06 0001 0001 61 03");
        malformed("reserved bits in 3.1.1", V3 + "82 06 0001 0001 61 04");
        malformed("reserved bits in 5", V5 + "82 07 0001 00 0001 61 40");
        protocol("retain handling 3", V5 + "82 07 0001 00 0001 61 30");
        protocol("a share that is not local", V5 + "82 10 0001 00 000a 2473686172652f612f62 04");
        protocol("subscription identifier 0", V5 + "82 09 0001 02 0b 00 0001 61 00");
        protocol("two subscription identifiers", V5 + "82 0b 0001 04 0b 01 0b 02 0001 61 00");
        for (String filter :
                List.of(
                        "",
                        "a#",
                        "#/a",
                        "a/#/b",
                        "+a",
                        "a+",
                        "a/+b",
                        "$share/a",
                        "$share//a",
                        "$share/a/",
                        "$share/+/a",
                        "$share/a#/b")) {
            byte[] bytes = filter.getBytes(java.nio.charset.StandardCharsets.UTF_8);
            add(
                    ReasonCode.TOPIC_FILTER_INVALID,
                    "filter " + filter,
                    V3
                            + "82 %02x 0001 %04x".formatted(bytes.length + 5, bytes.length)
                            + Wire.hex(bytes)
                            + "00");
            add(
                    ReasonCode.TOPIC_FILTER_INVALID,
                    "filter that ends: " + filter,
                    V3
                            + "a2 %02x 0001 %04x".formatted(bytes.length + 4, bytes.length)
                            + Wire.hex(bytes));
        }
        add(ReasonCode.QUOTA_EXCEEDED, "21 filters", V3 + "a2 41 0001" + "0001 61".repeat(21));
        malformed("UNSUBSCRIBE without filters", V3 + "a2 02 0001");
    }

    private void acknowledgements() {
        for (String type : List.of("40", "50", "62", "70")) {
            malformed(type + " with identifier 0", V3 + type + "02 0000");
            malformed(type + " cut off", V3 + type + "01 00");
            malformed(type + " with a reason in 3.1.1", V3 + type + "03 0001 00");
            protocol(type + " with a reason that is none", V5 + type + "03 0001 7f");
            protocol(type + " with a reason of DISCONNECT", V5 + type + "03 0001 8d");
            malformed(type + " with bytes behind it", V5 + type + "05 0001 00 00 00");
        }
        malformed("DISCONNECT with a body in 3.1.1", V3 + "e0 01 00");
        protocol("DISCONNECT with a server reference", V5 + "e0 06 00 04 1c 0001 61");
        protocol("AUTH without a method", V5 + "f0 02 18 00");
    }

    private void properties() {
        malformed("property 0", V5 + "30 06 0001 61 02 00 00");
        malformed("property 4", V5 + "30 06 0001 61 02 04 00");
        malformed("property 43", V5 + "30 06 0001 61 02 2b 00");
        malformed("property 127", V5 + "30 06 0001 61 02 7f 00");
        malformed("an identifier not shortest", V5 + "30 07 0001 61 03 81 00 00");
        malformed("a value cut off", V5 + "30 05 0001 61 01 01");
        malformed("a text behind the properties", V5 + "30 08 0001 61 03 03 0001 61");
        protocol("payload format 2", V5 + "30 06 0001 61 02 01 02");
        protocol("twice", V5 + "30 08 0001 61 04 01 00 01 00");
        protocol("of CONNECT in PUBLISH", V5 + "30 09 0001 61 05 11 00000000");
        protocol("a response topic with a wildcard", V5 + "30 08 0001 61 04 08 0001 23");
        protocol("an empty response topic", V5 + "30 07 0001 61 03 08 0000");
        malformed("half a pair", V5 + "30 08 0001 61 04 26 0001 61");
    }

    private void strings() {
        for (String bad :
                List.of(
                        "00",
                        "80",
                        "c0 80",
                        "c1 bf",
                        "ed a0 80",
                        "ed bf bf",
                        "f4 90 80 80",
                        "f5 80 80 80",
                        "e2 82",
                        "ff")) {
            int length = Wire.hex(bad).length;
            malformed("UTF-8 " + bad, V3 + "30 %02x %04x".formatted(length + 2, length) + bad);
            malformed(
                    "UTF-8 behind text: " + bad,
                    V3 + "30 %02x %04x".formatted(length + 10, length + 8) + "61".repeat(8) + bad);
        }
    }
}
