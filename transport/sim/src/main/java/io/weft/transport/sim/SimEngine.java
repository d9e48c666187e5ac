package io.weft.transport.sim;

import io.weft.engine.Accepted;
import io.weft.engine.ChannelOptions;
import io.weft.engine.DatagramEvents;
import io.weft.engine.DatagramHandle;
import io.weft.engine.Engine;
import io.weft.engine.ListenEvents;
import io.weft.engine.ListenHandle;
import io.weft.engine.StreamEvents;
import io.weft.engine.StreamHandle;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The engine of one loop on a simulated host. What the network brings is noted by [#ready], and
/// told by the next poll.
final class SimEngine implements Engine {
    private final SimHost host;
    private final Set<Notice.Target> open = new LinkedHashSet<>();
    private List<Notice> ready = new ArrayList<>();
    private List<Notice> spare = new ArrayList<>();

    SimEngine(SimHost host) {
        this.host = host;
    }

    SimHost host() {
        return host;
    }

    void ready(Notice notice) {
        ready.add(notice);
    }

    boolean hasReady() {
        return !ready.isEmpty();
    }

    void opened(Notice.Target target) {
        open.add(target);
    }

    void closed(Notice.Target target) {
        open.remove(target);
    }

    @Override
    public void poll(long timeoutNanos) {
        if (ready.isEmpty()) {
            return;
        }
        List<Notice> taken = ready;
        ready = spare;
        if (host.strikes(Fault.REORDER)) {
            shuffle(taken);
        }
        RuntimeException failure = null;
        for (Notice notice : taken) {
            notice.taken();
            try {
                notice.target().ready();
            } catch (RuntimeException e) {
                notice.target().abandon();
                failure = e;
            }
        }
        taken.clear();
        spare = taken;
        if (failure != null) {
            throw failure;
        }
    }

    private void shuffle(List<Notice> notices) {
        for (int i = notices.size() - 1; i > 0; i--) {
            int other = host.simulation().dice().nextInt(i + 1);
            Notice one = notices.get(i);
            notices.set(i, notices.get(other));
            notices.set(other, one);
        }
    }

    @Override
    public void wakeup() {}

    @Override
    public boolean isIdle() {
        return open.isEmpty();
    }

    @Override
    public void close() {
        for (Notice.Target target : List.copyOf(open)) {
            target.abandon();
        }
    }

    private static InetSocketAddress inet(SocketAddress address) {
        if (!(address instanceof InetSocketAddress inet)) {
            throw new UnsupportedAddressTypeException();
        }
        if (inet.isUnresolved()) {
            throw new UnresolvedAddressException();
        }
        return inet;
    }

    @Override
    public ListenHandle listen(SocketAddress address, ChannelOptions options, ListenEvents events)
            throws IOException {
        return new SimListener(this, inet(address), options, events);
    }

    @Override
    public StreamHandle connect(SocketAddress address, ChannelOptions options, StreamEvents events)
            throws IOException {
        InetSocketAddress remote = inet(address);
        host.open(Fault.SOCKET_EMFILE, "socket");
        SimConnection connection = new SimConnection(host, remote, options);
        connection.clientEnd().start(this, events);
        connection.syn(0);
        return connection.clientEnd();
    }

    @Override
    public DatagramHandle datagrams(
            @Nullable SocketAddress local,
            @Nullable SocketAddress peer,
            ChannelOptions options,
            DatagramEvents events)
            throws IOException {
        return new SimDatagrams(
                this,
                local == null ? null : inet(local),
                peer == null ? null : inet(peer),
                options,
                events);
    }

    @Override
    public StreamHandle adopt(Accepted accepted, StreamEvents events) throws IOException {
        SimStream stream = (SimStream) accepted;
        if (host.strikes(Fault.ADOPT_FAILS)) {
            stream.close();
            throw new IOException("adopt: Cannot allocate memory");
        }
        try {
            stream.start(this, events);
        } catch (Throwable t) {
            stream.close();
            throw t;
        }
        return stream;
    }
}
