package io.weft.resolver.dns;

import io.weft.loop.Future;
import io.weft.loop.Futures;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The file that a resolver's configuration is read from, again when it has changed. It is read on
/// a virtual thread; the rest is the loop's.
final class ConfigFile {
    /// No file: a configuration that is given.
    static final ConfigFile NONE = new ConfigFile(null);

    private static final long EVERY = Duration.ofSeconds(5).toNanos();

    /// A state of a file; all of it changes when the file is replaced.
    private record Version(long modified, long size, @Nullable Object key) {
        static final Version MISSING = new Version(0, -1, null);

        static Version of(Path file) throws IOException {
            try {
                BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
                return new Version(now.lastModifiedTime().toMillis(), now.size(), now.fileKey());
            } catch (NoSuchFileException _) {
                return MISSING;
            }
        }
    }

    private record Reading(Version version, @Nullable ResolverConfig config) {}

    private final @Nullable Path file;
    private Version version = Version.MISSING;
    private long lookedAt;
    private boolean looked;
    private boolean looking;

    private ConfigFile(@Nullable Path file) {
        this.file = file;
    }

    static ConfigFile of(Path file) {
        return new ConfigFile(file);
    }

    ResolverConfig first() {
        try {
            Reading reading = read(file, null);
            version = reading.version;
            return reading.config == null ? ResolverConfig.DEFAULT : reading.config;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Reading read(@Nullable Path file, @Nullable Version known) throws IOException {
        if (file == null) {
            return new Reading(Version.MISSING, null);
        }
        Version now = Version.of(file);
        // One that is missing is being replaced, or will be there again.
        if (now.equals(known) || (known != null && now.equals(Version.MISSING))) {
            return new Reading(now, null);
        }
        ResolverConfig config =
                file.equals(ResolvConf.SYSTEM) ? ResolvConf.system() : ResolvConf.read(file);
        return new Reading(now, config);
    }

    /// Begins to look at the file, unless it was looked at a moment ago.
    void readIfChanged(Exchanges exchanges) {
        long now = exchanges.loop.clock().nanoTime();
        if (file == null || looking) {
            return;
        }
        if (!looked) {
            looked = true;
            lookedAt = now;
        }
        if (now - lookedAt < EVERY) {
            return;
        }
        lookedAt = now;
        looking = true;
        Version known = version;
        Future<Reading> reading = Futures.onVirtualThread(exchanges.loop, () -> read(file, known));
        var _ =
                reading.addListener(
                        outcome -> {
                            looking = false;
                            Reading read = outcome.now();
                            // One that cannot be read now leaves the old one as it is.
                            if (read != null && read.config != null) {
                                version = read.version;
                                exchanges.config(read.config);
                            }
                        });
    }
}
