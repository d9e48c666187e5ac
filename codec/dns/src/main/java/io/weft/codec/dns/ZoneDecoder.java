package io.weft.codec.dns;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.StepDecoder;
import io.weft.codec.dns.rdata.Rdata;
import io.weft.codec.dns.rdata.Soa;
import io.weft.codec.dns.rdata.Tkey;
import io.weft.codec.dns.text.Times;
import io.weft.codec.dns.text.Tokens;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Decodes master files (RFC 1035, 5; RFC 2308, 4): records one by one, however the octets of the
/// file arrive. It knows `$ORIGIN`, `$TTL` and BIND's `$GENERATE`; `$INCLUDE` is refused, unless
/// [#includes] says how its files are read.
///
/// A record without a name has that of the one before, one without a class IN or that of the one
/// before, one without a TTL that of `$TTL`, else that of the one before; an SOA record has its
/// minimum if there is none.
///
/// **Pausing.** `$GENERATE` and `$INCLUDE` may be paused between any two records. Until [#close],
/// a paused decoder holds the included files that it is in.
///
/// **Errors.** A [ZoneException], with the line where the entry begins.
public final class ZoneDecoder extends StepDecoder<DnsRecord> {
    /// Octets of an entry, with its comments, unless said otherwise.
    public static final int MAX_ENTRY = 262_144;

    /// Records that the `$GENERATE` entries of a file and of those that it includes make, at most.
    public static final int MAX_GENERATED = 65_536;

    /// Octets of text that these records have, at most. A record counts with its entry if that is
    /// longer.
    public static final int MAX_GENERATED_OCTETS = 16 << 20;

    /// Files that a file and those that it includes may include, unless said otherwise. One that is
    /// included twice counts twice.
    public static final int MAX_INCLUDED = 1_024;

    /// Octets that these files have, at most, unless said otherwise.
    public static final long MAX_INCLUDED_OCTETS = 64L << 20;

    /// Files within files.
    private static final int MAX_DEPTH = 8;

    private final int maxEntry;
    private @Nullable Includes includes;
    private int includeDepth;
    private ZoneBudget budget = new ZoneBudget(MAX_INCLUDED, MAX_INCLUDED_OCTETS);

    // Of the entry that comes: how far it was looked at, and what that is inside of.
    private int scanned;
    private int depth;
    private boolean quotes;
    private boolean comment;
    private boolean escape;

    private long line = 1;
    private int lines;

    /// The line where the last entry begins.
    private long began = 1;

    // What is left of the last entry, if it makes several records. They are handed out one a step,
    // so that the consumer may pause or throw at each.
    private @Nullable Generated series;
    private @Nullable Included included;

    /// The record that the last advance made.
    private @Nullable DnsRecord made;

    private DnsName origin;
    private @Nullable DnsName owner;
    private RecordClass recordClass = RecordClass.IN;

    /// Of `$TTL`, and of the last record; -1: none.
    private int defaultTtl = -1;

    private int lastTtl = -1;

    /// @param origin what names without a dot at their end go on with, until `$ORIGIN` says
    ///     otherwise
    public ZoneDecoder(DnsName origin) {
        this(origin, MAX_ENTRY);
    }

    /// @param maxEntry octets of an entry, with its comments
    public ZoneDecoder(DnsName origin, int maxEntry) {
        if (maxEntry < 1) {
            throw new IllegalArgumentException("maxEntry: " + maxEntry + " (expected: >= 1)");
        }
        this.origin = origin;
        this.maxEntry = maxEntry;
    }

    /// Reads the files of `$INCLUDE`. Which may be read is decided here alone: a name is the text
    /// of a file, and may be absolute, or lead out of a directory by `..` or a link.
    @FunctionalInterface
    public interface Includes {
        /// Returns the octets of a file.
        ///
        /// @param name as the entry has it, its backslashes gone
        /// @throws IOException when there is no such file, or it must not be read
        byte[] read(String name) throws IOException;
    }

    /// Reads files of `$INCLUDE` too, up to 8 within each other, and as many as [#MAX_INCLUDED] and
    /// [#MAX_INCLUDED_OCTETS] say. An error within one is told with the line of its `$INCLUDE` and
    /// its own.
    ///
    /// @param includes is called by the thread that decodes
    /// @return this
    public ZoneDecoder includes(Includes includes) {
        return includes(includes, MAX_INCLUDED, MAX_INCLUDED_OCTETS);
    }

    /// Reads files of `$INCLUDE` too, with limits of its own. To be called before anything is
    /// decoded.
    ///
    /// @param includes is called by the thread that decodes
    /// @param maxFiles that are included in all
    /// @param maxOctets of all these files together
    /// @return this
    /// @throws IllegalArgumentException if a limit is negative
    public ZoneDecoder includes(Includes includes, int maxFiles, long maxOctets) {
        this.budget = new ZoneBudget(maxFiles, maxOctets);
        this.includes = includes;
        return this;
    }

