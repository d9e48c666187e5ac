package io.weft.http.forms;

import io.weft.buffer.Buffer;
import io.weft.http.forms.FormEvent.PartData;
import io.weft.http.forms.FormEvent.PartEnd;
import io.weft.http.forms.FormEvent.PartStart;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Keeps the parts of a form as they come: in memory as long as there is room, then in one file.
final class PartKeeper implements Consumer<FormEvent>, AutoCloseable {
    private final FormFile file;
    private final List<PartContent> contents = new ArrayList<>();
    private final List<FormPart> parts = new ArrayList<>();
    private long room;
    private @Nullable PartContent current;

    PartKeeper(FormLimits limits, FormStorage storage) {
        file = new FormFile(storage);
        this.room = limits.memoryBytes();
    }

    @Override
    public void accept(FormEvent event) {
        switch (event) {
            case PartStart start -> {
                PartContent content = new PartContent(file);
                contents.add(content);
                parts.add(new FormPart(start, content));
                current = content;
            }
            case PartData data -> {
                try (Buffer bytes = data.bytes()) {
                    add(bytes);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
            case PartEnd _ -> current = null;
        }
    }

    private void add(Buffer bytes) throws IOException {
        PartContent to = current;
        if (to == null) {
            throw new AssertionError("content without a part");
        }
        if (to.isInMemory()) {
            if (bytes.readableBytes() <= room) {
                room -= bytes.readableBytes();
            } else {
                room += to.length();
                to.toDisk();
            }
        }
        to.add(bytes);
    }

    Form form() {
        return new Form(parts, this);
    }

    @Override
    public void close() {
        contents.forEach(PartContent::close);
        file.close();
    }
}
