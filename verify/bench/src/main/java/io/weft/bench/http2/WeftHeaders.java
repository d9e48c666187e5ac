package io.weft.bench.http2;

import io.weft.buffer.Buffer;
import io.weft.http.hpack.HpackEncoder;
import io.weft.http.hpack.PseudoHeader;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.HeadersBuilder;
import java.util.ArrayList;
import java.util.List;

/// Weft's headers of a set, and its pseudo-header fields, which are no headers here.
final class WeftHeaders {
    private record Pseudo(PseudoHeader name, String value) {}

    private final List<Pseudo> pseudos = new ArrayList<>();
    private final Headers headers;

    WeftHeaders(HeaderSet set) {
        List<String> fields = set.fields();
        HeadersBuilder builder = Headers.builder();
        for (int i = 0; i < fields.size(); i += 2) {
            String name = fields.get(i);
            String value = fields.get(i + 1);
            if (name.startsWith(":")) {
                for (PseudoHeader pseudo : PseudoHeader.values()) {
                    if (pseudo.field().equals(name)) {
                        pseudos.add(new Pseudo(pseudo, value));
                    }
                }
            } else {
                builder.add(HeaderName.of(name), value);
            }
        }
        headers = builder.build();
    }

    Headers headers() {
        return headers;
    }

    void encode(HpackEncoder encoder, Buffer out) {
        for (Pseudo pseudo : pseudos) {
            encoder.encode(pseudo.name, pseudo.value);
        }
        encoder.encode(headers);
        encoder.finish(out);
    }
}
