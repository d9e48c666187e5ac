package io.weft.bench.mainjob;

import io.netty.util.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What the figures were measured on and with; they mean nothing without it.
record Machine(Map<String, String> facts) {
    private static final Pattern CPU_MODEL =
            Pattern.compile("^model name\\s*:\\s*(.*)$", Pattern.MULTILINE);
    private static final Pattern WRK = Pattern.compile("wrk ([^ ]+)");

    static Machine describe() throws IOException, InterruptedException {
        Map<String, String> facts = new LinkedHashMap<>();
        Matcher model = CPU_MODEL.matcher(Files.readString(Path.of("/proc/cpuinfo")));
        String cpu = model.find() ? model.group(1).strip() : System.getProperty("os.arch");
        facts.put("machine", cpu + ", " + Runtime.getRuntime().availableProcessors() + " cores");
        facts.put("kernel", System.getProperty("os.version"));
        facts.put("jdk", System.getProperty("java.vm.name") + " " + Runtime.version());
        facts.put("jvm flags", String.join(" ", Sides.JVM_FLAGS));
        Version.identify().values().stream()
                .findAny()
                .ifPresent(netty -> facts.put("netty", netty.artifactVersion()));
        Matcher wrk = WRK.matcher(Command.run(List.of("wrk", "-v")).output());
        facts.put("wrk", wrk.find() ? wrk.group(1) : "unknown");
        return new Machine(facts);
    }
}
