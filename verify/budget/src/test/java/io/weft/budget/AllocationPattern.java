package io.weft.budget;

import java.util.List;
import java.util.Random;

/// Sizes of the buffers that a kind of traffic asks for, and the number open at a time on one
/// thread.
enum AllocationPattern {
    /// Receives of 16 KiB, heads and answers gathered from 256 bytes on, some bodies.
    HTTP(
            1500,
            new Share(40, 16_384, 16_384),
            new Share(35, 200, 1_200),
            new Share(15, 1_200, 4_096),
            new Share(8, 4_096, 32_768),
            new Share(2, 32_768, 1_000_000)),

    /// Frame heads, header blocks, many small messages, a few streams' windows.
    GRPC(
            6000,
            new Share(30, 9, 64),
            new Share(30, 64, 512),
            new Share(30, 512, 4_096),
            new Share(9, 4_096, 16_393),
            new Share(1, 65_536, 131_072)),

    /// Files and backups.
    BULK(
            40,
            new Share(20, 65_536, 65_536),
            new Share(50, 131_072, 1_048_576),
            new Share(30, 1_048_577, 4_194_304));

    /// @param percent of all buffers
    private record Share(int percent, int from, int to) {}

    final int open;

    @SuppressWarnings("ImmutableEnumChecker") // nobody changes it
    private final List<Share> shares;

    AllocationPattern(int open, Share... shares) {
        this.open = open;
        this.shares = List.of(shares);
    }

    int next(Random random) {
        int percent = random.nextInt(100);
        int i = 0;
        while (percent >= shares.get(i).percent) {
            percent -= shares.get(i).percent;
            i++;
        }
        return random.nextInt(shares.get(i).from, shares.get(i).to + 1);
    }
}
