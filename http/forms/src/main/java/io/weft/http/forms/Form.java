package io.weft.http.forms;

import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A form that came in whole, in memory and on disk; see [Forms]. A name may stand several times.
///
/// Its owner closes it, which deletes its temporary file. Thread: one at a time; [#close] any.
public final class Form implements Iterable<FormPart>, AutoCloseable {
    private final List<FormPart> parts;
    private final PartKeeper keeper;

    Form(List<FormPart> parts, PartKeeper keeper) {
        this.parts = List.copyOf(parts);
        this.keeper = keeper;
    }

    /// Returns all fields and files, in their order.
    public List<FormPart> parts() {
        return parts;
    }

    /// Returns the first part of that name; null if there is none.
    public @Nullable FormPart part(String name) {
        for (FormPart part : parts) {
            if (part.name().equals(name)) {
                return part;
            }
        }
        return null;
    }

    /// Returns all parts of that name, in their order.
    public List<FormPart> all(String name) {
        return parts.stream().filter(part -> part.name().equals(name)).toList();
    }

    /// Returns the text of the first field of that name that is no file; null if there is none.
    ///
    /// @throws IOException when it cannot be read back from the disk
    public @Nullable String text(String name) throws IOException {
        for (FormPart part : parts) {
            if (!part.isFile() && part.name().equals(name)) {
                return part.text();
            }
        }
        return null;
    }

    /// Returns the first file of that field; null if there is none, or one was not chosen: then it
    /// has neither a name nor content.
    public @Nullable FormPart file(String name) {
        for (FormPart part : parts) {
            if (part.name().equals(name) && isChosen(part)) {
                return part;
            }
        }
        return null;
    }

    /// Returns all files that were chosen, in their order.
    public List<FormPart> files() {
        return parts.stream().filter(Form::isChosen).toList();
    }

    private static boolean isChosen(FormPart part) {
        return part.isFile() && !("".equals(part.fileName()) && part.length() == 0);
    }

    @Override
    public Iterator<FormPart> iterator() {
        return parts.iterator();
    }

    /// Gives up the content of all parts. Closing again changes nothing.
    @Override
    public void close() {
        keeper.close();
    }

    /// Names only: the rest may be secrets.
    @Override
    public String toString() {
        return parts.toString();
    }
}
