package io.weft.simulation;

import java.util.ArrayList;
import java.util.List;

/// The counts of an episode, and its violations of invariants.
final class Tally {
    long connects;
    long connected;
    long refused;
    long answers;
    long bytes;
    long ends;
    long cutShort;
    long timers;
    private final List<String> broken = new ArrayList<>();

    /// Something that must never happen has happened.
    void broken(String invariant) {
        if (broken.size() < 100) {
            broken.add(invariant);
        }
    }

    List<String> broken() {
        return broken;
    }

    void add(Tally other) {
        connects += other.connects;
        connected += other.connected;
        refused += other.refused;
        answers += other.answers;
        bytes += other.bytes;
        ends += other.ends;
        cutShort += other.cutShort;
        timers += other.timers;
        broken.addAll(other.broken);
    }

    @Override
    public String toString() {
        return "%,d connects, %,d connected, %,d failed; %,d answers, %,d bytes; %,d cut short; %,d timers"
                .formatted(connects, connected, refused, answers, bytes, cutShort, timers);
    }
}
