package io.weft.conformance.rig;

import io.weft.channel.Channel;
import io.weft.channel.ChannelInitializer;
import io.weft.engine.ChannelOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/// One accepted channel and its peer, wherever they are: the tests that need no more run on
/// channels without a network too.
public interface Subject extends AutoCloseable {
    Channel channel();

    void peerSends(String text) throws IOException;

    /// Returns the next bytes that the peer receives, as many as asked for.
    String peerReceives(int length) throws IOException;

    /// Returns the bytes that the peer receives until the channel's output ends.
    String peerReceivesAll() throws IOException;

    /// The peer sends nothing any more.
    void peerEnds() throws IOException;

    /// The connection breaks.
    void peerResets() throws IOException;

    /// Runs `action` on the loop and waits for it.
    void onLoop(Runnable action);

    /// Lets the channel go on until `condition` holds.
    void await(String what, BooleanSupplier condition);

    /// Checks that nothing is left.
    @Override
    void close() throws IOException;

    /// @param options of the accepted channel
    static Subject open(String transport, ChannelOptions options, ChannelInitializer initializer)
            throws IOException {
        return switch (transport) {
            case "embedded" -> new EmbeddedSubject(options, initializer);
            case String name when name.startsWith("serial-") ->
                    new SerialSubject(name.substring("serial-".length()), options, initializer);
            default -> new ConnectedSubject(transport, options, initializer);
        };
    }

    /// Longest wait for an event that must happen; for an embedded channel in its own time.
    Duration PATIENCE = Duration.ofSeconds(Rig.PATIENCE_SECONDS);
}
