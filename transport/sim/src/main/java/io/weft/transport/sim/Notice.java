package io.weft.transport.sim;

/// Wake-up of a target by its engine: once, however often it is asked for, until the engine has
/// come to it.
final class Notice {
    /// Something that an engine looks after.
    interface Target {
        /// Tells what there is to tell.
        void ready();

        /// Ends, for reasons that are not the peer's.
        void abandon();
    }

    private static final long MAX_DELAY = 20_000_000;

    private final SimEngine engine;
    private final Target target;
    private boolean queued;

    Notice(SimEngine engine, Target target) {
        this.engine = engine;
        this.target = target;
    }

    Target target() {
        return target;
    }

    /// Makes the engine's next poll, or at random a later one, come to the target.
    void give() {
        if (queued) {
            return;
        }
        queued = true;
        if (engine.host().strikes(Fault.DELAY)) {
            later();
        } else {
            engine.ready(this);
        }
    }

    /// Another poll than the next comes to it.
    void giveLater() {
        if (!queued) {
            queued = true;
            later();
        }
    }

    private void later() {
        Simulation simulation = engine.host().simulation();
        simulation.after(simulation.dice().nextLong(MAX_DELAY), () -> engine.ready(this));
    }

    void taken() {
        queued = false;
    }
}
