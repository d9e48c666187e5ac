package io.weft.channel;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// All that is open on one loop, which ends it before the loop ends: channels, listeners, watched
/// descriptors, files, and connects by name that have no outcome. Loop only.
final class OpenResources {
    private @Nullable Channel firstChannel;
    private @Nullable ServerChannel firstListener;

    /// Made with the first.
    private @Nullable Set<Readiness> watched;

    /// Made with the first.
    private @Nullable OpenFiles files;

    /// Made with the first.
    private @Nullable Set<ConnectRace> races;

    /// Tells if nothing is left that keeps the loop from ending.
    boolean isEmpty() {
        return firstChannel == null && firstListener == null && (files == null || files.isEmpty());
    }

    /// Closes everything in order. Channels are gone later.
    void closeAll() {
        for (ServerChannel s = firstListener; s != null; ) {
            ServerChannel next = s.nextListener;
            s.close();
            s = next;
        }
        if (races != null) {
            List.copyOf(races).forEach(ConnectRace::giveUp);
        }
        for (Channel c = firstChannel; c != null; ) {
            Channel next = c.nextOpen;
            c.close();
            c = next;
        }
        if (watched != null) {
            List.copyOf(watched).forEach(Readiness::close);
        }
        if (files != null) {
            files.closeAll();
        }
    }

    /// Ends channels whose time to close in order is over.
    void abortAll() {
        for (Channel c = firstChannel; c != null; ) {
            Channel next = c.nextOpen;
            c.life().endNow();
            c = next;
        }
    }

    void opened(Channel channel) {
        channel.nextOpen = firstChannel;
        if (firstChannel != null) {
            firstChannel.prevOpen = channel;
        }
        firstChannel = channel;
    }

    void closed(Channel channel) {
        if (channel.prevOpen != null) {
            channel.prevOpen.nextOpen = channel.nextOpen;
        } else if (firstChannel == channel) {
            firstChannel = channel.nextOpen;
        }
        if (channel.nextOpen != null) {
            channel.nextOpen.prevOpen = channel.prevOpen;
        }
        // nextOpen stays: somebody may be walking the list through this channel.
        channel.prevOpen = null;
    }

    void opened(ServerChannel listener) {
        listener.nextListener = firstListener;
        firstListener = listener;
    }

    void closed(ServerChannel listener) {
        if (firstListener == listener) {
            firstListener = listener.nextListener;
            return;
        }
        for (ServerChannel s = firstListener; s != null; s = s.nextListener) {
            if (s.nextListener == listener) {
                s.nextListener = listener.nextListener;
                return;
            }
        }
    }

    void opened(Readiness readiness) {
        if (watched == null) {
            watched = new LinkedHashSet<>();
        }
        watched.add(readiness);
    }

    void closed(Readiness readiness) {
        if (watched != null) {
            watched.remove(readiness);
        }
    }

    void began(ConnectRace race) {
        if (races == null) {
            races = new LinkedHashSet<>();
        }
        races.add(race);
    }

    void ended(ConnectRace race) {
        if (races != null) {
            races.remove(race);
        }
    }

    OpenFiles files() {
        OpenFiles known = files;
        if (known == null) {
            known = new OpenFiles();
            files = known;
        }
        return known;
    }
}
