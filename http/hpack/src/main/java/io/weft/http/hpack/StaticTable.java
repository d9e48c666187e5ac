package io.weft.http.hpack;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weft.http.model.HeaderName;
import java.util.List;

/// The static table (RFC 7541, Appendix A), entries 1 to 61.
final class StaticTable {
    static final int LAST = 61;

    private static final HpackField[] ENTRIES = new HpackField[LAST + 1];

    /// For each [HeaderName#number], the first entry with that name, or 0.
    private static final byte[] BY_NUMBER = new byte[128];

    static {
        String table =
                """
                :authority|:method GET|:method POST|:path /|:path /index.html|:scheme http|\
                :scheme https|:status 200|:status 204|:status 206|:status 304|:status 400|\
                :status 404|:status 500|accept-charset|accept-encoding gzip, deflate|\
                accept-language|accept-ranges|accept|access-control-allow-origin|age|allow|\
                authorization|cache-control|content-disposition|content-encoding|\
                content-language|content-length|content-location|content-range|content-type|\
                cookie|date|etag|expect|expires|from|host|if-match|if-modified-since|\
                if-none-match|if-range|if-unmodified-since|last-modified|link|location|\
                max-forwards|proxy-authenticate|proxy-authorization|range|referer|refresh|\
                retry-after|server|set-cookie|strict-transport-security|transfer-encoding|\
                user-agent|vary|via|www-authenticate""";
        int index = 0;
        HpackField reused = HpackField.reused();
        for (String entry : List.of(table.split("\\|"))) {
            index++;
            int blank = entry.indexOf(' ');
            String name = blank < 0 ? entry : entry.substring(0, blank);
            byte[] bytes =
                    (name + (blank < 0 ? "" : entry.substring(blank + 1))).getBytes(ISO_8859_1);
            FieldName key = FieldName.of(bytes, 0, name.length());
            reused.set(key, bytes, name.length(), bytes.length, false);
            HpackField field = reused.copy();
            ENTRIES[index] = field;
            HeaderName known = field.name();
            if (known != null) {
                BY_NUMBER[known.number()] = (byte) index;
            }
        }
        BY_NUMBER[0] = 0; // names that are not listed have this number
    }

    private StaticTable() {}

    /// @param index 1 to 61
    static HpackField get(int index) {
        return ENTRIES[index];
    }

    /// Returns the entry with this name, or 0: a name has several only when it is a pseudo-header
    /// field's.
    static int indexOf(HeaderName name) {
        return BY_NUMBER[name.number()];
    }

    /// The entry among those from `first` on with the same name that has this value, or 0.
    static int indexOf(int first, byte[] value, int length) {
        HpackField entry = ENTRIES[first];
        if (entry.valueEquals(value, length)) {
            return first;
        }
        PseudoHeader pseudo = entry.pseudo();
        if (pseudo != null) {
            for (int i = first + 1; ENTRIES[i].pseudo() == pseudo; i++) {
                if (ENTRIES[i].valueEquals(value, length)) {
                    return i;
                }
            }
        }
        return 0;
    }
}
