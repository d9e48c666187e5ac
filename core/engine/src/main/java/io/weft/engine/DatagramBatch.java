package io.weft.engine;

/// Datagrams to be sent in order. It changes only between [DatagramHandle#send] calls.
public interface DatagramBatch {
    /// Returns the number of datagrams; at least 1 while sending.
    int count();

    /// The datagram at `index`, from 0.
    Datagram datagram(int index);
}
