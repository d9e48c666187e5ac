package io.weft.http.forms;

/// Limits of what one form may cost.
///
/// @param parts fields and files of a form, 1 to 1,000,000
/// @param nameBytes of the name of a part, and of the name of a file
/// @param headerBytes of the header section of a part
/// @param valueBytes of a field's value
/// @param fileBytes of a file
/// @param totalBytes of all values and files together
/// @param memoryBytes of all values and files together that stay in memory; the rest goes to disk
public record FormLimits(
        int parts,
        int nameBytes,
        int headerBytes,
        int valueBytes,
        long fileBytes,
        long totalBytes,
        int memoryBytes) {
    public static final FormLimits DEFAULT =
            new FormLimits(128, 1024, 4096, 1 << 20, 64L << 20, 64L << 20, 64 << 10);

    /// @throws IllegalArgumentException when one is not positive, `memoryBytes` is negative, or one
    ///     that is an `int` above 1 GiB
    public FormLimits {
        inRange("parts", parts, 1, 1_000_000);
        inRange("nameBytes", nameBytes, 1, 1 << 20);
        inRange("headerBytes", headerBytes, 1, 1 << 20);
        inRange("valueBytes", valueBytes, 1, 1 << 30);
        inRange("fileBytes", fileBytes, 1, Long.MAX_VALUE);
        inRange("totalBytes", totalBytes, 1, Long.MAX_VALUE);
        inRange("memoryBytes", memoryBytes, 0, 1 << 30);
    }

    private static void inRange(String what, long value, long from, long to) {
        if (value < from || value > to) {
            throw new IllegalArgumentException(
                    what + ": " + value + " (expected: " + from + ".." + to + ")");
        }
    }

    public FormLimits withParts(int count) {
        return new FormLimits(
                count, nameBytes, headerBytes, valueBytes, fileBytes, totalBytes, memoryBytes);
    }

    public FormLimits withNameBytes(int bytes) {
        return new FormLimits(
                parts, bytes, headerBytes, valueBytes, fileBytes, totalBytes, memoryBytes);
    }

    public FormLimits withHeaderBytes(int bytes) {
        return new FormLimits(
                parts, nameBytes, bytes, valueBytes, fileBytes, totalBytes, memoryBytes);
    }

    public FormLimits withValueBytes(int bytes) {
        return new FormLimits(
                parts, nameBytes, headerBytes, bytes, fileBytes, totalBytes, memoryBytes);
    }

    public FormLimits withFileBytes(long bytes) {
        return new FormLimits(
                parts, nameBytes, headerBytes, valueBytes, bytes, totalBytes, memoryBytes);
    }

    public FormLimits withTotalBytes(long bytes) {
        return new FormLimits(
                parts, nameBytes, headerBytes, valueBytes, fileBytes, bytes, memoryBytes);
    }

    public FormLimits withMemoryBytes(int bytes) {
        return new FormLimits(
                parts, nameBytes, headerBytes, valueBytes, fileBytes, totalBytes, bytes);
    }
}
