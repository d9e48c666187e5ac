package io.weft.engine;

import io.weft.loop.LoopDriver;
import io.weft.loop.Promise;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.SelectableChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Moves bytes and descriptors for the channels of one loop.
///
/// The interface is completion-shaped: a channel asks for something and is told what completed. A
/// completion engine (io_uring) passes the request on; a readiness engine (epoll, NIO) makes the
/// call when the descriptor is ready.
///
/// Engines know nothing of pipelines and handlers. All methods but [#wakeup] are called on the
/// loop's thread. Callbacks run on that thread too, from [#poll] unless a method says that it may
/// call back at once.
///
/// A callback that throws is a bug, or the process is out of memory. It costs that channel alone:
/// the engine closes it with a reset, goes on with its batch, and throws from [#poll] at the end
/// ([CallbackFaults]). A listener goes on; the connection is closed unless it was adopted.
public interface Engine extends LoopDriver {
    /// Starts to listen on `address`. Accepting begins with [ListenHandle#accept].
    ///
    /// @throws IOException when the address cannot be bound; nothing is left open then
    ListenHandle listen(SocketAddress address, ChannelOptions options, ListenEvents events)
            throws IOException;

    /// Starts to listen on a listening descriptor that was passed or inherited, and takes it over:
    /// it is the handle's, or closed if this throws.
    ///
    /// @throws IOException when it is no descriptor of a listening stream
    /// @throws UnsupportedOperationException when this engine takes none; it stays the caller's
    ///     then
    default ListenHandle listen(int descriptor, ChannelOptions options, ListenEvents events)
            throws IOException {
        throw new UnsupportedOperationException("descriptors: of " + getClass().getName());
    }

    /// Starts to connect; [StreamEvents#connected] or [StreamEvents#failed] tells the outcome.
    ///
    /// @throws IOException when the attempt cannot even start; nothing is left open then
    StreamHandle connect(SocketAddress address, ChannelOptions options, StreamEvents events)
            throws IOException;

    /// Opens a socket for datagrams, over UDP, or between Unix domain sockets.
    ///
    /// @param local to bind to; null: the system chooses when something is sent
    /// @param peer to receive from alone; null: from any sender
    /// @throws IOException when an address cannot be had; nothing is left open then
    /// @throws UnsupportedOperationException when this engine has none
    default DatagramHandle datagrams(
            @Nullable SocketAddress local,
            @Nullable SocketAddress peer,
            ChannelOptions options,
            DatagramEvents events)
            throws IOException {
        throw new UnsupportedOperationException("datagrams: of " + getClass().getName());
    }

    /// Takes a connected stream's descriptor over, to be adopted.
    ///
    /// @throws IOException when it is no such descriptor
    /// @throws UnsupportedOperationException when this engine takes none
    default Accepted take(int descriptor) throws IOException {
        throw new UnsupportedOperationException("descriptors: of " + getClass().getName());
    }

    /// Watches a descriptor that another owner keeps.
    ///
    /// @throws IOException when it is no descriptor, or cannot be watched
    /// @throws UnsupportedOperationException when this engine watches none
    default ReadyHandle watch(int descriptor, ReadyEvents events) throws IOException {
        throw new UnsupportedOperationException("descriptors: of " + getClass().getName());
    }

    /// Watches a non-blocking channel that another owner keeps.
    ///
    /// @throws IOException when it is closed
    /// @throws UnsupportedOperationException when this engine watches none
    default ReadyHandle watch(SelectableChannel channel, ReadyEvents events) throws IOException {
        throw new UnsupportedOperationException("channels: of " + getClass().getName());
    }

    /// Opens a file that this engine reads and writes by itself.
    ///
    /// @param options among `READ`, `WRITE`, `CREATE`, `CREATE_NEW` and `TRUNCATE_EXISTING` of
    ///     `StandardOpenOption`
    /// @param opened gets the file, or what is wrong with it
    /// @return false when this engine has no files, and nothing was done
    default boolean openFile(Path path, Set<OpenOption> options, Promise<FileHandle> opened) {
        return false;
    }

    /// Returns what tells from where a connection would go out. By default that is not known.
    default SourceAddresses sourceAddresses() {
        return SourceAddresses.UNKNOWN;
    }

    /// Makes an accepted connection one of this engine's streams. It may have been accepted by
    /// another engine of the same kind.
    ///
    /// Whatever this throws, an `Error` too, the connection is closed then.
    ///
    /// @throws IOException when it cannot be registered
    StreamHandle adopt(Accepted accepted, StreamEvents events) throws IOException;
}
