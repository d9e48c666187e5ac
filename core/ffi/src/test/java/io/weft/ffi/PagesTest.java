package io.weft.ffi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Scanner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class PagesTest {
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
        long size = 64 << 20;
        long address = Pages.allocate(size);
        Memory.fill(address, size, (byte) 1);
        long before = resident();
        Pages.decommit(address, size / 2);
        assertThat(before - resident()).isGreaterThan(size / 4);
        Pages.free(address, size);
        assertThat(before - resident()).isGreaterThan(size / 2);
    }

    private static long resident() throws IOException {
        try (Scanner statm = new Scanner(Path.of("/proc/self/statm"), StandardCharsets.US_ASCII)) {
            statm.nextLong();
            return statm.nextLong() * Pages.SIZE;
        }
    }
}
