import java.io.IOException;

/// Something that is measured at a time, both builds of it, one after the other.
interface Step {
    /// Its name in the results.
    String name();

    /// The number of its rounds.
    int rounds();

    /// Measures both builds once.
    void run(int round) throws IOException, InterruptedException;
}
