package io.weft.engine;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Listening descriptors that this process was started with, as systemd's socket activation has it
/// ([sd_listen_fds(3)](https://man7.org/linux/man-pages/man3/sd_listen_fds.3.html)): it is there
/// from the boot on, and while the process is restarted clients wait in its queue.
///
/// ```java
/// for (PassedDescriptor one : InheritedDescriptors.listening()) {
///     bootstrap.adopt(one).join();
/// }
/// ```
public final class InheritedDescriptors {
    /// Number of the first of them.
    private static final int FIRST = 3;

    private static final int MOST = 1024;

    private InheritedDescriptors() {}

    /// Returns the descriptors that `LISTEN_FDS` counts, if `LISTEN_PID` names this process; empty
    /// otherwise. Each is to be adopted once: a second call returns the same numbers.
    ///
    /// @throws IllegalArgumentException when `LISTEN_FDS` is no number from 0 to 1024
    public static List<PassedDescriptor> listening() {
        return List.copyOf(named().values());
    }

    /// Returns the descriptors by the names that `LISTEN_FDNAMES` gives them: those of
    /// `FileDescriptorName=` of a socket unit. A name that is missing or taken is the number.
    ///
    /// @throws IllegalArgumentException when `LISTEN_FDS` is no number from 0 to 1024
    public static Map<String, PassedDescriptor> named() {
        return named(System.getenv(), ProcessHandle.current().pid());
    }

    static Map<String, PassedDescriptor> named(Map<String, String> environment, long pid) {
        Map<String, PassedDescriptor> found = new LinkedHashMap<>();
        if (!Long.toString(pid).equals(environment.get("LISTEN_PID"))) {
            return found;
        }
        int count = count(environment.get("LISTEN_FDS"));
        String names = environment.getOrDefault("LISTEN_FDNAMES", "");
        List<String> texts = new ArrayList<>(List.of(names.split(":", -1)));
        for (int i = 0; i < count; i++) {
            int number = FIRST + i;
            String name = i < texts.size() ? texts.get(i) : "";
            boolean taken = name.isEmpty() || found.containsKey(name);
            found.put(taken ? "" + number : name, PassedDescriptor.borrowed(number));
        }
        return found;
    }

    private static int count(@Nullable String text) {
        if (text == null) {
            return 0;
        }
        if (text.matches("[0-9]{1,4}") && Integer.parseInt(text) <= MOST) {
            return Integer.parseInt(text);
        }
        throw new IllegalArgumentException("LISTEN_FDS: " + text + " (expected: 0 to 1024)");
    }
}
