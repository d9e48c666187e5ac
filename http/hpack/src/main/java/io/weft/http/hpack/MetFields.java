package io.weft.http.hpack;

import io.weft.http.model.Headers;
import org.jspecify.annotations.Nullable;

/// Fields that an encoder has met as objects, and where each is: the constants of a program come
/// again as the same objects, and are found without a look at name or value.
///
/// A field is in one of eight places, one behind the other. A place that was taken is never free
/// again, so that a search may end at one that is.
final class MetFields {
    /// Instead of a number, for a field that is not here.
    static final long NONE = Long.MIN_VALUE;

    private static final int SIZE = 64;
    private static final int PLACES = 8;

    private final Headers.@Nullable Field[] fields = new Headers.Field[SIZE];

    /// The number of an entry of the dynamic table, or the negative index of a static one.
    private final long[] numbers = new long[SIZE];

    private static int home(Headers.Field field) {
        int hash = (field.name().hashCode() + field.value().length()) * 0x9E3779B9;
        return hash >>> 26;
    }

    /// Returns the number of a field, or [#NONE]; its entry may have left the table.
    @SuppressWarnings("ReferenceEquality") // one that is equal is found by its value
    long number(Headers.Field field) {
        int home = home(field);
        for (int i = 0; i < PLACES; i++) {
            int place = (home + i) & (SIZE - 1);
            Headers.Field there = fields[place];
            if (there == field) {
                return numbers[place];
            }
            if (there == null) {
                break;
            }
        }
        return NONE;
    }

    /// Keeps a field with its number, in the place of one that has left the table, a free one, or
    /// else the first.
    void put(Headers.Field field, long number, EncoderTable table) {
        int place = place(field, table);
        fields[place] = field;
        numbers[place] = number;
    }

    @SuppressWarnings("ReferenceEquality")
    private int place(Headers.Field field, EncoderTable table) {
        int home = home(field);
        int left = -1;
        for (int i = 0; i < PLACES; i++) {
            int place = (home + i) & (SIZE - 1);
            Headers.Field there = fields[place];
            if (there == field) {
                return place;
            }
            if (there == null) {
                return left >= 0 ? left : place;
            }
            if (left < 0 && numbers[place] >= 0 && table.indexOf(numbers[place]) == 0) {
                left = place;
            }
        }
        return left >= 0 ? left : home;
    }
}
