package io.weft.http.model;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Names and values of a query or of a form, decoded, in their order. A name may stand several
/// times. Immutable.
public final class Parameters implements Iterable<Parameters.Parameter> {
    /// A name and its value, which is empty where there is none.
    public record Parameter(String name, String value) {}

    /// Without parameters.
    public static final Parameters EMPTY = new Parameters(List.of());

    /// Parameters that a query may have.
    public static final int MAX_IN_QUERY = 256;

    private final List<Parameter> all;

    private Parameters(List<Parameter> all) {
        this.all = all;
    }

    /// Parses `a=1&b=2`, percent-encoded, with "+" for blanks (`application/x-www-form-urlencoded`
    /// of the WHATWG URL standard). ";" separates nothing.
    ///
    /// @param limit parameters, at most
    /// @throws HttpException 400 when there are more
    public static Parameters parse(String text, int limit) {
        List<Parameter> all = new ArrayList<>();
        int from = 0;
        while (from <= text.length()) {
            int mark = text.indexOf('&', from);
            int end = mark < 0 ? text.length() : mark;
            if (end > from) {
                if (all.size() == limit) {
                    throw new HttpException(
                            Status.BAD_REQUEST,
                            "parameters: more (expected: at most " + limit + ")");
                }
                int equals = text.indexOf('=', from);
                int nameEnd = equals < 0 || equals > end ? end : equals;
                all.add(
                        new Parameter(
                                PercentCoding.decode(text, from, nameEnd, true),
                                PercentCoding.decode(text, Math.min(nameEnd + 1, end), end, true)));
            }
            from = end + 1;
        }
        return all.isEmpty() ? EMPTY : new Parameters(List.copyOf(all));
    }

    /// The first value of that name, if there is one.
    public @Nullable String first(String name) {
        for (Parameter parameter : all) {
            if (parameter.name().equals(name)) {
                return parameter.value();
            }
        }
        return null;
    }

    /// All values of that name.
    public List<String> all(String name) {
        return all.stream().filter(p -> p.name().equals(name)).map(Parameter::value).toList();
    }

    public boolean contains(String name) {
        return first(name) != null;
    }

    public int size() {
        return all.size();
    }

    public boolean isEmpty() {
        return all.isEmpty();
    }

    @Override
    public Iterator<Parameter> iterator() {
        return all.iterator();
    }

    /// Names only: values may be secrets.
    @Override
    public String toString() {
        return all.stream().map(Parameter::name).toList().toString();
    }
}
