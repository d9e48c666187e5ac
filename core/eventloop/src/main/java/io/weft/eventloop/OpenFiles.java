package io.weft.eventloop;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// The files of one loop. Loop only.
final class OpenFiles implements LoopResource {
    private final Set<AsyncFile> open = new LinkedHashSet<>();
    private int opening;

    static OpenFiles of(EventLoop loop) {
        return loop.engine().resource(OpenFiles.class, _ -> new OpenFiles());
    }

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

    @Override
    public void closeAll() {
        List.copyOf(open).forEach(AsyncFile::closeNow);
    }

    /// An operation under way ends with the engine.
    @Override
    public void abortAll() {}

    @Override
    public boolean isEmpty() {
        return opening == 0 && open.isEmpty();
    }
}
