package io.weft.bench.mainjob;

import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The command line of [MainJob].
///
/// @param json where to write the results for programs
/// @param html where to write them as a section of a page
/// @param cServers folder of the compiled C servers
/// @param weftModulePath module path of Weft and its examples
/// @param before module path of another build of Weft, which alone takes part then
/// @param rivals folder of the built servers of others, which take part then
record Options(
        boolean quick,
        @Nullable Path json,
        @Nullable Path html,
        @Nullable Path cServers,
        @Nullable String weftModulePath,
        @Nullable String before,
        @Nullable Path rivals) {
    static final String USAGE =
            "usage: MainJob [--quick] [--json FILE] [--html FILE] [--c-servers DIR] [--weft MODULE_PATH]"
                    + " [--before MODULE_PATH | --rivals DIR]";

    /// Reads the arguments.
    ///
    /// @throws IllegalArgumentException naming the one that is wrong
    static Options parse(List<String> args) {
        boolean quick = false;
        Path json = null;
        Path html = null;
        Path cServers = null;
        String weft = null;
        String before = null;
        Path rivals = null;
        for (Iterator<String> rest = args.iterator(); rest.hasNext(); ) {
            String arg = rest.next();
            switch (arg) {
                case "--quick" -> quick = true;
                case "--json" -> json = Path.of(value(arg, rest));
                case "--html" -> html = Path.of(value(arg, rest));
                case "--c-servers" -> cServers = Path.of(value(arg, rest));
                case "--weft" -> weft = value(arg, rest);
                case "--before" -> before = value(arg, rest);
                case "--rivals" -> rivals = Path.of(value(arg, rest));
                default -> throw new IllegalArgumentException("unknown option: " + arg);
            }
        }
        if (before != null && weft == null) {
            throw new IllegalArgumentException("--before needs --weft");
        }
        return new Options(quick, json, html, cServers, weft, before, rivals);
    }

    /// The name of the group that was asked for.
    String group() {
        return rivals == null ? "main-job" : "rivals";
    }

    private static String value(String option, Iterator<String> rest) {
        if (!rest.hasNext()) {
            throw new IllegalArgumentException(option + " needs a value");
        }
        return rest.next();
    }
}
