package io.weft.codec.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.weft.buffer.Buffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CommandTest {
    private static Command decoded(String wire) {
        List<Command> commands = new ArrayList<>();
        try (Buffer in = Shown.buffer(wire)) {
            new CommandDecoder().decode(in, commands::add);
        }
        assertThat(commands).hasSize(1);
        return commands.getFirst();
    }

    private static String wire(Command command) {
        return new String(Shown.encoded(new CommandEncoder(), () -> command), ISO_8859_1);
    }

    @Test
    void argumentsAreReadInSeveralWays() {
        try (Command command = decoded("*3\r\n$3\r\nset\r\n$3\r\nkey\r\n$2\r\n42\r\n")) {
            assertThat(command.size()).isEqualTo(3);
            assertThat(command.name()).isEqualTo("SET");
            assertThat(command.is(0, "SET")).isTrue();
            assertThat(command.is(0, "GET")).isFalse();
            assertThat(command.is(1, "kEY")).isTrue();
            assertThat(command.text(1)).isEqualTo("key");
            assertThat(command.bytes(1)).isEqualTo("key".getBytes(ISO_8859_1));
            assertThat(command.number(2)).isEqualTo(42);
            assertThat(command).hasToString("Command[SET, 2 arguments]");
            try (Buffer argument = command.argument(1)) {
                assertThat(Shown.content(argument)).isEqualTo("key");
            }
        }
    }

    @Test
    void numbersAreThoseOfRedis() {
        for (String bad : List.of("", "+1", "1x", " 1", "9223372036854775808", "1".repeat(30))) {
            try (Command command = Command.of("SET", bad)) {
                assertThatIllegalArgumentException().isThrownBy(() -> command.number(1));
            }
        }
    }

    @Test
    void builtCommandsAreOnTheWireAsDecodedOnes() {
        String wire =
                String.join(
                        "",
                        "*5\r\n$3\r\nSET\r\n$2\r\n\u00C3\u00A9\r\n$3\r\n-12\r\n$1\r\n\u00FF\r\n",
                        "$2\r\nbb\r\n");
        Command built =
                Command.named("SET")
                        .add("\u00E9")
                        .add(-12)
                        .add(new byte[] {-1})
                        .add(Shown.buffer("bb"))
                        .build();
        assertThat(wire(built)).isEqualTo(wire);
        assertThat(wire(decoded(wire))).isEqualTo(wire);
        assertThat(wire(decoded("get 'a b'\r\n"))).isEqualTo("*2\r\n$3\r\nget\r\n$3\r\na b\r\n");
        assertThatIllegalArgumentException().isThrownBy(Command::of);
    }

    @Test
    void sharedCommandsAreSentTwice() {
        Command command = Command.of("GET", "a");
        Command again = command.share();
        assertThat(again.text(1)).isEqualTo("a");
        assertThat(wire(command)).isEqualTo(wire(again));
    }

    @Test
    void longCommandsGrow() {
        String[] arguments = new String[1000];
        Arrays.fill(arguments, "argument");
        try (Command command = decoded(wire(Command.of(arguments)))) {
            assertThat(command.size()).isEqualTo(1000);
            assertThat(command.text(999)).isEqualTo("argument");
        }
    }

    @Test
    void tablesFindNamesWhateverTheirCase() {
        CommandTable<Integer> table = new CommandTable<>(Map.of("GET", 1, "set", 2, "MGET", 3));
        assertThat(find(table, "get")).isEqualTo(1);
        assertThat(find(table, "SeT")).isEqualTo(2);
        assertThat(find(table, "mget")).isEqualTo(3);
        assertThat(find(table, "GETX")).isNull();
        assertThat(find(table, "x".repeat(100))).isNull();
        assertThatIllegalArgumentException().isThrownBy(() -> new CommandTable<>(Map.of("A B", 1)));
    }

    private static @Nullable Integer find(CommandTable<Integer> table, String name) {
        try (Command command = Command.of(name)) {
            return table.find(command);
        }
    }

    @Test
    void limitsChangeBetweenCommands() {
        CommandDecoder decoder = new CommandDecoder(RespLimits.DEFAULT.elements(1));
        assertThat(Shown.decoded(decoder, "*1\r\n$4\r\nAUTH\r\n")).hasSize(1);
        decoder.limits(RespLimits.DEFAULT);
    }
}
