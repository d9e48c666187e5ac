package io.weft.conformance;

import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.ChannelInitializer;
import io.weft.channel.ChannelPipeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/// Puts a [GrammarCheck] between every two handlers of the pipelines that go through it, and
/// gathers what these find.
final class Grammar {
    private final Queue<String> broken = new ConcurrentLinkedQueue<>();

    /// Makes the same pipelines as `initializer`, with checks.
    ChannelInitializer checked(ChannelInitializer initializer) {
        return channel -> {
            initializer.initChannel(channel);
            check(channel.pipeline());
        };
    }

    private void check(ChannelPipeline pipeline) {
        String before = "the channel";
        List<String> names = pipeline.names();
        if (names.isEmpty()) {
            return;
        }
        pipeline.addFirst("check", new GrammarCheck(before + " and " + names.getFirst(), broken));
        for (int i = 0; i < names.size(); i++) {
            ChannelHandlerContext at = pipeline.context(names.get(i));
            if (at == null) {
                continue;
            }
            ChannelHandler handler = at.handler();
            if (pipeline.context(handler) != at) {
                continue; // one that is shared has several places, of which only the first is found
            }
            String next = i + 1 < names.size() ? names.get(i + 1) : "the end";
            pipeline.addAfter(
                    handler,
                    "check of " + names.get(i),
                    new GrammarCheck(names.get(i) + " and " + next, broken));
        }
    }

    /// What was found since the last call.
    List<String> takeBroken() {
        List<String> all = new ArrayList<>();
        for (String next; (next = broken.poll()) != null; ) {
            all.add(next);
        }
        return all;
    }
}
