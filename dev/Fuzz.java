import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.weft.testkit.CodecLab;

import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;

/// Fuzzes the subjects of some labs, or lists them. Started by `fuzz.sh`.
final class Fuzz {
    private Fuzz() {}

    /// @param args `list`, `all` or a subject, then the labs' classes
    public static void main(String[] args) throws Exception {
        List<String> classes = Arrays.asList(args).subList(1, args.length);
        if (args[0].equals("list")) {
            for (String name : classes) {
                var made = Class.forName(name).getDeclaredConstructor();
                made.setAccessible(true);
                ((CodecLab) made.newInstance())
                        .subjects()
                        .forEach(subject -> System.out.println(subject));
            }
            return;
        }
        System.setProperty("io.weft.lab.subject", args[0].equals("all") ? "" : args[0]);
        var listener = new SummaryGeneratingListener();
        var request = LauncherDiscoveryRequestBuilder.request();
        classes.forEach(name -> request.selectors(selectMethod(name + "#lab")));
        LauncherFactory.create().execute(request.build(), listener);
        var summary = listener.getSummary();
        summary.printFailuresTo(new PrintWriter(System.out, true), 0);
        System.exit(summary.getTotalFailureCount() == 0 ? 0 : 1);
    }
}
