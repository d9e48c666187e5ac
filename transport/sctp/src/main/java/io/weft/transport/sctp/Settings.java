package io.weft.transport.sctp;

import io.weft.engine.ChannelOption;
import io.weft.ffi.Memory;
import io.weft.ffi.Sctp;
import io.weft.ffi.SctpLayout.AddStreams;
import io.weft.ffi.SctpLayout.AssocParams;
import io.weft.ffi.SctpLayout.AssocValue;
import io.weft.ffi.SctpLayout.InitMsg;
import io.weft.ffi.SctpLayout.PaddrInfo;
import io.weft.ffi.SctpLayout.PaddrParams;
import io.weft.ffi.SctpLayout.Prim;
import io.weft.ffi.SctpLayout.ResetStreams;
import io.weft.ffi.SctpLayout.RtoInfo;
import io.weft.ffi.SctpLayout.SackInfo;
import io.weft.ffi.SctpLayout.Status;
import io.weft.ffi.SockAddr;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Names of the kernel for the options of [SctpOption], and their structures.
final class Settings {
    private static final int HEARTBEAT_ON = 1; // SPP_HB_ENABLE
    private static final int HEARTBEAT_OFF = 2; // SPP_HB_DISABLE
    private static final int MOST_STREAMS = 1024;

    private static final Map<ChannelOption<?>, Setting<?>> KNOWN = new HashMap<>();

    static {
        plainNumbers();
        numbersOfAssociations();
        addresses();
        structures();
    }

    private Settings() {}

    /// Returns null for options that are no structures of SCTP.
    @SuppressWarnings("unchecked") // the table pairs options of one type
    static <T> @Nullable Setting<T> of(ChannelOption<T> option) {
        return (Setting<T>) KNOWN.get(option);
    }

    private static <T> void put(
            ChannelOption<T> option,
            int number,
            int size,
            Setting.@Nullable Reader<T> reader,
            Setting.@Nullable Writer<T> writer) {
        KNOWN.put(option, new Setting<>(number, size, reader, writer));
    }

    private static void number(ChannelOption<Integer> option, int number) {
        put(option, number, 4, Memory::getInt, (value, at) -> Memory.putInt(at, value));
    }

    private static void flag(ChannelOption<Boolean> option, int number) {
        put(
                option,
                number,
                4,
                at -> Memory.getInt(at) != 0,
                (value, at) -> Memory.putInt(at, value ? 1 : 0));
    }

    private static void ofAssociation(ChannelOption<Integer> option, int number) {
        put(
                option,
                number,
                AssocValue.SIZE,
                at -> Memory.getInt(at + AssocValue.ASSOC_VALUE),
                (value, at) -> Memory.putInt(at + AssocValue.ASSOC_VALUE, value));
    }

    private static void flagOfAssociation(ChannelOption<Boolean> option, int number) {
        put(
                option,
                number,
                AssocValue.SIZE,
                at -> Memory.getInt(at + AssocValue.ASSOC_VALUE) != 0,
                (value, at) -> Memory.putInt(at + AssocValue.ASSOC_VALUE, value ? 1 : 0));
    }

    private static void plainNumbers() {
        flag(SctpOption.NODELAY, Sctp.SCTP_NODELAY);
        flag(SctpOption.DISABLE_FRAGMENTS, Sctp.SCTP_DISABLE_FRAGMENTS);
        number(SctpOption.PARTIAL_DELIVERY_POINT, Sctp.SCTP_PARTIAL_DELIVERY_POINT);
        number(SctpOption.FRAGMENT_INTERLEAVE, Sctp.SCTP_FRAGMENT_INTERLEAVE);
        number(SctpOption.ADAPTATION, Sctp.SCTP_ADAPTATION_LAYER);
        put(
                SctpOption.AUTOCLOSE,
                Sctp.SCTP_AUTOCLOSE,
                4,
                at -> Duration.ofSeconds(Memory.getInt(at)),
                (value, at) -> {
                    SctpOption.check("seconds", value.toSeconds(), 0, 0xffff);
                    Memory.putInt(at, (int) value.toSeconds());
                });
    }

