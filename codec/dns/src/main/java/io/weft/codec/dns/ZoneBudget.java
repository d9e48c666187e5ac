package io.weft.codec.dns;

/// Resources that a master file may still use, together with the files that it includes.
final class ZoneBudget {
    private final int maxFiles;
    private final long maxFileOctets;
    private int generated;
    private long generatedOctets;
    private int files;
    private long fileOctets;

    ZoneBudget(int maxFiles, long maxFileOctets) {
        if (maxFiles < 0 || maxFileOctets < 0) {
            throw new IllegalArgumentException(
                    "maxFiles, maxOctets: "
                            + maxFiles
                            + ", "
                            + maxFileOctets
                            + " (expected: >= 0, >= 0)");
        }
        this.maxFiles = maxFiles;
        this.maxFileOctets = maxFileOctets;
    }

    /// Takes the records of a series.
    ///
    /// @throws IllegalArgumentException if there are too many
    void series(Series series) {
        generated += series.size(ZoneDecoder.MAX_GENERATED - generated);
    }

    /// Takes the text of a generated record.
    ///
    /// @throws IllegalArgumentException if there is too much
    void generated(int octets) {
        generatedOctets += octets;
        if (generatedOctets > ZoneDecoder.MAX_GENERATED_OCTETS) {
            throw new IllegalArgumentException(
                    "$GENERATE: above "
                            + ZoneDecoder.MAX_GENERATED_OCTETS
                            + " octets of text (expected: not)");
        }
    }

    /// Takes an included file, before it is read.
    ///
    /// @throws IllegalArgumentException if there are too many
    void file() {
        if (files == maxFiles) {
            throw new IllegalArgumentException(
                    "$INCLUDE: files (expected: at most " + maxFiles + ")");
        }
        files++;
    }

    /// Takes the octets of an included file.
    ///
    /// @throws IllegalArgumentException if there are too many
    void fileOctets(int octets) {
        fileOctets += octets;
        if (fileOctets > maxFileOctets) {
            throw new IllegalArgumentException(
                    "$INCLUDE: "
                            + fileOctets
                            + " octets of files (expected: at most "
                            + maxFileOctets
                            + ")");
        }
    }
}
