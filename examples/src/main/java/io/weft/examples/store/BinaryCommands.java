package io.weft.examples.store;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weft.buffer.Buffer;
import io.weft.codec.memcache.BinaryMessage;
import io.weft.codec.memcache.BinaryStatus;
import io.weft.codec.memcache.MemcachePart;
import io.weft.codec.memcache.Opcode;
import io.weft.examples.store.MemcacheStore.Changed;
import io.weft.examples.store.MemcacheStore.Item;
import io.weft.examples.store.MemcacheStore.Mode;
import io.weft.examples.store.MemcacheStore.Outcome;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Commands of the binary protocol on the store of the memcached example.
final class BinaryCommands {
    private final MemcacheStore store;
    private final Consumer<Supplier<MemcachePart>> out;

    BinaryCommands(MemcacheStore store, Consumer<Supplier<MemcachePart>> out) {
        this.store = store;
        this.out = out;
    }

    /// Runs a request; returns false when it ends the connection.
    boolean run(BinaryMessage request) {
        Opcode opcode = Opcode.of(request.opcode());
        if (opcode == null) {
            fail(request, BinaryStatus.UNKNOWN_COMMAND);
            return true;
        }
        if (request.isStreamed()) {
            fail(request, BinaryStatus.TOO_LARGE);
            return true;
        }
        if (!request.isWellFormed()) {
            fail(request, BinaryStatus.INVALID);
            return true;
        }
        String key = new String(request.keyBytes(), ISO_8859_1);
        boolean quiet = opcode.isQuiet();
        switch (opcode) {
            case GET, GETQ, GETK, GETKQ -> got(request, opcode, store.get(key));
            case GAT, GATQ, GATK, GATKQ ->
                    got(request, opcode, store.touch(key, request.extra(0)).item());
            case TOUCH -> done(request, store.touch(key, request.extra(0)).outcome(), 0, false);
            case SET, SETQ -> store(request, Mode.SET, key, quiet);
            case ADD, ADDQ -> store(request, Mode.ADD, key, quiet);
            case REPLACE, REPLACEQ -> store(request, Mode.REPLACE, key, quiet);
            case APPEND, APPENDQ -> store(request, Mode.APPEND, key, quiet);
            case PREPEND, PREPENDQ -> store(request, Mode.PREPEND, key, quiet);
            case DELETE, DELETEQ -> done(request, store.delete(key, request.cas()), 0, quiet);
            case INCREMENT, INCREMENTQ -> count(request, key, true, quiet);
            case DECREMENT, DECREMENTQ -> count(request, key, false, quiet);
            case FLUSH, FLUSHQ -> {
                store.flush(request.extrasLength() == 4 ? request.extra(0) : 0);
                done(request, Outcome.DONE, 0, quiet);
            }
            case NOOP, VERBOSITY -> done(request, Outcome.DONE, 0, false);
            case VERSION ->
                    out.accept(response(request, BinaryStatus.OK).value(bytes("1.6.0"))::build);
            case STAT -> {
                if (key.isEmpty()) {
                    Map.of("pid", ProcessHandle.current().pid(), "curr_items", (long) store.size())
                            .forEach(
                                    (name, value) ->
                                            out.accept(
                                                    response(request, BinaryStatus.OK)
                                                                    .key(name)
                                                                    .value(bytes(value.toString()))
                                                            ::build));
                }
                out.accept(response(request, BinaryStatus.OK)::build);
            }
            case QUIT, QUITQ -> {
                done(request, Outcome.DONE, 0, quiet);
                return false;
            }
            default -> fail(request, BinaryStatus.UNKNOWN_COMMAND);
        }
        return true;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(ISO_8859_1);
    }

    private static BinaryMessage.Builder response(BinaryMessage request, BinaryStatus status) {
        return BinaryMessage.response(request.opcode(), status.number()).opaque(request.opaque());
    }

    private void fail(BinaryMessage request, BinaryStatus status) {
        out.accept(response(request, status).value(bytes(status.name()))::build);
    }

    private void got(BinaryMessage request, Opcode opcode, @Nullable Item item) {
        if (item == null) {
            if (!opcode.isQuiet()) {
                fail(request, BinaryStatus.KEY_NOT_FOUND);
            }
            return;
        }
        BinaryMessage.Builder found =
                response(request, BinaryStatus.OK)
                        .extras(item.flags())
                        .cas(item.cas())
                        .value(item.value());
        switch (opcode) {
            case GETK, GETKQ, GATK, GATKQ -> out.accept(found.key(request.keyBytes())::build);
            default -> out.accept(found::build);
        }
    }

    private void store(BinaryMessage request, Mode mode, String key, boolean quiet) {
        byte[] value = new byte[request.valueLength()];
        try (Buffer content = request.value()) {
            content.readBytes(value);
        }
        boolean plain = request.extrasLength() == 0;
        Changed changed =
                store.store(
                        mode,
                        key,
                        value,
                        plain ? 0 : request.extra(0),
                        plain ? 0 : Integer.toUnsignedLong(request.extra(4)),
                        request.cas());
        Outcome outcome = changed.outcome();
        if (outcome == Outcome.NOT_STORED && (mode == Mode.ADD || mode == Mode.REPLACE)) {
            outcome = mode == Mode.ADD ? Outcome.EXISTS : Outcome.NOT_FOUND;
        }
        Item item = changed.item();
        done(request, outcome, item == null ? 0 : item.cas(), quiet);
    }

    private void count(BinaryMessage request, String key, boolean up, boolean quiet) {
        Changed changed = store.add(key, up, request.extraLong(0));
        if (changed.outcome() == Outcome.NOT_FOUND && request.extra(16) != -1) {
            String first = Long.toUnsignedString(request.extraLong(8));
            long time = Integer.toUnsignedLong(request.extra(16));
            changed = store.store(Mode.ADD, key, bytes(first), 0, time, 0);
            if (changed.outcome() == Outcome.NOT_STORED) { // another was faster
                changed = store.add(key, up, request.extraLong(0));
            }
        }
        Item item = changed.item();
        if (changed.outcome() != Outcome.DONE || item == null) {
            done(request, changed.outcome(), 0, quiet);
        } else if (!quiet) {
            long value = Long.parseUnsignedLong(new String(item.value(), ISO_8859_1));
            out.accept(
                    response(request, BinaryStatus.OK)
                                    .cas(item.cas())
                                    .value(ByteBuffer.allocate(8).putLong(value).array())
                            ::build);
        }
    }

    private void done(BinaryMessage request, Outcome outcome, long cas, boolean quiet) {
        switch (outcome) {
            case DONE -> {
                if (!quiet) {
                    out.accept(response(request, BinaryStatus.OK).cas(cas)::build);
                }
            }
            case NOT_FOUND -> fail(request, BinaryStatus.KEY_NOT_FOUND);
            case EXISTS -> fail(request, BinaryStatus.KEY_EXISTS);
            case NOT_STORED -> fail(request, BinaryStatus.NOT_STORED);
            case NOT_A_NUMBER -> fail(request, BinaryStatus.NOT_A_NUMBER);
        }
    }
}