    private static void numbersOfAssociations() {
        ofAssociation(SctpOption.MAX_SEGMENT, Sctp.SCTP_MAXSEG);
        ofAssociation(SctpOption.MAX_BURST, Sctp.SCTP_MAX_BURST);
        ofAssociation(SctpOption.STREAM_SCHEDULER, Sctp.SCTP_STREAM_SCHEDULER);
        ofAssociation(SctpOption.ENABLE_STREAM_RESET, Sctp.SCTP_ENABLE_STREAM_RESET);
        flagOfAssociation(SctpOption.PARTIAL_RELIABILITY, Sctp.SCTP_PR_SUPPORTED);
        flagOfAssociation(SctpOption.ASCONF_SUPPORTED, Sctp.SCTP_ASCONF_SUPPORTED);
        flagOfAssociation(SctpOption.AUTH_SUPPORTED, Sctp.SCTP_AUTH_SUPPORTED);
        flagOfAssociation(SctpOption.ECN_SUPPORTED, Sctp.SCTP_ECN_SUPPORTED);
        flagOfAssociation(SctpOption.INTERLEAVING_SUPPORTED, Sctp.SCTP_INTERLEAVING_SUPPORTED);
        flagOfAssociation(SctpOption.RECONFIG_SUPPORTED, Sctp.SCTP_RECONFIG_SUPPORTED);
    }

    private static void addresses() {
        put(
                SctpOption.PRIMARY_ADDRESS,
                Sctp.SCTP_PRIMARY_ADDR,
                Prim.SIZE,
                at -> SockAddr.read(at + Prim.SSP_ADDR),
                Settings::writePrimary);
        put(
                SctpOption.PEER_PRIMARY_ADDRESS,
                Sctp.SCTP_SET_PEER_PRIMARY_ADDR,
                Prim.SIZE,
                null,
                Settings::writePrimary);
    }

    private static void writePrimary(InetSocketAddress address, long at) {
        int _ =
                SockAddr.write(
                        address, SockAddr.familyFor(address.getAddress()), at + Prim.SSP_ADDR);
    }

    private static void structures() {
        put(
                SctpOption.INIT,
                Sctp.SCTP_INITMSG,
                InitMsg.SIZE,
                at ->
                        new SctpInit(
                                u16(at + InitMsg.SINIT_NUM_OSTREAMS),
                                u16(at + InitMsg.SINIT_MAX_INSTREAMS),
                                u16(at + InitMsg.SINIT_MAX_ATTEMPTS),
                                Duration.ofMillis(u16(at + InitMsg.SINIT_MAX_INIT_TIMEO))),
                (value, at) -> {
                    putU16(at + InitMsg.SINIT_NUM_OSTREAMS, value.outboundStreams());
                    putU16(at + InitMsg.SINIT_MAX_INSTREAMS, value.inboundStreams());
                    putU16(at + InitMsg.SINIT_MAX_ATTEMPTS, value.attempts());
                    putU16(at + InitMsg.SINIT_MAX_INIT_TIMEO, (int) value.timeout().toMillis());
                });
        put(
                SctpOption.RETRANSMISSION,
                Sctp.SCTP_RTOINFO,
                RtoInfo.SIZE,
                at ->
                        new SctpRetransmission(
                                millis(at + RtoInfo.SRTO_INITIAL),
                                millis(at + RtoInfo.SRTO_MIN),
                                millis(at + RtoInfo.SRTO_MAX)),
                (value, at) -> {
                    putMillis(at + RtoInfo.SRTO_INITIAL, value.initial());
                    putMillis(at + RtoInfo.SRTO_MIN, value.least());
                    putMillis(at + RtoInfo.SRTO_MAX, value.most());
                });
        put(
                SctpOption.MAX_RETRANSMISSIONS,
                Sctp.SCTP_ASSOCINFO,
                AssocParams.SIZE,
                at -> u16(at + AssocParams.SASOC_ASOCMAXRXT),
                (value, at) -> putU16(at + AssocParams.SASOC_ASOCMAXRXT, value));
        put(
                SctpOption.PATH,
                Sctp.SCTP_PEER_ADDR_PARAMS,
                PaddrParams.SIZE,
                Settings::readPath,
                Settings::writePath);
        put(
                SctpOption.DELAYED_ACK,
                Sctp.SCTP_DELAYED_ACK_TIME,
                SackInfo.SIZE,
                at ->
                        new SctpDelayedAck(
                                millis(at + SackInfo.SACK_DELAY),
                                Memory.getInt(at + SackInfo.SACK_FREQ)),
                (value, at) -> {
                    putMillis(at + SackInfo.SACK_DELAY, value.delay());
                    Memory.putInt(at + SackInfo.SACK_FREQ, value.packets());
                });
        put(SctpOption.STATUS, Sctp.SCTP_STATUS, Status.SIZE, Settings::readStatus, null);
        put(
                SctpOption.ADD_STREAMS,
                Sctp.SCTP_ADD_STREAMS,
                AddStreams.SIZE,
                null,
                (value, at) -> {
                    putU16(at + AddStreams.SAS_INSTRMS, value.inbound());
                    putU16(at + AddStreams.SAS_OUTSTRMS, value.outbound());
                });
    }

