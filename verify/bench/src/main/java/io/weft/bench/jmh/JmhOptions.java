package io.weft.bench.jmh;

import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The command line of [JmhGroup].
///
/// @param regex of the group's benchmarks
/// @param only which operations of the group are run
record JmhOptions(
        String group,
        String regex,
        Plan plan,
        Predicate<String> only,
        @Nullable Path json,
        @Nullable Path html) {
    static JmhOptions parse(List<String> args) {
        Plan plan = Plan.FULL;
        Predicate<String> only = _ -> true;
        Path json = null;
        Path html = null;
        for (Iterator<String> rest = args.listIterator(2); rest.hasNext(); ) {
            switch (rest.next()) {
                case "--quick" -> plan = Plan.QUICK;
                case "--smoke" -> plan = Plan.SMOKE;
                case "--only" -> only = Pattern.compile(rest.next()).asPredicate();
                case "--json" -> json = Path.of(rest.next());
                case "--html" -> html = Path.of(rest.next());
                default -> throw new IllegalArgumentException("unknown option in " + args);
            }
        }
        return new JmhOptions(args.get(0), args.get(1), plan, only, json, html);
    }
}
