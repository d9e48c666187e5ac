package io.weft.conformance.rig;

import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.ChannelInitializer;
import io.weft.channel.ChannelPipeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.LinkedBlockingQueue;

/// Puts a [GrammarCheck] between every two handlers of the pipelines that go through it, and
/// gathers what these find.
public final class Grammar {
    /// Breaches that are kept, of all pipelines.
    private static final int MOST = 50;

    private final Queue<String> broken = new LinkedBlockingQueue<>(MOST);
    private boolean trustsAll;

    /// From now on no handler is expected to keep an event, not even one of a test.
    void trustAll() {
        trustsAll = true;
    }

    /// Makes the same pipelines as `initializer`, with checks.
    public ChannelInitializer checked(ChannelInitializer initializer) {
        return channel -> {
            initializer.initChannel(channel);
            check(channel.pipeline());
        };
    }

    private void check(ChannelPipeline pipeline) {
        List<String> names = pipeline.names();
        if (names.isEmpty()) {
            return;
        }
        pipeline.addFirst("check", check("the channel and " + names.getFirst(), false));
        boolean lenient = false;
        for (int i = 0; i < names.size(); i++) {
            ChannelHandlerContext at = pipeline.context(names.get(i));
            if (at == null) {
                continue;
            }
            ChannelHandler handler = at.handler();
            lenient |= !trustsAll && mayKeepEvents(handler);
            if (pipeline.context(handler) != at) {
                continue; // one that is shared has several places, of which only the first is found
            }
            String next = i + 1 < names.size() ? names.get(i + 1) : "the end";
            pipeline.addAfter(
                    handler,
                    "check of " + names.get(i),
                    check(names.get(i) + " and " + next, lenient));
        }
    }

    private GrammarCheck check(String place, boolean lenient) {
        return new GrammarCheck(place, broken, lenient);
    }

    /// Handlers of tests, which take what they are about.
    private static boolean mayKeepEvents(ChannelHandler handler) {
        return !handler.getClass().getPackageName().startsWith("io.weft.handler");
    }

    /// Returns the violations found since the last call.
    public List<String> takeBroken() {
        List<String> all = new ArrayList<>();
        for (String next; (next = broken.poll()) != null; ) {
            all.add(next);
        }
        return all;
    }
}
