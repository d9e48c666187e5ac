package io.weft.http.model;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Headers of both kinds, made of text and of bytes, against a list of fields.
class HeadersModelTest {
    private static final List<HeaderName> NAMES =
            IntStream.range(0, 40)
                    .mapToObj(
                            i ->
                                    switch (i % 4) {
                                        case 0 -> HeaderName.HOST;
                                        case 1 -> HeaderName.X_REQUEST_ID;
                                        default -> HeaderName.of("x-" + i);
                                    })
                    .toList();

    private static final class Model {
        final List<Headers.Field> fields = new ArrayList<>();
        HeadersBuilder text = Headers.builder();
        HeadersBuilder bytes = Headers.builder();

        void add(HeaderName name, String value) {
            fields.add(new Headers.Field(name, value));
            // Equal and not the same, as a name is that somebody else has made.
            text.add(HeaderName.of(name.toString()), value);
            bytes.add(name, value.getBytes(ISO_8859_1), 0, value.length());
        }

        void set(HeaderName name, String value) {
            fields.removeIf(field -> field.name().equals(name));
            fields.add(new Headers.Field(name, value));
            text.set(name, value);
            bytes.set(name, value);
        }

        void remove(HeaderName name) {
            fields.removeIf(field -> field.name().equals(name));
            text.remove(name);
            bytes.remove(name);
        }

        void check() {
            for (Headers headers : List.of(text.build(), bytes.build())) {
                assertThat(headers).containsExactlyElementsOf(fields);
                for (HeaderName name : NAMES) {
                    List<String> values =
                            fields.stream()
                                    .filter(field -> field.name().equals(name))
                                    .map(Headers.Field::value)
                                    .toList();
                    assertThat(headers.all(name)).isEqualTo(values);
                    assertThat(headers.all(name.toString().toUpperCase(java.util.Locale.ROOT)))
                            .isEqualTo(values);
                    assertThat(headers.first(name))
                            .isEqualTo(values.isEmpty() ? null : values.getFirst());
                    assertThat(headers.contains(name)).isEqualTo(!values.isEmpty());
                }
            }
            assertThat(text.build())
                    .isEqualTo(bytes.build())
                    .hasSameHashCodeAs(bytes.build())
                    .hasToString(bytes.build().toString());
            String lines = written(bytes.build());
            for (int i = 0; i < 3; i++) {
                assertThat(written(text.build())).isEqualTo(lines).hasSize(length(text.build()));
            }
        }
    }

    private static int length(Headers headers) {
        return headers.sectionLength();
    }

    private static String written(Headers headers) {
        try (Buffer out = BufferAllocator.pooled().allocate(16)) {
            headers.writeTo(out);
            assertThat(headers.isAt(out, 0)).isTrue();
            return out.readString(ISO_8859_1);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void bothKindsAreAsTheListOfTheirFields(long seed) {
        Random random = new Random(seed);
        Model model = new Model();
        for (int step = 0; step < 300; step++) {
            HeaderName name = NAMES.get(random.nextInt(NAMES.size()));
            String value = "v\u00e4".repeat(random.nextInt(4)) + step;
            switch (random.nextInt(8)) {
                case 0 -> model.remove(name);
                case 1 -> model.set(name, value);
                case 2 -> {
                    Headers before = model.text.build();
                    String lines = written(before);
                    model.text = before.toBuilder();
                    model.bytes = model.bytes.build().toBuilder();
                    model.add(name, value);
                    model.remove(NAMES.get(random.nextInt(NAMES.size())));
                    assertThat(written(before)).isEqualTo(lines);
                }
                default -> model.add(name, value);
            }
            if (step % 10 == 0) {
                model.check();
            }
        }
        model.check();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 5, 8, 9, 126, 127, 128, 129, 300})
    void eachFieldIsFoundAmongAnyNumber(int size) {
        HeadersBuilder builder = Headers.builder();
        for (int i = 0; i < size; i++) {
            builder.add("name-" + i, "value " + i);
        }
        Headers headers = builder.build();
        for (int i = 0; i < size; i++) {
            assertThat(headers.first(HeaderName.of("Name-" + i))).isEqualTo("value " + i);
        }
        assertThat(headers.first(HeaderName.of("name-" + size))).isNull();
        assertThat(headers.toBuilder().build()).isSameAs(headers);
    }
}
