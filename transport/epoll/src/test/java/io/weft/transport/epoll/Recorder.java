package io.weft.transport.epoll;

import io.weft.buffer.Buffer;
import io.weft.engine.Accepted;
import io.weft.engine.DescriptorMessage;
import io.weft.engine.ListenEvents;
import io.weft.engine.StreamEvents;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Writes down what an engine tells, and does something at one of the events.
final class Recorder implements StreamEvents, ListenEvents {
    final List<String> events = new ArrayList<>();
    final List<Accepted> accepted = new ArrayList<>();
    @Nullable IOException cause;
    private String trigger = "";
    private Runnable action = () -> {};

    Recorder at(String event, Runnable reaction) {
        trigger = event;
        action = reaction;
        return this;
    }

    boolean heard(String event) {
        return events.contains(event);
    }

    private void add(String event) {
        events.add(event);
        if (event.equals(trigger)) {
            action.run();
        }
    }

    @Override
    public void connected() {
        add("connected");
    }

    @Override
    public void received(Buffer bytes) {
        String text = bytes.readString(StandardCharsets.UTF_8);
        bytes.release();
        add(text);
    }

    @Override
    public void received(DescriptorMessage message) {
        message.close();
        add("descriptors");
    }

    @Override
    public void receiveComplete() {
        add("receiveComplete");
    }

    @Override
    public void inputClosed() {
        add("inputClosed");
    }

    @Override
    public void sent(int bytes) {
        add("sent");
    }

    @Override
    public void failed(IOException failure) {
        cause = failure;
        add("failed");
    }

    @Override
    public void accepted(Accepted connection) {
        accepted.add(connection);
        add("accepted");
    }

    @Override
    public void exhausted(IOException failure) {
        cause = failure;
        add("exhausted");
    }

    @Override
    public void closed() {
        add("closed");
    }
}
