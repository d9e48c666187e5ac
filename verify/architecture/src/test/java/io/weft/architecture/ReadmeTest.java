package io.weft.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The program that readers see first.
class ReadmeTest {
    private static final String PROGRAM = "examples/Hello.java";

    @Test
    void showsTheProgramThatItLinksTo() {
        Matcher block =
                Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
                        .matcher(House.text("README.md"));
        assertThat(block.find()).isTrue();
        assertThat(block.group(1)).isEqualTo(House.text(PROGRAM)).hasLineCount(6);
    }

    @Test
    void theProgramCompiles(@TempDir Path classes) {
        String path =
                House.ROOMS.stream()
                        .map(room -> room.path().resolve("target/classes").toString())
                        .collect(Collectors.joining(java.io.File.pathSeparator));
        StringWriter said = new StringWriter();
        PrintWriter out = new PrintWriter(said);
        int exit =
                ToolProvider.findFirst("javac")
                        .orElseThrow()
                        .run(
                                out,
                                out,
                                "-d",
                                classes.toString(),
                                "-cp",
                                path,
                                House.ROOT.resolve(PROGRAM).toString());
        assertThat(exit).as(said.toString()).isZero();
        assertThat(classes.resolve("Hello.class")).exists();
    }
}
