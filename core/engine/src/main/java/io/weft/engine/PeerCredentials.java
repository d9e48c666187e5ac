package io.weft.engine;

/// Credentials of the peer of a Unix domain socket, captured when it connected or began to listen.
///
/// @param pid of the process; 0 if it is not of our namespace
/// @param uid of the user
/// @param gid of the group
public record PeerCredentials(int pid, int uid, int gid) {}
