package io.weft.examples.mail;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The directories of a Maildir, `tmp`, `new` and `cur`, and files in them that only their owner
/// may read. A name is durable when its directory is forced to the disk.
final class MailFolder {
    private MailFolder() {}

    /// Makes the folder, with the directories above it, unless they are there.
    static void create(Path folder) throws IOException {
        for (String name : List.of("tmp", "new", "cur")) {
            createDirectory(folder.resolve(name));
        }
    }

    private static void createDirectory(Path directory) throws IOException {
        if (Files.isDirectory(directory)) {
            return;
        }
        Path parent = directory.toAbsolutePath().getParent();
        if (parent != null) {
            createDirectory(parent);
        }
        try {
            Files.createDirectory(directory, attributes(directory, "rwx------"));
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(directory)) {
                throw e;
            }
        }
        if (parent != null) {
            force(parent);
        }
    }

    private static FileAttribute<?>[] attributes(Path at, String permissions) {
        boolean posix = at.getFileSystem().supportedFileAttributeViews().contains("posix");
        return posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    /// Makes a file that is not there.
    static FileChannel create(Path file, OpenOption... options) throws IOException {
        Set<OpenOption> all = new HashSet<>(List.of(options));
        all.add(CREATE_NEW);
        return FileChannel.open(file, all, attributes(file, "rw-------"));
    }

    /// Makes the names in a directory durable.
    static void force(Path directory) throws IOException {
        try (FileChannel open = FileChannel.open(directory, READ)) {
            open.force(true);
        }
    }

    /// Removes what a run that was killed has left. To be called before the first message.
    static void clean(Path folder) throws IOException {
        Path tmp = folder.resolve("tmp");
        if (!Files.isDirectory(tmp)) {
            return;
        }
        try (DirectoryStream<Path> left = Files.newDirectoryStream(tmp, "*.weft*")) {
            for (Path file : left) {
                Files.deleteIfExists(file);
            }
        }
    }
}
