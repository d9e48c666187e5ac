import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The lines `quick` of goals.txt: the parameters that a quick run takes.
final class Quick {
    /// The sides of Weft, which the names of methods begin with.
    private static final Pattern METHOD =
            Pattern.compile(
                    "(weft(?:Uring|Epoll|Nio|AnyThread|Unwatched|Clq|Ltq|Lbq|Coarse)?)([A-Z].*)");

    private record Line(Pattern operation, String param, List<String> values) {}

    private final List<Line> lines = new ArrayList<>();

    /// @param tree whose goals.txt is read; none takes everything
    Quick(Optional<Path> tree) throws IOException {
        if (tree.isEmpty()) {
            return;
        }
        Path goals =
                tree.get().resolve("verify/bench/src/main/resources/io/weft/bench/jmh/goals.txt");
        for (String line : Files.readAllLines(goals)) {
            String[] fields = line.strip().split("\\s+[|]\\s+", -1);
            if (fields.length == 4 && fields[2].equals("quick") && !line.startsWith("#")) {
                String[] assignment = fields[3].split("=", 2);
                lines.add(
                        new Line(
                                Pattern.compile(fields[1]),
                                assignment[0],
                                List.of(assignment[1].strip().split(","))));
            }
        }
    }

    /// Tells if the method, such as `Tick/weftCoarseTick`, takes part.
    boolean takes(String subject, String method) {
        Matcher matcher = match(method);
        return lines.stream()
                .filter(line -> line.param.equals("side") && applies(line, subject, method))
                .allMatch(line -> line.values.contains(matcher.group(1)));
    }

    /// The values of a parameter that are wanted of those that there are.
    List<String> values(String subject, String method, String param, List<String> all) {
        List<String> some = new ArrayList<>(all);
        lines.stream()
                .filter(line -> line.param.equals(param) && applies(line, subject, method))
                .forEach(line -> some.retainAll(line.values));
        return some;
    }

    /// Milliseconds of an iteration.
    int millis(String subject, String method, int otherwise) {
        return lines.stream()
                .filter(line -> line.param.equals("millis") && applies(line, subject, method))
                .mapToInt(line -> Integer.parseInt(line.values.getFirst()))
                .findFirst()
                .orElse(otherwise);
    }

    private static boolean applies(Line line, String subject, String method) {
        return line.operation.matcher(subject + "/" + match(method).group(2)).matches();
    }

    private static Matcher match(String method) {
        Matcher matcher = METHOD.matcher(method);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    method + " (expected: a side of Weft, as in weftGet)");
        }
        return matcher;
    }
}
