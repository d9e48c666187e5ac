package io.weft.transport.udt.machine;

/// A snapshot of the counts and estimates of one connection.
///
/// @param sent packets of data, repetitions too
/// @param repeated packets of data that were sent again
/// @param dropped messages whose time to live was over
/// @param received packets of data, duplicates too
/// @param duplicates packets of data that had come before
/// @param missed packets of data that were reported as lost
/// @param inFlight packets that are not acknowledged
/// @param window packets that may be in flight
/// @param period microseconds between two packets
/// @param roundTrip in microseconds
/// @param deliveryRate packets a second that the peer gets
/// @param capacity packets a second that the path is thought to carry
public record Measures(
        long sent,
        long repeated,
        long dropped,
        long received,
        long duplicates,
        long missed,
        int inFlight,
        int window,
        double period,
        long roundTrip,
        int deliveryRate,
        int capacity) {}
