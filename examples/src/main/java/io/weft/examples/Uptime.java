package io.weft.examples;

import io.weft.channel.Bootstrap;
import io.weft.channel.Channel;
import io.weft.eventloop.EventLoopGroup;
import io.weft.loop.Future;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Keeps a connection to a server and says since when it is up, or why it is down. It connects
/// again as long as it runs, after a pause.
public final class Uptime implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofSeconds(5);

    private final EventLoopGroup group;
    private final Options options;
    private final Duration pause;
    private final Consumer<String> says;
    private volatile boolean closed;

    private Uptime(Options options, Duration pause, Consumer<String> says) {
        this.group = EventLoopGroup.create(options.transport(), 1);
        this.options = options;
        this.pause = pause;
        this.says = says;
    }

    public static void main(String[] args) {
        if (List.of(args).contains("--help") || List.of(args).contains("-h")) {
            System.out.println(
                    "options: "
                            + Taken.PLAIN_SOCKETS.usage()
                            + ", of the server, default port 8080");
            return;
        }
        try {
            var _ = start(options(args), PAUSE, System.out::println);
        } catch (IllegalArgumentException | IllegalStateException e) {
            Failure.of(e).exit();
        }
    }

    private static Options options(String... args) {
        return Options.parse(Taken.PLAIN_SOCKETS, 8080, args).plain("it connects and says nothing");
    }

    /// Begins to connect; the loop goes on until this is closed.
    static Uptime start(Options options, Duration pause, Consumer<String> says) {
        Uptime uptime = new Uptime(options, pause, says);
        uptime.connect();
        return uptime;
    }

    private void connect() {
        var _ =
                new Bootstrap(group)
                        .handler(_ -> {})
                        .connect(options.address())
                        .addListener(this::connected);
    }

    private void connected(Future<Channel> outcome) {
        Channel channel = outcome.now();
        if (channel == null) {
            down("cannot connect: " + Failure.of(cause(outcome)).line());
            return;
        }
        long began = System.nanoTime();
        says.accept("up: " + channel.remoteAddress());
        var _ =
                channel.closeFuture()
                        .addListener(
                                _ -> {
                                    long nanos = System.nanoTime() - began;
                                    down(
                                            "was up for "
                                                    + TimeUnit.NANOSECONDS.toSeconds(nanos)
                                                    + " s");
                                });
    }

    private static Throwable cause(Future<Channel> failed) {
        return Objects.requireNonNull(failed.cause(), "no channel, but no cause");
    }

    private void down(String why) {
        if (closed) {
            return;
        }
        says.accept("down: " + why);
        try {
            var _ = group.next().schedule(this::connect, pause.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException _) {
            // Closed meanwhile.
        }
    }

    @Override
    public void close() {
        closed = true;
        group.close();
    }
}
