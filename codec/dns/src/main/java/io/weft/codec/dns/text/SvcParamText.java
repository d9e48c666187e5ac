package io.weft.codec.dns.text;

import io.weft.codec.dns.DnsException;
import io.weft.codec.dns.Octets;
import io.weft.codec.dns.RdataFormat;
import io.weft.codec.dns.RecordType;
import io.weft.codec.dns.rdata.A;
import io.weft.codec.dns.rdata.Aaaa;
import io.weft.codec.dns.rdata.Rdata;
import io.weft.codec.dns.rdata.SvcParam;
import io.weft.codec.dns.rdata.Svcb;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Parameters of services as master files have them (RFC 9460, 2.1): `key=value`, the value perhaps
/// in quotes.
final class SvcParamText {
    private static final List<String> NAMES =
            List.of(
                    "mandatory",
                    "alpn",
                    "no-default-alpn",
                    "port",
                    "ipv4hint",
                    "ech",
                    "ipv6hint",
                    "dohpath",
                    "ohttp");

    private SvcParamText() {}

    static List<SvcParam> parse(Tokens in) {
        List<SvcParam> params = new ArrayList<>();
        while (in.hasNext()) {
            String word = in.word("parameter");
            int equals = word.indexOf('=');
            String name = equals < 0 ? word : word.substring(0, equals);
            String value = equals < 0 ? null : unquoted(word.substring(equals + 1));
            int key = key(name);
            boolean generic = key < NAMES.size() && !name.equals(NAMES.get(key));
            params.add(
                    generic
                            ? wire(key, value == null ? Octets.EMPTY : Tokens.unescaped(value))
                            : param(key, value));
        }
        return params;
    }

    private static String unquoted(String value) {
        if (value.indexOf('"') != 0) {
            return value;
        }
        return value.substring(
                1, value.length() - (value.length() > 1 && value.endsWith("\"") ? 1 : 0));
    }

    private static int key(String name) {
        int known = NAMES.indexOf(name);
        if (known >= 0) {
            return known;
        }
        if (!name.startsWith("key") || (name.length() > 4 && name.charAt(3) == '0')) {
            throw new IllegalArgumentException(
                    "parameter: " + Tokens.shown(name) + " (expected: a key)");
        }
        return (int) Tokens.number("key", name.substring(3), 0xFFFF);
    }

    private static SvcParam param(int key, @Nullable String value) {
        Octets octets = value == null ? Octets.EMPTY : Tokens.unescaped(value);
        return switch (key) {
            case 0 -> new SvcParam.Mandatory(list(octets, item -> key(latin1(item))));
            case 1 -> new SvcParam.Alpn(list(octets, Function.identity()));
            case 2 -> without(value, new SvcParam.NoDefaultAlpn());
            case 3 -> new SvcParam.Port((int) Tokens.number("port", latin1(octets), 0xFFFF));
            case 4 -> new SvcParam.Ipv4Hint(list(octets, item -> A.of(latin1(item))));
            case 5 -> new SvcParam.Ech(Octets.ofBase64(latin1(octets)));
            case 6 -> new SvcParam.Ipv6Hint(list(octets, item -> Aaaa.of(latin1(item))));
            case 7 -> new SvcParam.DohPath(octets);
            case 8 -> without(value, new SvcParam.Ohttp());
            default -> new SvcParam.Other(key, octets);
        };
    }

