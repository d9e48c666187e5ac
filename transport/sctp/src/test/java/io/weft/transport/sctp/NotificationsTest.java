package io.weft.transport.sctp;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.ffi.Memory;
import io.weft.ffi.Sctp;
import io.weft.ffi.SctpLayout.AssocChange;
import io.weft.ffi.SctpLayout.PaddrChange;
import io.weft.ffi.SctpLayout.SendFailed;
import io.weft.ffi.SctpLayout.SndInfo;
import io.weft.ffi.SockAddr;
import io.weft.ffi.Sockets;
import io.weft.transport.sctp.SctpNotification.AddressState;
import io.weft.transport.sctp.SctpNotification.AssociationState;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NotificationsTest {
    private static final int ROOM = 512;

    private final long at = Memory.allocate(ROOM, 8);

    NotificationsTest() {
        Memory.fill(at, ROOM, (byte) 0);
    }

    @AfterEach
    void free() {
        Memory.free(at, ROOM);
    }

    private void header(int type, int flags, int length) {
        Memory.putShort(at, (short) type);
        Memory.putShort(at + 2, (short) flags);
        Memory.putInt(at + AssocChange.SAC_LENGTH, length);
    }

    @Test
    void associationChangeIsRead() {
        header(Sctp.SCTP_ASSOC_CHANGE, 0, AssocChange.SIZE);
        Memory.putShort(at + AssocChange.SAC_STATE, (short) Sctp.SCTP_SHUTDOWN_COMP);
        Memory.putShort(at + AssocChange.SAC_ERROR, (short) 12);
        Memory.putShort(at + AssocChange.SAC_OUTBOUND_STREAMS, (short) 65535);
        Memory.putShort(at + AssocChange.SAC_INBOUND_STREAMS, (short) 3);
        Memory.putInt(at + AssocChange.SAC_ASSOC_ID, 77);

        assertThat(Notifications.read(at, AssocChange.SIZE))
                .isEqualTo(
                        new SctpNotification.AssociationChange(
                                77, AssociationState.SHUT_DOWN, 12, 65535, 3));
    }

    @Test
    void addressChangeIsRead() {
        InetSocketAddress address = Rig.loopback(9, 4711);
        header(Sctp.SCTP_PEER_ADDR_CHANGE, 0, PaddrChange.SIZE);
        int _ = SockAddr.write(address, Sockets.AF_INET, at + PaddrChange.SPC_AADDR);
        Memory.putInt(at + PaddrChange.SPC_STATE, Sctp.SCTP_ADDR_CONFIRMED);
        Memory.putInt(at + PaddrChange.SPC_ASSOC_ID, 5);

        assertThat(Notifications.read(at, PaddrChange.SIZE))
                .isEqualTo(
                        new SctpNotification.AddressChange(5, address, AddressState.CONFIRMED, 0));
    }

    @Test
    void addressOfUnknownFamilyIsNull() {
        header(Sctp.SCTP_PEER_ADDR_CHANGE, 0, PaddrChange.SIZE);
        Memory.putShort(at + PaddrChange.SPC_AADDR, (short) 99);
        Memory.putInt(at + PaddrChange.SPC_STATE, -1);

        assertThat(Notifications.read(at, PaddrChange.SIZE))
                .isEqualTo(new SctpNotification.AddressChange(0, null, AddressState.UNKNOWN, 0));
    }

    @Test
    void failedSendTellsItsMessage() {
        header(Sctp.SCTP_SEND_FAILED_EVENT, Sctp.SCTP_UNORDERED, SendFailed.SSF_DATA + 100_000);
        Memory.putInt(at + SendFailed.SSF_ERROR, 3);
        long info = at + SendFailed.SSFE_INFO;
        Memory.putShort(info + SndInfo.SND_SID, (short) 6);
        Memory.putIntBE(info + SndInfo.SND_PPID, 46);
        Memory.putInt(at + SendFailed.SSF_ASSOC_ID, 8);

        assertThat(Notifications.read(at, ROOM))
                .isEqualTo(new SctpNotification.SendFailed(8, true, 3, 6, 46, 100_000));
    }

    @Test
    void streamResetListsItsStreams() {
        header(Sctp.SCTP_STREAM_RESET_EVENT, 1 | 4, 18);
        Memory.putInt(at + 8, 4);
        Memory.putShort(at + 12, (short) 1);
        Memory.putShort(at + 14, (short) 65535);

        assertThat(Notifications.read(at, 16))
                .isEqualTo(
                        new SctpNotification.StreamReset(
                                4, true, false, true, false, List.of(1, 65535)));
    }

    @ParameterizedTest
    @EnumSource(SctpNotification.Kind.class)
    void everyKindIsReadOnlyWhereItIsWhole(SctpNotification.Kind kind) {
        header(kind.number(), 0, 200);
        boolean whole = false;
        for (int length = 0; length <= 200; length++) {
            boolean unknown = Notifications.read(at, length) instanceof SctpNotification.Unknown;
            assertThat(unknown).as("known at " + length).isEqualTo(!whole && unknown);
            whole = !unknown;
        }
        assertThat(whole).isTrue();
        assertThat(Notifications.read(at, 8)).isInstanceOf(SctpNotification.Unknown.class);
    }

    @Test
    void anyBytesAreReadWithoutFailing() {
        SplittableRandom random = new SplittableRandom(Long.getLong("io.weft.test.seed", 1));
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = new byte[random.nextInt(ROOM + 1)];
            random.nextBytes(bytes);
            Memory.copy(bytes, 0, at, bytes.length);
            if (bytes.length >= 2) {
                Memory.putShort(at, (short) (0x8000 + random.nextInt(17)));
            }
            assertThat(Notifications.read(at, bytes.length)).isNotNull();
        }
    }
}
