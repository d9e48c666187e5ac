import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/// One of the two source trees that are compared, built: its benchmarks and its examples.
///
/// @param name `before` or `after`
record Build(String name, Path tree) {
    /// The jar of all benchmarks.
    Path jar() {
        return tree.resolve("verify/bench/target/benchmarks.jar");
    }

    /// The folder of the modules that the examples require.
    Path modules() {
        return tree.resolve("examples/target/modules");
    }

    /// The module path of the examples.
    String examples() throws IOException {
        try (DirectoryStream<Path> jars =
                Files.newDirectoryStream(
                        tree.resolve("examples/target"), "weft-examples-*SNAPSHOT.jar")) {
            for (Path jar : jars) {
                return modules() + ":" + jar;
            }
        }
        throw new IOException(tree + "/examples/target: no jar (expected: built examples)");
    }

    /// The folder of the committed budgets.
    Path budgets() {
        return tree.resolve("verify/budget/src/test/resources");
    }

    /// Identifies what was built, as results of two builds are never mixed.
    String identity() throws IOException {
        return tree + " " + Files.getLastModifiedTime(jar());
    }
}
