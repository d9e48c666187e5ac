package io.weft.http.forms;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/// The place on disk for what is too much for memory, with a quota over all forms that use it.
///
/// Each form has one file for all its parts that need it, which its owner alone may read and write.
/// It is deleted when the form is closed. On Unix it has no name from the moment on that it was
/// made, so that nothing is left of it even if the process is killed; elsewhere the JVM deletes it
/// when it is closed.
///
/// Any thread may use it.
public final class FormStorage {
    /// Bytes on disk of all forms of [#DEFAULT] together: 1 GiB.
    public static final long DEFAULT_QUOTA = 1L << 30;

    /// In the directory of the property `java.io.tmpdir`.
    public static final FormStorage DEFAULT =
            in(Path.of(System.getProperty("java.io.tmpdir", "/tmp")), DEFAULT_QUOTA);

    private static final Set<StandardOpenOption> OPTIONS =
            Set.of(
                    StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.DELETE_ON_CLOSE);

    private static final SecureRandom RANDOM = new SecureRandom();

    private final Path directory;
    private final long quota;
    private final AtomicLong used = new AtomicLong();

    private FormStorage(Path directory, long quota) {
        this.directory = directory;
        this.quota = quota;
    }

    /// @param directory that exists, when it is needed
    /// @param quota bytes on disk, of all forms together
    /// @throws IllegalArgumentException when the quota is negative
    public static FormStorage in(Path directory, long quota) {
        if (quota < 0) {
            throw new IllegalArgumentException("quota: " + quota + " (expected: >= 0)");
        }
        return new FormStorage(directory, quota);
    }

    /// Returns the bytes that open forms have on disk.
    public long used() {
        return used.get();
    }

    /// Opens a new file.
    FileChannel open() throws IOException {
        FileAttribute<?>[] attributes = {};
        if (FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
            attributes =
                    new FileAttribute<?>[] {
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rw-------"))
                    };
        }
        while (true) {
            byte[] random = new byte[16];
            RANDOM.nextBytes(random);
            String name = "weft-form-" + HexFormat.of().formatHex(random);
            try {
                return FileChannel.open(directory.resolve(name), OPTIONS, attributes);
            } catch (FileAlreadyExistsException e) {
                // 128 random bits: somebody else guesses them, or it is a test. Another name.
                if (!Files.isDirectory(directory)) {
                    throw e;
                }
            }
        }
    }

    /// @throws StorageFullException when the quota does not allow as many bytes more
    void reserve(long bytes) throws StorageFullException {
        long now = used.addAndGet(bytes);
        if (now > quota) {
            used.addAndGet(-bytes);
            throw new StorageFullException(now, quota);
        }
    }

    void release(long bytes) {
        used.addAndGet(-bytes);
    }

    /// All forms together have as much on disk as they may.
    static final class StorageFullException extends IOException {
        private static final long serialVersionUID = 1L;

        StorageFullException(long bytes, long quota) {
            super("bytes of forms on disk: " + bytes + " (expected: at most " + quota + ")");
        }
    }
}