    /// Behind the number of a key, as `key3`, is the value as it is on the wire (RFC 9460, 2.1).
    private static SvcParam wire(int key, Octets value) {
        switch (key) { // which need others
            case 0 -> {
                List<Integer> keys = new ArrayList<>();
                for (int i = 0; i < value.length(); i += 2) {
                    keys.add(value.get(i) << 8 | (i + 1 < value.length() ? value.get(i + 1) : 0));
                }
                requireLength(key, value, 2 * keys.size());
                return new SvcParam.Mandatory(keys);
            }
            case 2 -> {
                requireLength(key, value, 0);
                return new SvcParam.NoDefaultAlpn();
            }
            default -> {}
        }
        byte[] data = new byte[7 + value.length()];
        data[1] = 1; // priority, and the root as the target
        data[4] = (byte) key;
        data[5] = (byte) (value.length() >> 8);
        data[6] = (byte) value.length();
        System.arraycopy(value.toArray(), 0, data, 7, value.length());
        try {
            Rdata service = RdataFormat.decode(RecordType.SVCB, Octets.of(data));
            return ((Svcb) service).parameters().getFirst();
        } catch (DnsException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private static void requireLength(int key, Octets value, int length) {
        if (value.length() != length) {
            throw new IllegalArgumentException(
                    "parameter "
                            + key
                            + ": "
                            + value.length()
                            + " octets (expected: "
                            + length
                            + ")");
        }
    }

    private static SvcParam without(@Nullable String value, SvcParam param) {
        if (value != null && !value.isEmpty()) {
            throw new IllegalArgumentException(
                    "parameter " + param.key() + ": with a value (expected: without)");
        }
        return param;
    }

    private static String latin1(Octets octets) {
        return new String(octets.toArray(), java.nio.charset.StandardCharsets.ISO_8859_1);
    }

    /// Items between commas; a backslash takes a comma or a backslash its meaning (RFC 9460, A.1).
    private static <T> List<T> list(Octets octets, Function<Octets, T> item) {
        List<T> items = new ArrayList<>();
        ByteArrayOutputStream held = new ByteArrayOutputStream();
        for (int i = 0; i <= octets.length(); i++) {
            int octet = i < octets.length() ? octets.get(i) : ',';
            if (octet == ',') {
                items.add(item.apply(Octets.of(held.toByteArray())));
                held.reset();
            } else if (octet == '\\') {
                if (++i == octets.length() || (octets.get(i) != ',' && octets.get(i) != '\\')) {
                    throw new IllegalArgumentException(
                            "\\ in a list (expected: a comma or another \\ behind it)");
                }
                held.write(octets.get(i));
            } else {
                held.write(octet);
            }
        }
        return items;
    }

    static void print(List<SvcParam> params, StringBuilder text) {
        for (SvcParam param : params) {
            text.append(' ').append(name(param.key()));
            switch (param) {
                case SvcParam.Mandatory p -> list(p.keys(), SvcParamText::name, text);
                case SvcParam.Alpn p -> alpn(p.protocols(), text);
                case SvcParam.NoDefaultAlpn _ -> {}
                case SvcParam.Port p -> text.append("=\"").append(p.port()).append('"');
                case SvcParam.Ipv4Hint p -> list(p.addresses(), A::toString, text);
                case SvcParam.Ech p ->
                        text.append("=\"").append(p.configurations().base64()).append('"');
                case SvcParam.Ipv6Hint p -> list(p.addresses(), Aaaa::toString, text);
                case SvcParam.DohPath p -> quoted(p.template(), text);
                case SvcParam.Ohttp _ -> {}
                case SvcParam.Other p -> {
                    if (p.value().length() > 0) {
                        quoted(p.value(), text);
                    }
                }
            }
        }
    }

    private static String name(int key) {
        return key < NAMES.size() ? NAMES.get(key) : "key" + key;
    }

    private static void quoted(Octets value, StringBuilder text) {
        text.append('=');
        RdataPrinter.quoted(value, text);
    }

    private static <T> void list(List<T> items, Function<T, String> item, StringBuilder text) {
        text.append("=\"");
        for (int i = 0; i < items.size(); i++) {
            text.append(i == 0 ? "" : ",").append(Objects.requireNonNull(item.apply(items.get(i))));
        }
        text.append('"');
    }

    private static void alpn(List<Octets> protocols, StringBuilder text) {
        ByteArrayOutputStream list = new ByteArrayOutputStream();
        for (Octets protocol : protocols) {
            if (list.size() > 0) {
                list.write(',');
            }
            for (int i = 0; i < protocol.length(); i++) {
                if (protocol.get(i) == ',' || protocol.get(i) == '\\') {
                    list.write('\\');
                }
                list.write(protocol.get(i));
            }
        }
        quoted(Octets.of(list.toByteArray()), text);
    }
}
