package io.weft.http.forms;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Locale;
import java.util.Set;

/// Names of files as clients send them, made fit for a file system.
public final class FileNames {
    /// Most file systems allow no longer ones.
    private static final int MAX_BYTES = 255;

    /// Devices of Windows, with any extension.
    private static final Set<String> DEVICES =
            Set.of(
                    "con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6",
                    "com7", "com8", "com9", "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7",
                    "lpt8", "lpt9", "conin$", "conout$");

    private FileNames() {}

    /// Returns a name that leads to no other directory, whatever the system: without what stands
    /// before the last `/`, `\` or `:` of a drive, without controls, characters that change the
    /// direction of text and `" * : < > ? |`, which become `_`, without dots at the start and dots
    /// and blanks at the end, of at most 255 bytes in UTF-8. A name of a device of Windows gets a
    /// `_` before it. If nothing is left, the name is `unnamed`.
    ///
    /// The name of another file may become the same: see that none is replaced by it.
    public static String safe(String name) {
        int slash = Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\'));
        String last = name.substring(slash + 1);
        if (last.length() >= 2 && last.charAt(1) == ':' && Character.isLetter(last.charAt(0))) {
            last = last.substring(2);
        }
        StringBuilder kept = new StringBuilder();
        last.codePoints().forEach(c -> kept.appendCodePoint(isHarmless(c) ? c : '_'));
        int from = 0;
        while (from < kept.length() && (kept.charAt(from) == '.' || kept.charAt(from) == ' ')) {
            from++;
        }
        String cut = cut(kept.substring(from));
        int end = cut.length();
        while (end > 0 && (cut.charAt(end - 1) == '.' || cut.charAt(end - 1) == ' ')) {
            end--;
        }
        String safe = cut.substring(0, end);
        if (safe.isEmpty()) {
            return "unnamed";
        }
        int dot = safe.indexOf('.');
        String stem = (dot < 0 ? safe : safe.substring(0, dot)).strip().toLowerCase(Locale.ROOT);
        return DEVICES.contains(stem) ? cut("_" + safe) : safe;
    }

    private static boolean isHarmless(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.UNASSIGNED ->
                    false;
            default -> "\"*:<>?|".indexOf(c) < 0;
        };
    }

    /// At most 255 bytes; the extension stays, if it is a short one.
    private static String cut(String name) {
        if (name.getBytes(UTF_8).length <= MAX_BYTES) {
            return name;
        }
        int dot = name.lastIndexOf('.');
        String extension = dot > 0 && name.length() - dot <= 16 ? name.substring(dot) : "";
        int room = MAX_BYTES - extension.getBytes(UTF_8).length;
        StringBuilder kept = new StringBuilder();
        for (int c : name.codePoints().toArray()) {
            room -= Character.toString(c).getBytes(UTF_8).length;
            if (room < 0) {
                break;
            }
            kept.appendCodePoint(c);
        }
        return kept + extension;
    }

    /// Bytes in UTF-8.
    static int length(String name) {
        return name.getBytes(UTF_8).length;
    }

    /// At most 60 characters of a text of a peer, fit for a message or a log.
    static String quote(String text) {
        StringBuilder quoted = new StringBuilder(64).append('"');
        int end = Math.min(text.length(), 60);
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            if (c < 0x20 || c > 0x7E || c == '"' || c == '\\') {
                quoted.append(String.format("\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append(end < text.length() ? "\"..." : "\"").toString();
    }
}
