package io.weft.http.hpack;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MetFieldsTest {
    private final EncoderTable table = new EncoderTable(4096);
    private final MetFields met = new MetFields();

    private static List<Headers.Field> fields(int count) {
        List<Headers.Field> fields = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            fields.add(new Headers.Field(HeaderName.of("x-name-" + i), "value"));
        }
        return fields;
    }

    /// Puts a field into the table.
    private long add(Headers.Field field) {
        byte[] value = new byte[20];
        int size = field.name().length() + HpackField.OVERHEAD;
        table.add(EncoderTable.hash(field.name(), value, 0), field.name(), value, 0, size);
        return table.number(StaticTable.LAST + 1);
    }

    @Test
    void fieldsOfALargeResponseAreAllKept() {
        List<Headers.Field> fields = fields(40);
        List<Long> numbers = new ArrayList<>();
        for (Headers.Field field : fields) {
            assertThat(met.number(field)).isEqualTo(MetFields.NONE);
            numbers.add(add(field));
            met.put(field, numbers.getLast(), table);
        }
        assertThat(fields).extracting(met::number).isEqualTo(numbers);
    }

    @Test
    void equalFieldIsAnotherObject() {
        Headers.Field field = fields(1).getFirst();
        met.put(field, -7, table);
        assertThat(met.number(field)).isEqualTo(-7);
        assertThat(met.number(fields(1).getFirst())).isEqualTo(MetFields.NONE);
        met.put(field, -8, table);
        assertThat(met.number(field)).isEqualTo(-8);
    }

    @Test
    void fieldsThatHaveLeftTheTableGiveTheirPlaces() {
        for (Headers.Field field : fields(1000)) {
            met.put(field, add(field), table);
        }
        table.capacity(0);
        table.capacity(4096);
        List<Headers.Field> fields = fields(40);
        List<Long> numbers = new ArrayList<>();
        for (Headers.Field field : fields) {
            numbers.add(add(field));
            met.put(field, numbers.getLast(), table);
        }
        assertThat(fields).extracting(met::number).isEqualTo(numbers);
    }

    @Test
    void lastFieldIsKeptWhenAllPlacesAreTaken() {
        for (Headers.Field field : fields(500)) {
            met.put(field, -1, table);
            assertThat(met.number(field)).isEqualTo(-1);
        }
    }
}
