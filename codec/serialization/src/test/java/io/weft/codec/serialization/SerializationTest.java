package io.weft.codec.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.codec.CorruptedFrameException;
import io.weft.codec.LimitExceededException;
import io.weft.codec.Output;
import io.weft.codec.serialization.Objects.Envelope;
import io.weft.codec.serialization.Objects.Gadget;
import io.weft.codec.serialization.Objects.Pair;
import io.weft.codec.serialization.Objects.Picky;
import io.weft.codec.serialization.Objects.Point;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SerializationTest {
    private static final AllowList LIST =
            AllowList.of(
                    Point.class,
                    Pair.class,
                    Objects.Colour.class,
                    Envelope.class,
                    Picky.class,
                    ArrayList.class,
                    HashMap.class,
                    HashSet.class);

    private static final ObjectDecoder<Object> DECODER = decoder(SerializationLimits.DEFAULT);

    private static ObjectDecoder<Object> decoder(SerializationLimits limits) {
        return new ObjectDecoder<>(
                Object.class, LIST, limits, SerializationTest.class.getClassLoader());
    }

    private static Object roundTrip(Serializable object) {
        return Objects.decoded(DECODER, Objects.serialized(object));
    }

    @Test
    void objectsOfTheListTravel() {
        List<Serializable> objects =
                List.of(
                        new Point(1, -2),
                        Objects.Colour.RED,
                        "text",
                        42L,
                        true,
                        new ArrayList<>(List.of(new Point(3, 4), "x", 'c', 0.5)),
                        new HashMap<>(Map.of("key", new Point(5, 6))));
        objects.forEach(object -> assertThat(roundTrip(object)).isEqualTo(object));
        assertThat((long[]) roundTrip(new long[] {1, 2})).containsExactly(1, 2);
        Point[][] points = {{new Point(1, 1)}, null};
        assertThat(Arrays.deepEquals((Object[]) roundTrip(points), points)).isTrue();
    }

    @Test
    void aClassThatIsNotOnTheListIsNotEvenLookedUp() {
        List<String> asked = new ArrayList<>();
        ClassLoader loader =
                new ClassLoader(SerializationTest.class.getClassLoader()) {
                    @Override
                    protected Class<?> loadClass(String name, boolean resolve)
                            throws ClassNotFoundException {
                        asked.add(name);
                        return super.loadClass(name, resolve);
                    }
                };
        Gadget.runs = 0;
        var decoder = new ObjectDecoder<>(Object.class, LIST, SerializationLimits.DEFAULT, loader);
        Serializable[] attacks = {
            new Gadget(),
            new Gadget[0],
            new Envelope(new Gadget()),
            new Envelope(new Object[] {new Gadget()}),
            new ArrayList<>(List.of(new Envelope(new Gadget()))),
            new HashMap<>(Map.of(new Envelope(new Gadget()), 1)),
            Gadget.class
        };
        for (Serializable attack : attacks) {
            byte[] frame = Objects.serialized(attack);
            assertThatThrownBy(() -> Objects.decoded(decoder, frame))
                    .as("%s", attack)
                    .isInstanceOf(ForbiddenClassException.class)
                    .hasMessageContaining("Objects$Gadget");
        }
        assertThat(Gadget.runs).isZero();
        assertThat(asked).contains(Envelope.class.getName()).noneMatch(n -> n.contains("Gadget"));
    }

    @Test
    void proxiesAreOnNoList() {
        byte[] frame = Objects.serialized(Objects.proxy());
        ObjectDecoder<Object> all =
                new ObjectDecoder<>(
                        Object.class,
                        AllowList.patterns(
                                "java.lang.Runnable", "java.io.Serializable", "io.weft.**"),
                        SerializationLimits.DEFAULT,
                        SerializationTest.class.getClassLoader());
        assertThatThrownBy(() -> Objects.decoded(all, frame))
                .isInstanceOf(ForbiddenClassException.class)
                .hasMessageContaining("proxy");
    }

    @Test
    void aNameCannotForgeALineOfALog() {
        byte[] frame = Objects.serialized(new Gadget());
        String name = Gadget.class.getName();
        String forged = name.substring(0, name.length() - 6) + "\nFAKE\u001b";
        String wire = new String(frame, java.nio.charset.StandardCharsets.ISO_8859_1);
        byte[] changed =
                wire.replace(name, forged).getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
        assertThatThrownBy(() -> Objects.decoded(DECODER, changed))
                .isInstanceOf(ForbiddenClassException.class)
                .hasMessageContaining("?FAKE?");
    }

    @Test
    void arraysAreNeverLongerThanWhatCanComeBehind() throws IOException {
        // An array of a billion longs, or of as many nulls, in some thirty bytes.
        for (String type : new String[] {"[J", "[Ljava.lang.Object;", "[[B"}) {
            byte[] huge = array(type, 1_000_000_000);
            assertThatThrownBy(() -> Objects.decoded(DECODER, huge))
                    .as(type)
                    .isInstanceOf(LimitExceededException.class)
                    .hasMessageStartingWith("array elements: 1000000000");
            byte[] large = array(type, 60_000);
            assertThatThrownBy(() -> Objects.decoded(DECODER, large))
                    .as(type)
                    .isInstanceOf(LimitExceededException.class)
                    .hasMessageStartingWith("bytes of all arrays: ");
        }
    }

    private static byte[] array(String type, int length) throws IOException {
        ByteArrayOutputStream wire = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(wire);
        out.writeInt(0xACED0005);
        out.write(0x75); // TC_ARRAY
        out.write(0x72); // TC_CLASSDESC
        out.writeUTF(type);
        out.writeLong(
                java.io.ObjectStreamClass.lookupAny(
                                switch (type) {
                                    case "[J" -> long[].class;
                                    case "[[B" -> byte[][].class;
                                    default -> Object[].class;
                                })
                        .getSerialVersionUID());
        out.write(2); // SC_SERIALIZABLE
        out.writeShort(0);
        out.write(0x78); // TC_ENDBLOCKDATA
        out.write(0x70); // no superclass
        out.writeInt(length);
        return wire.toByteArray();
    }

    @Test
    void collectionsMakeNoLargerArraysEither() {
        byte[] frame = Objects.serialized(new ArrayList<>(List.of(1, 2, 3)));
        // The size is the first number behind the descriptor: an int field, and a block of four
        // bytes.
        byte[] changed = frame.clone();
        int at = indexOf(frame, new byte[] {0x78, 0x70, 0, 0, 0, 3}) + 2;
        changed[at] = 0x3F;
        assertThatThrownBy(() -> Objects.decoded(DECODER, changed))
                .isInstanceOf(LimitExceededException.class)
                .hasMessageStartingWith("array elements: ");
    }

    private static int indexOf(byte[] in, byte[] what) {
        for (int i = 0; i <= in.length - what.length; i++) {
            if (Arrays.equals(in, i, i + what.length, what, 0, what.length)) {
                return i;
            }
        }
        throw new AssertionError("not found");
    }

    @Test
    void depthIsLimited() {
        Serializable deep = "bottom";
        for (int i = 0; i < 100; i++) {
            deep = new Envelope(deep);
        }
        byte[] frame = Objects.serialized(deep);
        assertThatThrownBy(() -> Objects.decoded(DECODER, frame))
                .isInstanceOf(LimitExceededException.class)
                .hasMessage("levels of objects: 21 (expected: at most 20)");
    }

    /// Each set is in the next one twice, so that the hash of the last takes 2^100 steps.
    @Test
    void setsOfSetsAreTooDeepBeforeTheyAreTooSlow() {
        HashSet<Object> root = new HashSet<>();
        HashSet<Object> a = root;
        HashSet<Object> b = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            HashSet<Object> nextA = new HashSet<>();
            HashSet<Object> nextB = new HashSet<>(List.of("x"));
            a.add(nextA);
            a.add(nextB);
            b.add(nextA);
            b.add(nextB);
            a = nextA;
            b = nextB;
        }
        byte[] frame = Objects.serialized(root);
        assertThatThrownBy(() -> Objects.decoded(DECODER, frame))
                .isInstanceOf(LimitExceededException.class)
                .hasMessageStartingWith("levels of objects");
    }

    /// In a few kilobytes and within the limit of depth, a hash that takes 10^17 steps.
    @Test
    void wideSetsOfSetsAreRefusedBeforeTheyAreTooSlow() {
        HashSet<Object> root = new HashSet<>();
        List<HashSet<Object>> level = List.of(root);
        for (int depth = 0; depth < 17; depth++) {
            List<HashSet<Object>> next = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                next.add(new HashSet<>(List.of("set " + i)));
            }
            level.forEach(set -> set.addAll(next));
            level = next;
        }
        assertTooSlow(root);
    }

    @Test
    void sharedPartsOfAKeyAreRefusedBeforeTheyAreTooSlow() {
        ArrayList<Object> list = new ArrayList<>();
        Object pair = "bottom";
        for (int depth = 0; depth < 18; depth++) {
            list = new ArrayList<>(java.util.Collections.nCopies(10, list));
        }
        assertTooSlow(list);
        for (int i = 0; i < 9; i++) {
            pair = new Pair(java.util.Collections.nCopies(8, pair).toArray(), pair);
        }
        assertTooSlow((Serializable) pair);
    }

    private static void assertTooSlow(Serializable object) {
        byte[] frame = Objects.serialized(object);
        assertThat(frame).hasSizeLessThan(20_000);
        assertThatThrownBy(() -> Objects.decoded(DECODER, frame))
                .isInstanceOf(LimitExceededException.class)
                .hasMessageStartingWith("steps to hash objects: ");
    }

    @Test
    void partsThatAreSharedOnOneLevelTravel() {
        Pair customer = new Pair(new Point(1, 2), new ArrayList<>(List.of("a", "b", "c")));
        ArrayList<Object> orders = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            orders.add(new Pair(i, customer));
        }
        assertThat(roundTrip(orders)).isEqualTo(orders);
        ArrayList<Object> points = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            points.add(new Pair(i, new Point(i, i)));
        }
        assertThat(roundTrip(points)).isEqualTo(points);
    }

    /// Rows of a table share what describes them, by objects with a hash code of their parts and by
    /// others.
    @Test
    void descriptorsThatManyShareTravel() {
        ArrayList<Object> tags = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            tags.add("tag " + i);
        }
        Pair category = new Pair("category", tags);
        ArrayList<Object> rows = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            rows.add(new Pair("row " + i, category));
        }
        assertThat(roundTrip(rows)).isEqualTo(rows);
        Objects.Envelope described = new Objects.Envelope(new ArrayList<>(rows));
        ArrayList<Object> envelopes = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            envelopes.add(new Pair(i, described));
        }
        assertThat((List<?>) roundTrip(envelopes)).hasSize(500);
    }

    /// The view is whole while the list that it shows is still being read.
    @Test
    void viewOfACollectionInItselfTravels() {
        ArrayList<Object> list = new ArrayList<>();
        List<Object> view = java.util.Collections.unmodifiableList(list);
        list.add(view);
        list.add("last");
        Class<?> type = view.getClass();
        Class<?> above = type.getSuperclass();
        AllowList views = AllowList.of(ArrayList.class, type, above, above.getSuperclass());
        var decoder =
                new ObjectDecoder<>(
                        Object.class,
                        views,
                        SerializationLimits.DEFAULT,
                        SerializationTest.class.getClassLoader());
        Object read = Objects.decoded(decoder, Objects.serialized(list));
        assertThat(((List<?>) java.util.Objects.requireNonNull(read)).getLast()).isEqualTo("last");
    }

    @Test
    void referencesAreLimited() {
        byte[] frame = Objects.serialized(new ArrayList<>(java.util.Collections.nCopies(500, 1)));
        var limits = SerializationLimits.DEFAULT;
        assertThat(Objects.decoded(decoder(limits.references(600)), frame)).isNotNull();
        assertThatThrownBy(() -> Objects.decoded(decoder(limits.references(400)), frame))
                .isInstanceOf(LimitExceededException.class)
                .hasMessage("references: 401 (expected: at most 400)");
    }

    @Test
    void bytesAreLimitedByteExactly() {
        byte[] frame = Objects.serialized("text");
        var limits = SerializationLimits.DEFAULT;
        assertThat(Objects.decoded(decoder(limits.bytes(frame.length)), frame)).isEqualTo("text");
        assertThatThrownBy(() -> Objects.decoded(decoder(limits.bytes(frame.length - 1)), frame))
                .isInstanceOf(LimitExceededException.class)
                .hasMessageStartingWith("object bytes: " + frame.length);
    }

    @Test
    void whatAClassThrowsIsTheStreamsFault() {
        byte[] frame = Objects.serialized(new Picky());
        assertThatThrownBy(() -> Objects.decoded(DECODER, frame))
                .isInstanceOf(CorruptedFrameException.class)
                .hasMessageContaining("java.lang.IllegalStateException");
    }

    @Test
    void whatIsNotOfTheTypeIsRefused() {
        var points = new ObjectDecoder<>(Point.class, LIST);
        assertThat(Objects.decoded(points, Objects.serialized(new Point(1, 2))))
                .isEqualTo(new Point(1, 2));
        assertThatThrownBy(() -> Objects.decoded(points, Objects.serialized("a point")))
                .isInstanceOf(CorruptedFrameException.class)
                .hasMessageContaining("java.lang.String");
        byte[] nothing = {(byte) 0xAC, (byte) 0xED, 0, 5, 0x70};
        assertThatThrownBy(() -> Objects.decoded(points, nothing))
                .isInstanceOf(CorruptedFrameException.class)
                .hasMessageContaining("null");
    }

    @Test
    void whatCannotBeSerializedIsRefused() {
        try (Output out = new Output()) {
            assertThatThrownBy(() -> new ObjectEncoder().encode(new Envelope(new Object()), out))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("java.lang.Object");
        }
    }
}
