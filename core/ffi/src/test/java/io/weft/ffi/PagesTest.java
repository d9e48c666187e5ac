package io.weft.ffi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class PagesTest {
    /// proc_pid_smaps(5)
    private static final Path SMAPS = Path.of("/proc/self/smaps");

    private static final Pattern MAPPING = Pattern.compile("([0-9a-f]+)-([0-9a-f]+) ");

    @Test
    void aFreedRangeStaysAccessible() {
        for (long size : new long[] {100, Pages.SIZE, 1 << 20, 3 << 20, 64 << 20}) {
            long address = Pages.allocate(size);
            Memory.putByte(address, (byte) 1);
            Memory.putByte(address + size - 1, (byte) 2);
            Pages.free(address, size);
            Memory.putByte(address + size - 1, (byte) 3);
            assertThat(Memory.getByte(address)).isIn((byte) 0, (byte) 1);
        }
    }

    @Test
    void addressesAreUsedAgain() {
        long first = Pages.allocate(33 << 20);
        Pages.free(first, 33 << 20);
        long second = Pages.allocate(64 << 20);
        assertThat(second).isEqualTo(first);
        Pages.free(second, 64 << 20);
    }

    @Test
    void rangesNeverOverlap() {
        long[] addresses = new long[600];
        for (int i = 0; i < addresses.length; i++) {
            addresses[i] = Pages.allocate(Pages.SIZE * (long) (1 + i % 3));
            assertThat(addresses[i] % Pages.SIZE).isZero();
            Memory.putInt(addresses[i], i);
        }
        for (int i = 0; i < addresses.length; i++) {
            assertThat(Memory.getInt(addresses[i])).isEqualTo(i);
            Pages.free(addresses[i], Pages.SIZE * (long) (1 + i % 3));
        }
    }

    @Test
    void sizesOutOfRangeAreRefused() {
        assertThatThrownBy(() -> Pages.allocate(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Pages.allocate((1L << 46) + 1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void freedMemoryGoesBackToTheSystem() throws IOException {
        assumeTrue(Files.exists(SMAPS), "the kernel does not show mappings' memory");
        long size = 64 << 20;
        long address = Pages.allocate(size);
        Memory.fill(address, size, (byte) 1);
        long before = resident(address, size);
        Pages.decommit(address, size / 2);
        assertThat(before - resident(address, size)).isGreaterThan(size / 4);
        Pages.free(address, size);
        assertThat(before - resident(address, size)).isGreaterThan(size / 2);
    }

    /// Of the mappings that the range lies in: what else the JVM does with memory meanwhile does
    /// not count.
    private static long resident(long address, long size) throws IOException {
        long resident = 0;
        boolean inside = false;
        for (String line : Files.readAllLines(SMAPS)) {
            Matcher mapping = MAPPING.matcher(line);
            if (mapping.lookingAt()) {
                inside =
                        Long.parseUnsignedLong(mapping.group(1), 16) < address + size
                                && Long.parseUnsignedLong(mapping.group(2), 16) > address;
            } else if (inside && line.startsWith("Rss:")) {
                resident += Long.parseLong(line.replaceAll("\\D", "")) << 10;
            }
        }
        return resident;
    }
}