    /// The records of a whole file.
    ///
    /// @throws ZoneException unless it is one
    public static List<DnsRecord> parse(String text, DnsName origin) {
        try (ZoneDecoder decoder = new ZoneDecoder(origin)) {
            return decoder.records(text.getBytes(UTF_8));
        }
    }

    /// The records of a whole file: what [#parse] does with this decoder, which has not decoded
    /// anything yet and is at its end behind it.
    ///
    /// @throws ZoneException unless it is one
    public List<DnsRecord> records(byte... file) {
        List<DnsRecord> records = new ArrayList<>();
        try (Buffer in = buffer(file)) {
            decode(in, records::add);
            end(records::add);
        }
        return records;
    }

    @Override
    protected boolean step(Buffer in, Consumer<? super DnsRecord> out) {
        if (!advance(in)) {
            return false;
        }
        DnsRecord record = made;
        if (record != null) {
            emitted();
            out.accept(record);
        }
        return true;
    }

    /// Makes the next record of what is left of an entry, or reads the next entry, and sets `made`.
    ///
    /// @return false if the end of the entry is not there yet
    private boolean advance(Buffer in) {
        String entry = null;
        if (!isPending()) {
            int length = scan(in);
            if (length < 0) {
                return false;
            }
            entry = in.readString(length, ISO_8859_1);
            began = line;
            line += lines;
            scanned = 0;
            lines = 0;
            depth = 0;
            quotes = false;
            comment = false;
            escape = false;
        }
        try {
            made = entry == null ? pending() : entry(entry);
        } catch (IllegalArgumentException e) {
            close();
            throw new ZoneException(began, String.valueOf(e.getMessage()));
        }
        return true;
    }

    private boolean isPending() {
        return series != null || included != null;
    }

    /// Returns the next record of a `$GENERATE` or `$INCLUDE`; null at the end of the file.
    private @Nullable DnsRecord pending() {
        if (series != null) {
            return nextOf(series);
        }
        return included == null ? null : nextOf(included);
    }

    /// Octets of the entry with the end of its line; -1 when that is not there yet.
    private int scan(Buffer in) {
        int from = in.readOffset();
        int available = in.readableBytes();
        while (scanned < available) {
            if (scanned == maxEntry) {
                throw new ZoneException(
                        line, "entry above " + maxEntry + " octets (expected: not)");
            }
            if (took(in.getByte(from + scanned++))) {
                return scanned;
            }
        }
        return -1;
    }

    /// Takes `b`, and tells if it ends the entry.
    private boolean took(byte b) {
        if (b == '\n') {
            lines++;
            comment = false;
            quotes = false; // which is an error, told by the one who reads the entry
            escape = false;
            return depth == 0;
        }
        if (comment) {
            return false;
        }
        if (escape) {
            escape = false;
            return false;
        }
        switch (b) {
            case '\\' -> escape = true;
            case '"' -> quotes = !quotes;
            case ';' -> comment = !quotes;
            case '(' -> depth += quotes ? 0 : 1;
            case ')' -> depth -= quotes || depth == 0 ? 0 : 1;
            default -> {}
        }
        return false;
    }

    /// A file may end without the end of its last line.
    @Override
    protected void finish(int unread, Consumer<? super DnsRecord> out) {
        if (isPending()) {
            throw new ZoneException(began, "the end while decoding is paused (expected: resumed)");
        }
        finish(unread);
    }

    private void finish(int unread) {
        if (unread > 0) {
            throw new ZoneException(line, "no end of its line (expected: one)");
        }
    }

    /// Null for an entry that is no record.
    private @Nullable DnsRecord entry(String entry) {
        boolean unnamed = entry.startsWith(" ") || entry.startsWith("\t");
        Tokens in = new Tokens(entry, origin);
        String first = in.peek();
        if (first == null) {
            return null;
        }
        if (!unnamed && first.startsWith("$") && !in.isQuoted()) {
            directive(in);
            return null;
        }
        if (!unnamed) {
            owner = DnsName.parse(in.word("name"), origin);
        }
        DnsName name = owner;
        if (name == null) {
            throw new IllegalArgumentException("no name (expected: one in the first record)");
        }
        return record(name, in);
    }

    private void directive(Tokens in) {
        String directive = in.word("directive").toUpperCase(Locale.ROOT);
        switch (directive) {
            case "$ORIGIN" -> origin = DnsName.parse(in.word("origin"), origin);
            case "$TTL" -> defaultTtl = (int) Times.duration(in.word("TTL"), Integer.MAX_VALUE);
            case "$GENERATE" -> generate(in);
            case "$INCLUDE" -> include(in);
            default ->
                    throw new IllegalArgumentException(
                            Tokens.shown(directive)
                                    + " (expected: $ORIGIN, $TTL, $INCLUDE or $GENERATE)");
        }
        in.end();
    }

    /// @param numbers that are left, at least one
    private record Generated(Iterator<Integer> numbers, String name, String data) {}

