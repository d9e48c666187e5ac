package io.weft.codec.mqtt;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The properties of a packet of MQTT 5.0, or of a will; none in other versions.
///
/// They are kept as they travel: checked once, and read when asked for. Which packet they may stand
/// in is checked by encoder and decoder. Immutable; any thread.
public final class MqttProperties {
    public static final MqttProperties NONE = new MqttProperties(new byte[0], 0, false);

    /// Length of the identifier before each value, in bytes.
    private static final int ID = 1;

    final byte[] bytes;

    /// A bit for each identifier that is there.
    private final long ids;

    /// True if there are several subscription identifiers.
    private final boolean repeats;

    /// @param bytes without their length, checked
    MqttProperties(byte[] bytes, long ids, boolean repeats) {
        this.bytes = bytes;
        this.ids = ids;
        this.repeats = repeats;
    }

    /// Returns one property.
    ///
    /// @throws IllegalArgumentException when the value is out of its range
    public static <T> MqttProperties of(MqttProperty<T> property, T value) {
        return NONE.with(property, value);
    }

    /// Returns these properties with another one. Where one of the same kind is there it is
    /// replaced, but a user property or a subscription identifier comes behind it.
    ///
    /// @throws IllegalArgumentException when the value is out of its range
    public <T> MqttProperties with(MqttProperty<T> property, T value) {
        boolean several = property.repeats(MqttProperty.place(PacketType.PUBLISH));
        MqttProperties base = several ? this : without(property);
        ByteArrayOutputStream out = new ByteArrayOutputStream(base.bytes.length + 16);
        out.writeBytes(base.bytes);
        out.write(property.id());
        PropertyValues.write(out, property, value);
        return new MqttProperties(
                out.toByteArray(),
                base.ids | 1L << property.id(),
                base.repeats
                        || (several
                                && property.form == MqttProperty.Form.VARIABLE
                                && contains(property)));
    }

    /// As `with(USER_PROPERTY, ...)`.
    public MqttProperties withUser(String name, String value) {
        return with(MqttProperty.USER_PROPERTY, new UserProperty(name, value));
    }

    /// Returns these properties without those of one kind.
    public MqttProperties without(MqttProperty<?> property) {
        if (!contains(property)) {
            return this;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length);
        for (int at = 0; at < bytes.length; ) {
            int end = PropertyValues.end(bytes, at);
            if (bytes[at] != property.id()) {
                out.write(bytes, at, end - at);
            }
            at = end;
        }
        return new MqttProperties(
                out.toByteArray(),
                ids & ~(1L << property.id()),
                repeats && property.form != MqttProperty.Form.VARIABLE);
    }

    public boolean isEmpty() {
        return bytes.length == 0;
    }

    /// Bytes on the wire, without their length.
    public int length() {
        return bytes.length;
    }

    public boolean contains(MqttProperty<?> property) {
        return (ids >> property.id() & 1) != 0;
    }

    /// Returns the value of a property, the first one where there are several; null without one.
    public <T> @Nullable T get(MqttProperty<T> property) {
        int at = find(property, 0);
        return at < 0 ? null : PropertyValues.read(bytes, at + ID, property);
    }

    /// Returns the value of a property, or `otherwise` without one.
    public <T> T get(MqttProperty<T> property, T otherwise) {
        T value = get(property);
        return value == null ? otherwise : value;
    }

    /// Returns the value of a number, or `otherwise` without one; makes no object.
    ///
    /// @throws IllegalArgumentException when values of the property are no numbers
    public long number(MqttProperty<? extends Number> property, long otherwise) {
        int at = find(property, 0);
        return at < 0 ? otherwise : PropertyValues.number(bytes, at + ID, property);
    }

    /// All values of a property, in their order.
    public <T> List<T> all(MqttProperty<T> property) {
        int at = find(property, 0);
        if (at < 0) {
            return List.of();
        }
        List<T> values = new ArrayList<>();
        for (; at >= 0; at = find(property, PropertyValues.end(bytes, at))) {
            values.add(PropertyValues.read(bytes, at + ID, property));
        }
        return List.copyOf(values);
    }

    /// All user properties, in their order.
    public List<UserProperty> user() {
        return all(MqttProperty.USER_PROPERTY);
    }

    private int find(MqttProperty<?> property, int from) {
        if (!contains(property)) {
            return -1;
        }
        for (int at = from; at < bytes.length; at = PropertyValues.end(bytes, at)) {
            if (bytes[at] == property.id()) {
                return at;
            }
        }
        return -1;
    }

    /// Tells if packets that may have the properties `allowed`, a bit each, may have these.
    boolean isWithin(long allowed, boolean mayRepeat) {
        return (ids & ~allowed) == 0 && (mayRepeat || !repeats);
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof MqttProperties p && Arrays.equals(bytes, p.bytes));
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /// Names and values; binary data by its length, other data in the clear.
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("{");
        for (int at = 0; at < bytes.length; at = PropertyValues.end(bytes, at)) {
            MqttProperty<?> property = MqttProperty.of(bytes[at]);
            if (property == null) {
                throw new AssertionError("property " + bytes[at] + " (expected: checked before)");
            }
            text.append(at == 0 ? "" : ", ")
                    .append(property)
                    .append(": ")
                    .append(PropertyValues.read(bytes, at + ID, property));
        }
        return text.append('}').toString();
    }

    static String text(byte[] bytes, int at, int length) {
        return new String(bytes, at, length, StandardCharsets.UTF_8);
    }
}
