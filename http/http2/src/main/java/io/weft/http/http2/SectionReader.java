package io.weft.http.http2;

import io.weft.http.hpack.HpackField;
import io.weft.http.hpack.PseudoHeader;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.HeadersBuilder;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Collects the fields of one section as HPACK decodes them, and checks each (RFC 9113, 8.2 and
/// 8.3).
///
/// Wrong fields make the message malformed, an error of its stream; the section is decoded to its
/// end all the same, since HPACK's state is the connection's.
final class SectionReader implements Consumer<HpackField> {
    /// Length of a section, in bytes, up to which the builder keeps its memory for the next one.
    private static final int KEPT = 4096;

    private final Map<PseudoHeader, String> pseudo = new EnumMap<>(PseudoHeader.class);
    private HeadersBuilder builder = Headers.builder();
    private int cookies;
    private boolean hasHost;
    private boolean regular;
    private @Nullable String malformed;

    /// Stands for the last `:authority`, which most requests of a connection share.
    private Headers.@Nullable Field host;

    /// Begins the next section.
    void begin() {
        pseudo.clear();
        builder.clear();
        cookies = 0;
        hasHost = false;
        regular = false;
        malformed = null;
    }

    /// Returns the reason why the message is malformed; null if it is not.
    @Nullable String malformed() {
        return malformed;
    }

    void malformed(String reason) {
        if (malformed == null) {
            malformed = reason;
        }
    }

    @Nullable String get(PseudoHeader name) {
        return pseudo.get(name);
    }

    boolean hasPseudo() {
        return !pseudo.isEmpty();
    }

    @Override
    public void accept(HpackField field) {
        if (malformed != null) {
            return;
        }
        PseudoHeader name = field.pseudo();
        if (name == null ? !field.addTo(builder) : !field.isWellFormed()) {
            // Upper case, no token, a control, a blank at an end, or a pseudo-header field that is
            // not known (8.2.1, 8.3).
            malformed("a field with a name or value that is not allowed");
        } else if (name == null) {
            regular = true;
            if (field.name() == HeaderName.COOKIE) {
                cookies++;
            }
            hasHost |= field.name() == HeaderName.HOST;
        } else if (regular) {
            malformed(name.field() + ": behind a field (expected: before all)");
        } else if (pseudo.put(name, field.value()) != null) {
            malformed(name.field() + ": several (expected: one)");
        }
    }

    /// Gives up the fields of a section that is too large.
    Headers drop() {
        builder = Headers.builder();
        return Headers.EMPTY;
    }

    /// Returns the fields that are no pseudo-header fields. Pieces of a cookie are one again
    /// (8.2.3), and `:authority` becomes the field Host where there is none (8.3.1).
    Headers end() {
        String authority = pseudo.get(PseudoHeader.AUTHORITY);
        if (authority != null && !hasHost && malformed == null) {
            addHost(authority);
        }
        Headers headers = builder.build();
        if (headers.sectionLength() > KEPT) {
            builder = Headers.builder();
        }
        if (cookies > 1) {
            String cookie = String.join("; ", headers.all(HeaderName.COOKIE));
            headers = headers.with(HeaderName.COOKIE, cookie);
        }
        return headers;
    }

    private void addHost(String authority) {
        Headers.Field field = host;
        if (field == null || !field.value().equals(authority)) {
            field = new Headers.Field(HeaderName.HOST, authority); // its value is well-formed
            host = field;
        }
        builder.add(field);
    }
}
