package io.weft.observe.micrometer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The text format of Prometheus, version 0.0.4, read strictly: every line is a comment or a
/// sample, a type is told once and before the samples of its name, and no sample comes twice.
record PrometheusText(List<Sample> samples) {
    /// A value with its labels.
    record Sample(String name, Map<String, String> labels, double value) {}

    private static final Pattern TYPE =
            Pattern.compile("# TYPE ([a-zA-Z_:][\\w:]*) (counter|gauge|histogram|summary|untyped)");
    private static final Pattern SAMPLE =
            Pattern.compile("([a-zA-Z_:][\\w:]*)(?:\\{(.*)\\})? (\\S+)( -?\\d+)?");
    private static final Pattern LABEL =
            Pattern.compile("([a-zA-Z_]\\w*)=\"((?:[^\"\\\\\n]|\\\\[\\\\\"n])*)\"(?:,|$)");

    static PrometheusText parse(String text) {
        List<Sample> samples = new ArrayList<>();
        Set<String> typed = new HashSet<>();
        Set<Object> seen = new HashSet<>();
        if (!text.endsWith("\n")) {
            throw new IllegalArgumentException("the last line has no end");
        }
        for (String line : text.lines().toList()) {
            Matcher type = TYPE.matcher(line);
            if (type.matches()) {
                if (!typed.add(type.group(1))) {
                    throw new IllegalArgumentException("a second type: " + line);
                }
                continue;
            }
            if (line.startsWith("# HELP ")) {
                continue;
            }
            Sample sample = sample(line);
            if (!seen.add(List.of(sample.name, sample.labels))) {
                throw new IllegalArgumentException("a second sample: " + line);
            }
            if (typed.stream().noneMatch(sample.name::startsWith)) {
                throw new IllegalArgumentException("without a type: " + line);
            }
            samples.add(sample);
        }
        return new PrometheusText(samples);
    }

    private static Sample sample(String line) {
        Matcher sample = SAMPLE.matcher(line);
        if (!sample.matches()) {
            throw new IllegalArgumentException("line: " + line + " (expected: a sample)");
        }
        Map<String, String> labels = new HashMap<>();
        String inside = sample.group(2) == null ? "" : sample.group(2);
        Matcher label = LABEL.matcher(inside);
        int at = 0;
        while (at < inside.length()) {
            if (!label.find(at) || label.start() != at) {
                throw new IllegalArgumentException("labels: " + line);
            }
            labels.put(label.group(1), label.group(2));
            at = label.end();
        }
        String value = sample.group(3).replace("+Inf", "Infinity");
        return new Sample(sample.group(1), labels, Double.parseDouble(value));
    }

    /// The sum of the samples of a name that have these labels.
    double value(String name, String... labels) {
        Map<String, String> wanted = new HashMap<>();
        for (int i = 0; i < labels.length; i += 2) {
            wanted.put(labels[i], labels[i + 1]);
        }
        List<Sample> found =
                samples.stream()
                        .filter(s -> s.name.equals(name))
                        .filter(s -> s.labels.entrySet().containsAll(wanted.entrySet()))
                        .toList();
        if (found.isEmpty()) {
            throw new IllegalArgumentException(
                    name + wanted + " (expected: one of " + samples + ")");
        }
        return found.stream().mapToDouble(Sample::value).sum();
    }
}
