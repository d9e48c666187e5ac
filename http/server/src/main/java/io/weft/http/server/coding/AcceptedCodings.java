package io.weft.http.server.coding;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The weights of content codings in Accept-Encoding, in thousandths (RFC 9110, 12.4.2 and 12.5.3).
public final class AcceptedCodings {
    private static final Pattern ONE =
            Pattern.compile(
                    "\\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)\\s*"
                            + "(?:;\\s*[qQ]=(0(?:\\.\\d{0,3})?|1(?:\\.0{0,3})?)\\s*)?");

    private final Map<String, Integer> weights = new HashMap<>();

    /// Elements that are malformed are left out.
    public static AcceptedCodings of(List<String> fields) {
        AcceptedCodings accepted = new AcceptedCodings();
        for (String field : fields) {
            for (String element : field.split(",", -1)) {
                Matcher m = ONE.matcher(element);
                if (m.matches()) {
                    String weight = m.group(2);
                    accepted.weights.put(
                            m.group(1).toLowerCase(Locale.ROOT),
                            weight == null
                                    ? 1000
                                    : (int) Math.round(Double.parseDouble(weight) * 1000));
                }
            }
        }
        return accepted;
    }

    /// 0 for a coding that the client does not want.
    public int of(String coding) {
        Integer weight = weights.get(coding);
        return weight != null ? weight : weights.getOrDefault("*", 0);
    }

    /// Of no coding: whatever is left, unless the client says more.
    public int ofIdentity() {
        return weights.getOrDefault("identity", 0);
    }
}
