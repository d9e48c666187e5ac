package io.weft.channel;

/// Who connected to a Unix domain socket, or listens there, at the time when he did.
///
/// @param pid of the process; 0 when it is not of our namespace
/// @param uid of the user
/// @param gid of the group
public record PeerCredentials(int pid, int uid, int gid) {}
