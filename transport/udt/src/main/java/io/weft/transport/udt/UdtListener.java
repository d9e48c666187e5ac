package io.weft.transport.udt;

import io.weft.buffer.Buffer;
import io.weft.engine.CallbackFaults;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.engine.ListenEvents;
import io.weft.engine.ListenHandle;
import io.weft.transport.udt.machine.Greeter;
import io.weft.transport.udt.machine.PacketSink;
import io.weft.transport.udt.machine.Terms;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;

/// A listener at a port: answers handshakes, and keeps a connection for each client whose cookie is
/// good. On the port's loop.
final class UdtListener implements ListenHandle {
    private static final int SECRET = 32;

    /// A client's request, which it repeats until it hears of its connection.
    private record Request(InetSocketAddress from, int socket, int sequence) {}

    private final UdtPort port;
    private final UdtAddress address;
    private final ChannelOptions options;
    private final ListenEvents events;
    private final Greeter greeter;
    private final ArrayDeque<UdtStream> backlog = new ArrayDeque<>();
    private final Map<Request, Known> known = new HashMap<>();
    private final CallbackFaults faults = new CallbackFaults();
    private boolean accepting;
    private boolean closed;

    private record Known(Session session, Terms terms) {}

    UdtListener(UdtPort port, UdtAddress address, ChannelOptions options, ListenEvents events) {
        this.port = port;
        this.address = address;
        this.options = options;
        this.events = events;
        byte[] secret = new byte[SECRET];
        port.random.nextBytes(secret);
        greeter = new Greeter(Session.offer(address), secret, port.now());
    }

    /// A packet has come for whoever listens.
    void received(Buffer packet, InetSocketAddress from, long now) {
        try {
            answer(packet, from, now);
        } catch (RuntimeException | Error e) {
            report(e);
        }
    }

    private void answer(Buffer packet, InetSocketAddress from, long now) {
        PacketSink sink = port.sink(from);
        Greeter.Guest guest = greeter.received(packet, from, now, sink);
        if (guest == null) {
            return;
        }
        Request request =
                new Request(from, guest.handshake().socket(), guest.handshake().sequence());
        Known before = known.get(request);
        if (before != null && !before.session.isGone()) {
            greeter.accept(guest, before.terms, sink);
        } else if (hasRoom()) {
            greet(guest, request, sink);
        }
    }

    /// Without room the client is left unanswered, and asks again.
    private boolean hasRoom() {
        if (port.connections() >= address.limits().connections()
                || backlog.size() >= options.get(ChannelOption.SO_BACKLOG)) {
            return false;
        }
        if (known.size() > 2 * port.connections() + 16) {
            known.values().removeIf(old -> old.session.isGone());
        }
        return true;
    }

    private void greet(Greeter.Guest guest, Request request, PacketSink sink) {
        Terms terms = greeter.terms(guest, port.newId());
        UdtAddress peer = address.at(request.from);
        UdtStream stream = new UdtStream(address, peer, options);
        Session session = Session.accepted(port, peer, stream, terms);
        stream.accepted(session);
        known.put(request, new Known(session, terms));
        port.add(session);
        greeter.accept(guest, terms, sink);
        backlog.add(stream);
        handUp();
    }

    private void handUp() {
        while (accepting && !closed) {
            UdtStream next = backlog.poll();
            if (next == null) {
                return;
            }
            try {
                events.accepted(next);
            } catch (Throwable t) {
                if (!next.isAdopted()) {
                    next.close();
                }
                report(t);
            }
        }
    }

    /// Has the loop log what a callback or a greeting threw. Thrown to the engine, it would cost
    /// the port, and all connections over it.
    private void report(Throwable fault) {
        faults.add(fault);
        try {
            port.loop.executeUnbounded(faults::rethrow);
        } catch (RejectedExecutionException e) {
            // The loop ends, and its engine closes the port.
        }
    }

    @Override
    public void accept() {
        if (!accepting && !closed) {
            accepting = true;
            if (!backlog.isEmpty()) {
                port.loop.executeUnbounded(this::handUp); // not within this call
            }
        }
    }

    @Override
    public void pause() {
        accepting = false;
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        accepting = false;
        for (UdtStream waiting; (waiting = backlog.poll()) != null; ) {
            waiting.close();
        }
        known.clear();
        port.listenerClosed();
        events.closed();
    }

    @Override
    public SocketAddress localAddress() {
        return address;
    }

    @Override
    public <T> T option(ChannelOption<T> option) {
        throw new UnsupportedOperationException(option + " of a UDT listener");
    }

    @Override
    public <T> void option(ChannelOption<T> option, T value) {
        throw new UnsupportedOperationException(option + " of a UDT listener");
    }
}
