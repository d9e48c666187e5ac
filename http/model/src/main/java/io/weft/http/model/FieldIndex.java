package io.weft.http.model;

import io.weft.http.model.Headers.Field;
import org.jspecify.annotations.Nullable;

/// Finds the first field of a name by its hash. Immutable: a thread that sees one sees it whole.
final class FieldIndex {
    /// Each field at the hash of its name or behind it (linear probing).
    private final @Nullable Field[] slots;

    FieldIndex(Field[] fields, int size) {
        @Nullable Field[] made = new Field[Integer.highestOneBit(size) * 4];
        for (int i = 0; i < size; i++) {
            HeaderName name = fields[i].name();
            int slot = name.hash & (made.length - 1);
            Field other = made[slot];
            while (other != null && !other.name().is(name)) {
                slot = slot + 1 & (made.length - 1);
                other = made[slot];
            }
            if (other == null) {
                made[slot] = fields[i];
            }
        }
        slots = made;
    }

    @Nullable Field find(HeaderName name) {
        @Nullable Field[] in = slots;
        for (int slot = name.hash & (in.length - 1); ; slot = slot + 1 & (in.length - 1)) {
            Field field = in[slot];
            if (field == null || field.name().is(name)) {
                return field;
            }
        }
    }

    /// @param name in any case
    @Nullable Field find(String name) {
        @Nullable Field[] in = slots;
        int hash = HeaderName.fold(name);
        for (int slot = hash & (in.length - 1); ; slot = slot + 1 & (in.length - 1)) {
            Field field = in[slot];
            if (field == null || (field.name().hash == hash && field.name().isSpelled(name))) {
                return field;
            }
        }
    }
}