    /// Returns the setting of a reset, whose structure is as long as its list.
    static Setting<SctpStreamReset> reset(SctpStreamReset of) {
        int size = ResetStreams.SRS_STREAM_LIST + 2 * Math.min(of.streams().size(), MOST_STREAMS);
        return new Setting<>(
                Sctp.SCTP_RESET_STREAMS,
                size,
                null,
                (value, at) -> {
                    int flags = (value.incoming() ? 1 : 0) | (value.outgoing() ? 2 : 0);
                    putU16(at + ResetStreams.SRS_FLAGS, flags);
                    putU16(at + ResetStreams.SRS_NUMBER_STREAMS, value.streams().size());
                    long list = at + ResetStreams.SRS_STREAM_LIST;
                    for (int i = 0; i < value.streams().size(); i++) {
                        putU16(list + 2L * i, value.streams().get(i));
                    }
                });
    }

    private static SctpPath readPath(long at) {
        boolean beats = (Memory.getInt(at + PaddrParams.SPP_FLAGS) & HEARTBEAT_ON) != 0;
        return new SctpPath(
                beats ? millis(at + PaddrParams.SPP_HBINTERVAL) : Duration.ZERO,
                u16(at + PaddrParams.SPP_PATHMAXRXT));
    }

    private static void writePath(SctpPath path, long at) {
        boolean beats = path.heartbeat().isPositive();
        Memory.putInt(at + PaddrParams.SPP_FLAGS, beats ? HEARTBEAT_ON : HEARTBEAT_OFF);
        putMillis(at + PaddrParams.SPP_HBINTERVAL, path.heartbeat());
        putU16(at + PaddrParams.SPP_PATHMAXRXT, path.retransmissions());
    }

    private static SctpStatus readStatus(long at) {
        long primary = at + Status.SSTAT_PRIMARY;
        return new SctpStatus(
                Memory.getInt(at + Status.SSTAT_ASSOC_ID),
                Memory.getInt(at + Status.SSTAT_STATE),
                Integer.toUnsignedLong(Memory.getInt(at + Status.SSTAT_RWND)),
                u16(at + Status.SSTAT_UNACKDATA),
                u16(at + Status.SSTAT_PENDDATA),
                u16(at + Status.SSTAT_INSTRMS),
                u16(at + Status.SSTAT_OUTSTRMS),
                Memory.getInt(at + Status.SSTAT_FRAGMENTATION_POINT),
                SockAddr.read(primary + PaddrInfo.SPINFO_ADDRESS),
                millis(primary + PaddrInfo.SPINFO_SRTT),
                millis(primary + PaddrInfo.SPINFO_RTO),
                Memory.getInt(primary + PaddrInfo.SPINFO_MTU));
    }

    private static int u16(long at) {
        return Short.toUnsignedInt(Memory.getShort(at));
    }

    private static void putU16(long at, int value) {
        SctpOption.check("value", value, 0, 0xffff);
        Memory.putShort(at, (short) value);
    }

    private static Duration millis(long at) {
        return Duration.ofMillis(Integer.toUnsignedLong(Memory.getInt(at)));
    }

    private static void putMillis(long at, Duration time) {
        Memory.putInt(at, (int) time.toMillis());
    }
}
