import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// All rows, kept in a file, so that a run that was stopped goes on where it was.
final class Results {
    private static final String DONE = "done";

    private final Path file;
    private final Map<String, Row> rows = new TreeMap<>();
    private final Set<String> done = new HashSet<>();

    /// @param identity of what is compared; results of anything else are dropped
    Results(Path file, String identity) throws IOException {
        this.file = file;
        List<String> lines = Files.exists(file) ? Files.readAllLines(file) : List.of();
        if (lines.isEmpty() || !lines.getFirst().equals(identity)) {
            Files.writeString(file, identity + "\n");
            return;
        }
        lines.stream().skip(1).forEach(line -> take(line.split("\t", -1)));
    }

    Collection<Row> rows() {
        return rows.values();
    }

    Row row(String name) {
        return rows.get(name);
    }

    boolean isDone(String step, int round) {
        return done.contains(step + "\t" + round);
    }

    void done(String step, int round) throws IOException {
        write(DONE, step, Integer.toString(round));
    }

    /// @param side 0 before, 1 after
    void add(
            String row,
            String unit,
            boolean higher,
            int round,
            int side,
            double score,
            double bytes)
            throws IOException {
        write(
                row,
                unit,
                Boolean.toString(higher),
                Integer.toString(round),
                Integer.toString(side),
                Double.toString(score),
                Double.toString(bytes));
    }

    private void write(String... fields) throws IOException {
        Files.writeString(file, String.join("\t", fields) + "\n", StandardOpenOption.APPEND);
        take(fields);
    }

    private void take(String... fields) {
        if (fields[0].equals(DONE)) {
            done.add(fields[1] + "\t" + fields[2]);
            return;
        }
        rows.computeIfAbsent(
                        fields[0],
                        name -> new Row(name, fields[1], Boolean.parseBoolean(fields[2])))
                .add(
                        Integer.parseInt(fields[3]),
                        Integer.parseInt(fields[4]),
                        Double.parseDouble(fields[5]),
                        Double.parseDouble(fields[6]));
    }
}
