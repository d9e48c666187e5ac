package io.weft.channel;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// The files of one loop, which closes them before it ends. Loop only.
final class OpenFiles {
    private final Set<AsyncFile> open = new LinkedHashSet<>();
    private int opening;

    void opening() {
        opening++;
    }

    void notOpened() {
        opening--;
    }

    void opened(AsyncFile file) {
        opening--;
        open.add(file);
    }

    void closed(AsyncFile file) {
        open.remove(file);
    }

    void closeAll() {
        List.copyOf(open).forEach(AsyncFile::closeNow);
    }

    /// None is open, or about to be.
    boolean isEmpty() {
        return opening == 0 && open.isEmpty();
    }
}
