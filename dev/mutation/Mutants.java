/// The switch that mutated classes ask: at most one mutant is active. Remembers which mutants'
/// places were reached.
public final class Mutants {
    /// Active mutant, -1 for none.
    static volatile int active = Integer.getInteger("mutant", -1);

    /// Set when a test runs for too long: the next place it reaches throws.
    static volatile boolean stop;

    /// Places reached since the array was cleared.
    static final boolean[] reached = new boolean[Integer.getInteger("mutants", 0)];

    /// Places that were first reached from a static initializer, which runs once in a JVM.
    static final boolean[] initial = new boolean[reached.length];

    private static final boolean[] known = new boolean[reached.length];

    private Mutants() {}

    /// Tells if a mutant is to act. Called in front of each mutated instruction.
    public static boolean on(int mutant) {
        if (!reached[mutant]) {
            reached[mutant] = true;
            if (!known[mutant]) {
                known[mutant] = true;
                initial[mutant] = inInitializer();
            }
        }
        int now = active;
        if (stop && now >= 0) {
            throw new Stopped();
        }
        return now == mutant;
    }

    private static boolean inInitializer() {
        return StackWalker.getInstance()
                .walk(frames -> frames.anyMatch(f -> f.getMethodName().equals("<clinit>")));
    }

    /// Ends a test that would not end by itself.
    static final class Stopped extends Error {
        private static final long serialVersionUID = 1;

        Stopped() {
            super("ran for too long", null, false, false);
        }
    }
}
