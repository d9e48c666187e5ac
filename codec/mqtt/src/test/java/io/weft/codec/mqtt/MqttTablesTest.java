package io.weft.codec.mqtt;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The tables of MQTT 5.0: properties (2.2.2.2) and reason codes (2.4), copied from it.
class MqttTablesTest {
    private static String places(MqttProperty<?> property) {
        List<String> places = new ArrayList<>();
        for (PacketType type : PacketType.values()) {
            if (property.isOf(type)) {
                places.add(type.name());
            }
        }
        if (property.isOfWills()) {
            places.add("WILL");
        }
        return String.join(" ", new TreeSet<>(places));
    }

    private static String sorted(String words) {
        return String.join(" ", new TreeSet<>(List.of(words.split(" ", -1))));
    }

    @ParameterizedTest
    @CsvSource({
        "0x01, PUBLISH WILL",
        "0x02, PUBLISH WILL",
        "0x03, PUBLISH WILL",
        "0x08, PUBLISH WILL",
        "0x09, PUBLISH WILL",
        "0x0B, PUBLISH SUBSCRIBE",
        "0x11, CONNECT CONNACK DISCONNECT",
        "0x12, CONNACK",
        "0x13, CONNACK",
        "0x15, CONNECT CONNACK AUTH",
        "0x16, CONNECT CONNACK AUTH",
        "0x17, CONNECT",
        "0x18, WILL",
        "0x19, CONNECT",
        "0x1A, CONNACK",
        "0x1C, CONNACK DISCONNECT",
        "0x1F, CONNACK PUBACK PUBREC PUBREL PUBCOMP SUBACK UNSUBACK DISCONNECT AUTH",
        "0x21, CONNECT CONNACK",
        "0x22, CONNECT CONNACK",
        "0x23, PUBLISH",
        "0x24, CONNACK",
        "0x25, CONNACK",
        "0x26, CONNECT CONNACK PUBLISH WILL PUBACK PUBREC PUBREL PUBCOMP SUBSCRIBE SUBACK"
                + " UNSUBSCRIBE UNSUBACK DISCONNECT AUTH",
        "0x27, CONNECT CONNACK",
        "0x28, CONNACK",
        "0x29, CONNACK",
        "0x2A, CONNACK"
    })
    void propertiesStandInThePacketsOfTheTable(int id, String places) {
        MqttProperty<?> property = MqttProperty.of(id);
        assertThat(property).isNotNull();
        assertThat(places(property)).isEqualTo(sorted(places));
        for (PacketType type : PacketType.values()) {
            assertThat(property.mayRepeatIn(type) && property.isOf(type))
                    .as("%s repeats in %s", property, type)
                    .isEqualTo(
                            property.isOf(type)
                                    && (id == 0x26 || (id == 0x0B && type == PacketType.PUBLISH)));
        }
    }

    @Test
    void thereAreAsManyPropertiesAndReasonCodesAsInTheTables() {
        assertThat(MqttProperty.all()).hasSize(27);
        assertThat(ReasonCode.values()).hasSize(43);
        assertThat(MqttProperty.of(0x04)).isNull();
        assertThat(MqttProperty.of(0x2B)).isNull();
        assertThat(ReasonCode.of(0x03)).isNull();
        assertThat(ReasonCode.of(0xA3)).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "0x00, CONNACK PUBACK PUBREC PUBREL PUBCOMP SUBACK UNSUBACK DISCONNECT AUTH",
        "0x01, SUBACK",
        "0x02, SUBACK",
        "0x04, DISCONNECT",
        "0x10, PUBACK PUBREC",
        "0x11, UNSUBACK",
        "0x18, AUTH",
        "0x19, AUTH",
        "0x80, CONNACK PUBACK PUBREC SUBACK UNSUBACK DISCONNECT",
        "0x81, CONNACK DISCONNECT",
        "0x82, CONNACK DISCONNECT",
        "0x83, CONNACK PUBACK PUBREC SUBACK UNSUBACK DISCONNECT",
        "0x84, CONNACK",
        "0x85, CONNACK",
        "0x86, CONNACK",
        "0x87, CONNACK PUBACK PUBREC SUBACK UNSUBACK DISCONNECT",
        "0x88, CONNACK",
        "0x89, CONNACK DISCONNECT",
        "0x8A, CONNACK",
        "0x8B, DISCONNECT",
        "0x8C, CONNACK DISCONNECT",
        "0x8D, DISCONNECT",
        "0x8E, DISCONNECT",
        "0x8F, SUBACK UNSUBACK DISCONNECT",
        "0x90, CONNACK PUBACK PUBREC DISCONNECT",
        "0x91, PUBACK PUBREC SUBACK UNSUBACK",
        "0x92, PUBREL PUBCOMP",
        "0x93, DISCONNECT",
        "0x94, DISCONNECT",
        "0x95, CONNACK DISCONNECT",
        "0x96, DISCONNECT",
        "0x97, CONNACK PUBACK PUBREC SUBACK DISCONNECT",
        "0x98, DISCONNECT",
        "0x99, CONNACK PUBACK PUBREC DISCONNECT",
        "0x9A, CONNACK DISCONNECT",
        "0x9B, CONNACK DISCONNECT",
        "0x9C, CONNACK DISCONNECT",
        "0x9D, CONNACK DISCONNECT",
        "0x9E, SUBACK DISCONNECT",
        "0x9F, CONNACK DISCONNECT",
        "0xA0, DISCONNECT",
        "0xA1, SUBACK DISCONNECT",
        "0xA2, SUBACK DISCONNECT"
    })
    void reasonCodesAreOfThePacketsOfTheTable(int number, String packets) {
        ReasonCode code = ReasonCode.of(number);
        assertThat(code).isNotNull();
        Set<String> types = new TreeSet<>();
        for (PacketType type : PacketType.values()) {
            if (code.isOf(type)) {
                types.add(type.name());
            }
        }
        assertThat(String.join(" ", types)).isEqualTo(sorted(packets));
        assertThat(code.isError()).isEqualTo(number >= 0x80);
    }
}