    private void generate(Tokens in) {
        Series numbers = Series.parse(in.word("range"));
        budget.series(numbers);
        series = new Generated(numbers.iterator(), in.word("name"), in.remainder());
    }

    private DnsRecord nextOf(Generated entry) {
        int number = entry.numbers.next();
        if (!entry.numbers.hasNext()) {
            series = null;
        }
        String name = Series.with(entry.name, number);
        String data = Series.with(entry.data, number);
        int least = entry.name.length() + entry.data.length(); // which are read each time
        budget.generated(Math.max(least, name.length() + data.length()));
        return record(DnsName.parse(name, origin), new Tokens(data, origin));
    }

    /// @param in what is left of the file
    private record Included(String name, ZoneDecoder decoder, Buffer in) {}

    /// RFC 1035, 5.1: the origin in here is as before when the file ends. As with BIND, so are the
    /// name of the last record and its class.
    private void include(Tokens in) {
        if (includes == null) {
            throw new IllegalArgumentException("$INCLUDE (expected: all in one file)");
        }
        if (includeDepth == MAX_DEPTH) {
            throw new IllegalArgumentException(
                    "$INCLUDE: files within files (expected: at most " + MAX_DEPTH + ")");
        }
        budget.file();
        String name = in.text("file");
        DnsName within = in.hasNext() ? DnsName.parse(in.word("origin"), origin) : origin;
        in.end();
        byte[] file;
        try {
            file = includes.read(name);
        } catch (IOException | ZoneException e) {
            throw within(name, e);
        }
        budget.fileOctets(file.length);
        ZoneDecoder decoder = new ZoneDecoder(within, maxEntry);
        decoder.includes = includes;
        decoder.includeDepth = includeDepth + 1;
        decoder.budget = budget;
        decoder.recordClass = recordClass;
        decoder.owner = owner;
        decoder.defaultTtl = defaultTtl;
        decoder.lastTtl = lastTtl;
        included = new Included(name, decoder, buffer(file));
    }

    private static IllegalArgumentException within(String file, Exception e) {
        return new IllegalArgumentException(
                Tokens.shown(file) + ": " + String.valueOf(e.getMessage()), e);
    }

    /// Null at the end of the file.
    private @Nullable DnsRecord nextOf(Included file) {
        ZoneDecoder decoder = file.decoder;
        try {
            while (decoder.advance(file.in)) {
                if (decoder.made != null) {
                    return decoder.made;
                }
            }
            decoder.finish(file.in.readableBytes());
        } catch (ZoneException e) {
            throw within(file.name, e);
        }
        defaultTtl = decoder.defaultTtl;
        lastTtl = decoder.lastTtl;
        close();
        return null;
    }

    /// Gives up the included files that are being decoded.
    @Override
    public void close() {
        Included file = included;
        included = null;
        if (file != null) {
            file.decoder.close();
            file.in.close();
        }
    }

    /// Returns a whole file, which may end without the end of its last line.
    private static Buffer buffer(byte[] file) {
        Buffer in = BufferAllocator.pooled().allocate(file.length + 1);
        in.writeBytes(file);
        if (file.length == 0 || file[file.length - 1] != '\n') {
            in.writeByte((byte) '\n');
        }
        return in;
    }

    private DnsRecord record(DnsName name, Tokens in) {
        int ttl = -1;
        boolean classified = false;
        while (true) {
            String word = in.word("type");
            if (ttl < 0 && !word.isEmpty() && word.charAt(0) >= '0' && word.charAt(0) <= '9') {
                ttl = (int) Times.duration(word, Integer.MAX_VALUE);
            } else if (!classified && isClass(word)) {
                recordClass = RecordClass.parse(word);
                classified = true;
            } else {
                return record(name, ttl, RecordType.parse(word), in);
            }
        }
    }

    /// `ANY` and `NONE` are no classes of records in files.
    private static boolean isClass(String word) {
        String upper = word.toUpperCase(Locale.ROOT);
        return upper.equals("IN")
                || upper.equals("CH")
                || upper.equals("HS")
                || upper.startsWith("CLASS");
    }

    private DnsRecord record(DnsName name, int stated, RecordType type, Tokens in) {
        Rdata data = RdataFormat.parse(type, recordClass, in);
        if (data instanceof Tkey) {
            throw new IllegalArgumentException("TKEY (expected: records that are kept)");
        }
        int ttl = stated >= 0 ? stated : defaultTtl >= 0 ? defaultTtl : lastTtl;
        if (ttl < 0 && data instanceof Soa soa) {
            ttl = (int) Math.min(soa.minimum(), Integer.MAX_VALUE);
        }
        if (ttl < 0) {
            throw new IllegalArgumentException(
                    "no TTL (expected: $TTL, or one in the first record)");
        }
        lastTtl = ttl;
        return new DnsRecord(name, recordClass, ttl, data);
    }
}
