import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// The benchmarks of JMH that both builds have, by the simple names of their classes.
final class Jmh {
    private static final Pattern NAME =
            Pattern.compile("[a-z].*[.](\\w+?)(?:Benchmark)?[.](weft\\w+)");
    private static final Pattern PARAM = Pattern.compile("  param \"(\\w+)\" = \\{(.*)\\}");

    /// One method of one build.
    record Method(String full, Map<String, List<String>> params) {}

    /// Methods of one class that take the same values of parameters. One JVM of JMH runs them, each
    /// row in a fork of its own.
    ///
    /// @param full the full names before and after
    record Unit(
            String subject,
            Set<String> methods,
            List<Set<String>> full,
            Map<String, List<String>> params,
            int millis) {
        String name() {
            return subject + " " + String.join(" ", methods) + title(params);
        }
    }

    final List<Unit> units = new ArrayList<>();

    /// The number of methods that only one build has, or with other parameters.
    int leftOut;

    Jmh(List<Build> builds, Quick quick, int millis, Predicate<String> only)
            throws IOException, InterruptedException {
        Map<String, Method> before = list(builds.get(0));
        Map<String, Method> after = list(builds.get(1));
        Map<String, Unit> byParams = new TreeMap<>();
        for (String name : new LinkedHashSet<>(before.keySet())) {
            Method one = before.get(name);
            Method other = after.remove(name);
            if (other == null || !other.params.keySet().equals(one.params.keySet())) {
                leftOut++;
                continue;
            }
            int slash = name.indexOf('/');
            String subject = name.substring(0, slash);
            String method = name.substring(slash + 1);
            if (!only.test(name) || !quick.takes(subject, method)) {
                continue;
            }
            Map<String, List<String>> params = new LinkedHashMap<>();
            one.params.forEach(
                    (param, values) -> {
                        List<String> some = quick.values(subject, method, param, values);
                        some.retainAll(other.params.get(param));
                        params.put(param, some);
                    });
            if (params.values().stream().anyMatch(List::isEmpty)) {
                leftOut++;
                continue;
            }
            int each = quick.millis(subject, method, millis);
            Unit unit =
                    byParams.computeIfAbsent(
                            subject + title(params) + each,
                            _ ->
                                    new Unit(
                                            subject,
                                            new LinkedHashSet<>(),
                                            List.of(new LinkedHashSet<>(), new LinkedHashSet<>()),
                                            params,
                                            each));
            unit.methods.add(method);
            unit.full.get(0).add(one.full);
            unit.full.get(1).add(other.full);
        }
        leftOut += after.size();
        units.addAll(byParams.values());
    }

    /// The unit of a single row.
    Unit only(String row) {
        for (Unit unit : units) {
            int i = 0;
            for (String method : unit.methods) {
                if (row.startsWith(unit.subject + "/" + method + " ")
                        || row.equals(unit.subject + "/" + method)) {
                    Map<String, List<String>> params = new LinkedHashMap<>();
                    for (String assignment : row.split(" ")) {
                        int equals = assignment.indexOf('=');
                        if (equals > 0) {
                            params.put(
                                    assignment.substring(0, equals),
                                    List.of(assignment.substring(equals + 1)));
                        }
                    }
                    int index = i;
                    List<Set<String>> full =
                            unit.full.stream()
                                    .map(names -> Set.of(List.copyOf(names).get(index)))
                                    .toList();
                    return new Unit(unit.subject, Set.of(method), full, params, unit.millis);
                }
                i++;
            }
        }
        return null;
    }

    private static Map<String, Method> list(Build build) throws IOException, InterruptedException {
        Map<String, Method> methods = new TreeMap<>();
        Method last = null;
        for (String line :
                Command.output(
                                Command.java(
                                        "-cp",
                                        build.jar().toString(),
                                        "org.openjdk.jmh.Main",
                                        "-lp",
                                        "[.]weft[A-Z]"))
                        .lines()
                        .toList()) {
            Matcher name = NAME.matcher(line);
            Matcher param = PARAM.matcher(line);
            if (name.matches()) {
                last = new Method(line, new LinkedHashMap<>());
                if (methods.put(name.group(1) + "/" + name.group(2), last) != null) {
                    throw new IOException(line + ": two classes (expected: one of that name)");
                }
            } else if (param.matches() && last != null) {
                last.params.put(
                        param.group(1), new ArrayList<>(List.of(param.group(2).split(", "))));
            }
        }
        return methods;
    }

    private static String title(Map<String, List<String>> params) {
        return params.entrySet().stream()
                .map(param -> " " + param.getKey() + "=" + String.join(",", param.getValue()))
                .collect(Collectors.joining());
    }
}
