package io.weft.examples;

import com.google.protobuf.ListValue;
import com.google.protobuf.MessageLite;
import com.google.protobuf.NullValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.MessageHandler;
import io.weft.codec.protobuf.ProtobufDecoder;
import io.weft.codec.protobuf.ProtobufEncoder;
import io.weft.handler.codec.DecoderHandler;
import io.weft.handler.codec.EncoderHandler;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.time.ZoneId;

/// The time in cities, by messages of Protocol Buffers with their length in front: a client sends a
/// `ListValue` of zones such as `Asia/Tokyo`, and gets a `Struct` of their times; null for a zone
/// that does not exist. Both are messages that the library brings, so nothing is generated.
///
/// Try it: `printf '\16\12\14\32\12Asia/Tokyo' | nc -q1 127.0.0.1 8463 | xxd` asks for one zone.
public final class WorldClock {
    /// Zones of one question.
    private static final int MAX_ZONES = 100;

    private WorldClock() {}

    public static void main(String[] args) {
        Example.main(8463, args, options -> start(options, Clock.systemUTC()));
    }

    static Example.Running start(Options options, Clock clock) {
        return Example.tcp(
                options,
                channel ->
                        channel.pipeline()
                                .addLast(
                                        new DecoderHandler<>(
                                                ProtobufDecoder.delimited(
                                                        ListValue.getDefaultInstance())))
                                .addLast(
                                        new EncoderHandler<>(
                                                MessageLite.class, ProtobufEncoder.delimited()))
                                .addLast(new ClockHandler(clock)));
    }

    private record ClockHandler(Clock clock) implements MessageHandler<ListValue> {
        @Override
        public Class<ListValue> messageType() {
            return ListValue.class;
        }

        @Override
        public void messageRead(ChannelHandlerContext ctx, ListValue zones) {
            Struct.Builder times = Struct.newBuilder();
            zones.getValuesList().stream()
                    .limit(MAX_ZONES)
                    .map(Value::getStringValue)
                    .forEach(zone -> times.putFields(zone, time(zone)));
            ctx.writeAndFlush(times.build());
        }

        private Value time(String zone) {
            try {
                OffsetDateTime now = OffsetDateTime.now(clock.withZone(ZoneId.of(zone)));
                return Value.newBuilder().setStringValue(now.toString()).build();
            } catch (DateTimeException e) {
                return Value.newBuilder().setNullValue(NullValue.NULL_VALUE).build();
            }
        }
    }
}
