package io.weft.ffi.openssl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Compares constants with what the C compiler makes of OpenSSL's headers.
@Tag("gcc")
class SslConstantsTest {
    private static final Map<String, String> SPELLED =
            Map.of(
                    "LENGTH", "offsetof(BUF_MEM, length)",
                    "DATA", "offsetof(BUF_MEM, data)",
                    "MAX", "offsetof(BUF_MEM, max)",
                    "SIZE", "sizeof(BUF_MEM)");

    @Test
    void everyConstantIsThatOfTheHeaders(@TempDir Path directory)
            throws IOException, InterruptedException, IllegalAccessException {
        Map<String, Long> ours = new TreeMap<>();
        StringBuilder program =
                new StringBuilder(
                        """
                        #include <stddef.h>
                        #include <stdio.h>
                        #include <openssl/ssl.h>
                        #include <openssl/err.h>
                        #include <openssl/x509v3.h>
                        int main(void) {
                        """);
        for (Class<?> type :
                List.of(
                        Ssl.class,
                        SslCtx.class,
                        SslBio.class,
                        SslErrors.class,
                        SslUpcalls.class,
                        X509.class)) {
            for (Field field : type.getDeclaredFields()) {
                boolean number = field.getType() == int.class || field.getType() == long.class;
                if (number
                        && Modifier.isStatic(field.getModifiers())
                        && !Modifier.isPrivate(field.getModifiers())
                        && (field.getName().contains("_") || type == SslBio.class)
                        && !field.getName().equals("UNKNOWN_RESULT")
                        && !(type == SslUpcalls.class && field.getType() == long.class)) {
                    String name = field.getName();
                    ours.put(name, ((Number) field.get(null)).longValue());
                    program.append(
                            "printf(\"%s %%lld\\n\", (long long) (%s));\n"
                                    .formatted(name, SPELLED.getOrDefault(name, name)));
                }
            }
        }
        program.append("return 0;\n}\n");
        assertThat(ours).hasSizeGreaterThan(40);
        Files.writeString(directory.resolve("constants.c"), program);
        String log = execute(directory, "gcc", "-w", "-o", "constants", "constants.c");
        assumeTrue(!log.contains("openssl/ssl.h"), "no headers of OpenSSL: " + log);
        assertThat(log).isEmpty();
        Map<String, Long> theirs = new TreeMap<>();
        execute(directory, directory.resolve("constants").toString())
                .lines()
                .map(line -> line.split(" ", 2))
                .forEach(words -> theirs.put(words[0], Long.valueOf(words[1])));
        assertThat(ours).isEqualTo(theirs);
    }

    private static String execute(Path directory, String... command)
            throws IOException, InterruptedException {
        Process process;
        try {
            process =
                    new ProcessBuilder(command)
                            .directory(directory.toFile())
                            .redirectErrorStream(true)
                            .start();
        } catch (IOException e) {
            return abort("cannot run " + command[0] + ": " + e.getMessage());
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output;
    }
}
