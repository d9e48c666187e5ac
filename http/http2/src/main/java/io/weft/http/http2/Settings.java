package io.weft.http.http2;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Values of settings by [Setting]: what one SETTINGS frame says, in its order of settings.
/// Settings that it leaves out are absent. Immutable.
public final class Settings {
    private static final Setting[] ALL = Setting.values();
    private static final long ABSENT = -1;

    public static final Settings EMPTY = new Settings(absent());

    private final long[] values;

    /// Of a frame that says several values of HEADER_TABLE_SIZE the least, else the value.
    private final long leastTable;

    private Settings(long[] values) {
        this(values, values[Setting.HEADER_TABLE_SIZE.id()]);
    }

    private Settings(long[] values, long leastTable) {
        this.values = values;
        this.leastTable = leastTable;
    }

    private static long[] absent() {
        long[] none = new long[Setting.MAX_ID + 1];
        Arrays.fill(none, ABSENT);
        return none;
    }

    /// Returns the settings that a side begins a connection with.
    static Settings initial(Http2Connection.Role role, Http2Limits limits) {
        Settings settings =
                EMPTY.with(Setting.HEADER_TABLE_SIZE, limits.headerTable())
                        .with(Setting.INITIAL_WINDOW_SIZE, limits.streamWindow())
                        .with(Setting.MAX_FRAME_SIZE, limits.frame())
                        .with(Setting.MAX_HEADER_LIST_SIZE, limits.headerSection());
        return role == Http2Connection.Role.CLIENT
                ? settings.with(Setting.ENABLE_PUSH, 0)
                : settings.with(Setting.MAX_CONCURRENT_STREAMS, limits.streams())
                        .with(Setting.ENABLE_CONNECT_PROTOCOL, 1)
                        .with(Setting.NO_RFC7540_PRIORITIES, 1);
    }

    /// Reads the payload of a SETTINGS frame (RFC 9113, 6.5.1). Settings that are not known are
    /// left out.
    ///
    /// @throws Http2Exception for a length that is no multiple of 6, and for a value that no
    ///     endpoint may send
    public static Settings of(byte[] payload) {
        if (payload.length % 6 != 0) {
            throw new Http2Exception(
                    ErrorCode.FRAME_SIZE_ERROR,
                    "SETTINGS: " + payload.length + " bytes (expected: a multiple of 6)");
        }
        Settings settings = EMPTY;
        ByteBuffer in = ByteBuffer.wrap(payload);
        while (in.hasRemaining()) {
            Setting setting = Setting.of(in.getShort() & 0xFFFF);
            long value = in.getInt() & 0xFFFF_FFFFL;
            if (setting != null) {
                settings = settings.add(setting, value);
            }
        }
        return settings;
    }

    /// Tells if the setting is there.
    public boolean has(Setting setting) {
        return values[setting.id()] != ABSENT;
    }

    /// Returns the value, 0 to 2^32-1, or the initial one when the setting is absent.
    public long get(Setting setting) {
        long value = values[setting.id()];
        return value == ABSENT ? setting.initial() : value;
    }

    /// Returns these settings and one more, in place of another value of it.
    ///
    /// @throws Http2Exception for a value that no endpoint may send
    public Settings with(Setting setting, long value) {
        if (value < 0 || value > 0xFFFF_FFFFL) {
            throw new IllegalArgumentException(setting + ": " + value + " (expected: 0 to 2^32-1)");
        }
        setting.check(value);
        long[] changed = values.clone();
        changed[setting.id()] = value;
        return new Settings(changed);
    }

    /// As [#with], of the next setting of a frame.
    private Settings add(Setting setting, long value) {
        long[] more = with(setting, value).values;
        if (setting != Setting.HEADER_TABLE_SIZE) {
            return new Settings(more, leastTable);
        }
        return new Settings(more, leastTable == ABSENT ? value : Math.min(leastTable, value));
    }

    /// Returns these settings, those of `changed` in the place of theirs.
    Settings with(Settings changed) {
        long[] all = values.clone();
        for (int i = 0; i < all.length; i++) {
            if (changed.values[i] != ABSENT) {
                all[i] = changed.values[i];
            }
        }
        return new Settings(all);
    }

    /// Returns the least size of the table that the frame names: its sender may have dropped fields
    /// for it, though a later value is larger (RFC 7541, 4.2).
    long leastHeaderTable() {
        return leastTable;
    }

    int size() {
        int size = 0;
        for (long value : values) {
            size += value == ABSENT ? 0 : 1;
        }
        return size;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Settings that && Arrays.equals(values, that.values);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(values);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("Settings");
        char separator = '[';
        for (Setting setting : ALL) {
            if (has(setting)) {
                text.append(separator).append(setting).append('=').append(get(setting));
                separator = ',';
            }
        }
        return separator == '[' ? "Settings[]" : text.append(']').toString();
    }
}
