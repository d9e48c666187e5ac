package io.weft.conformance.rig;

import io.weft.buffer.Buffer;
import io.weft.engine.Accepted;
import io.weft.engine.Datagram;
import io.weft.engine.DatagramEvents;
import io.weft.engine.DescriptorMessage;
import io.weft.engine.ListenEvents;
import io.weft.engine.ReadyEvents;
import io.weft.engine.StreamEvents;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/// Everything that an engine may tell, written down; reactions to an event run in its callback.
public final class EngineEvents implements StreamEvents, ListenEvents, DatagramEvents, ReadyEvents {
    public final List<String> seen = new ArrayList<>();
    public final Queue<Accepted> accepted = new ArrayDeque<>();

    /// Bytes and datagrams that came, as text.
    public final StringBuilder text = new StringBuilder();

    private final Map<String, Runnable> reactions = new HashMap<>();

    /// Runs `reaction` each time `event` is told.
    public EngineEvents on(String event, Runnable reaction) {
        reactions.put(event, reaction);
        return this;
    }

    public boolean heard(String event) {
        return seen.contains(event);
    }

    private void tell(String event) {
        seen.add(event);
        Runnable reaction = reactions.get(event);
        if (reaction != null) {
            reaction.run();
        }
    }

    private void take(Buffer bytes) {
        try (bytes) {
            text.append(bytes.readString(StandardCharsets.UTF_8));
        }
    }

    @Override
    public void accepted(Accepted connection) {
        accepted.add(connection);
        tell("accepted");
    }

    @Override
    public void exhausted(IOException cause) {
        tell("exhausted");
    }

    @Override
    public void connected() {
        tell("connected");
    }

    @Override
    public void received(Buffer bytes) {
        take(bytes);
        tell("received");
    }

    @Override
    public void received(DescriptorMessage message) {
        message.close();
        tell("descriptors");
    }

    @Override
    public void received(Datagram datagram) {
        take(datagram.content());
        tell("received");
    }

    @Override
    public void receiveComplete() {
        tell("receiveComplete");
    }

    @Override
    public void inputClosed() {
        tell("inputClosed");
    }

    @Override
    public void sent(int count) {
        tell("sent");
    }

    @Override
    public void ready(boolean readable, boolean writable) {
        tell("ready");
    }

    @Override
    public void failed(IOException cause) {
        tell("failed");
    }

    @Override
    public void closed() {
        tell("closed");
    }
}
