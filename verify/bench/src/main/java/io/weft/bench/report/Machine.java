package io.weft.bench.report;

import io.netty.util.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The machine and the software that the figures were measured with; they mean nothing without it.
public final class Machine {
    private static final Path CPU_INFO = Path.of("/proc/cpuinfo");
    private static final Pattern CPU_MODEL =
            Pattern.compile("^model name\\s*:\\s*(.*)$", Pattern.MULTILINE);

    private Machine() {}

    /// Processor, kernel, JDK and the peers' versions.
    public static Map<String, String> facts() throws IOException {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("machine", cpu() + ", " + Runtime.getRuntime().availableProcessors() + " cores");
        facts.put("kernel", System.getProperty("os.version"));
        facts.put("jdk", System.getProperty("java.vm.name") + " " + Runtime.version());
        Version.identify().values().stream()
                .findAny()
                .ifPresent(netty -> facts.put("netty", netty.artifactVersion()));
        return facts;
    }

    private static String cpu() throws IOException {
        String info = Files.isReadable(CPU_INFO) ? Files.readString(CPU_INFO) : "";
        Matcher model = CPU_MODEL.matcher(info);
        return model.find() ? model.group(1).strip() : System.getProperty("os.arch");
    }
}
