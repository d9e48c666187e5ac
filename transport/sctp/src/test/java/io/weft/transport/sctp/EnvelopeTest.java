package io.weft.transport.sctp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.ffi.Memory;
import io.weft.ffi.Sctp;
import io.weft.ffi.SctpLayout.PrInfo;
import io.weft.ffi.SctpLayout.RcvInfo;
import io.weft.ffi.SctpLayout.SndInfo;
import io.weft.ffi.SockAddr;
import io.weft.ffi.Sockets;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EnvelopeTest {
    private final Envelope envelope = new Envelope();
    private final Buffer bytes = Rig.ascii("bytes");

    @AfterEach
    void free() {
        envelope.close();
        bytes.release();
    }

    private long control() {
        return Memory.getLong(envelope.header() + Sockets.MSGHDR_CONTROL);
    }

    private long controlLength() {
        return Memory.getLong(envelope.header() + Sockets.MSGHDR_CONTROLLEN);
    }

    @Test
    void messageIsDescribed() {
        SctpMessage message = SctpMessage.of(bytes, 7, 0x01020304).withAssociation(9);
        envelope.send(bytes.address(), 5, message.withUnordered(true), Sockets.AF_INET);

        assertThat(controlLength()).isEqualTo(32);
        assertThat(Memory.getInt(control() + Sockets.CMSGHDR_LEVEL)).isEqualTo(132);
        assertThat(Memory.getInt(control() + Sockets.CMSGHDR_TYPE)).isEqualTo(Sctp.SCTP_SNDINFO);
        long info = control() + Sockets.CMSGHDR_SIZE;
        assertThat(Memory.getShort(info + SndInfo.SND_SID)).isEqualTo((short) 7);
        assertThat(Memory.getShort(info + SndInfo.SND_FLAGS)).isEqualTo((short) 1);
        assertThat(Memory.getByte(info + SndInfo.SND_PPID)).isEqualTo((byte) 1);
        assertThat(Memory.getInt(info + SndInfo.SND_ASSOC_ID)).isEqualTo(9);
        assertThat(Memory.getLong(envelope.header() + Sockets.MSGHDR_NAME)).isZero();
    }

    @Test
    void reliabilityIsASecondPiece() {
        SctpReliability brief = SctpReliability.lifetime(Duration.ofMillis(250));
        SctpMessage message = SctpMessage.of(bytes, 0).withReliability(brief);
        envelope.send(bytes.address(), 5, message, Sockets.AF_INET);

        assertThat(controlLength()).isEqualTo(32 + 24);
        long second = control() + 32;
        assertThat(Memory.getInt(second + Sockets.CMSGHDR_TYPE)).isEqualTo(Sctp.SCTP_PRINFO);
        long info = second + Sockets.CMSGHDR_SIZE;
        assertThat(Memory.getShort(info + PrInfo.PR_POLICY)).isEqualTo((short) 0x10);
        assertThat(Memory.getInt(info + PrInfo.PR_VALUE)).isEqualTo(250);
    }

    @Test
    void peerIsNamed() {
        InetSocketAddress peer = Rig.loopback(3, 99);
        SctpMessage message = SctpMessage.of(bytes, 0).withPeer(peer);
        envelope.send(bytes.address(), 5, message, Sockets.AF_INET);

        long name = Memory.getLong(envelope.header() + Sockets.MSGHDR_NAME);
        assertThat(SockAddr.read(name)).isEqualTo(peer);
        assertThat(envelope.sender()).isEqualTo(peer);
    }

    @Test
    void peerOfTheOtherFamilyIsRefused() throws Exception {
        InetSocketAddress peer = new InetSocketAddress(InetAddress.getByAddress(new byte[16]), 99);
        SctpMessage message = SctpMessage.of(bytes, 0).withPeer(peer);

        assertThatThrownBy(() -> envelope.send(bytes.address(), 5, message, Sockets.AF_INET))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /// As the kernel does.
    static void answer(long header, int stream, int protocolId, int association, int flags) {
        long at = Memory.getLong(header + Sockets.MSGHDR_CONTROL);
        Sockets.putControl(at, Sctp.IPPROTO_SCTP, Sctp.SCTP_RCVINFO, RcvInfo.SIZE);
        long info = at + Sockets.CMSGHDR_SIZE;
        Memory.fill(info, RcvInfo.SIZE, (byte) 0);
        Memory.putShort(info + RcvInfo.RCV_SID, (short) stream);
        Memory.putIntBE(info + RcvInfo.RCV_PPID, protocolId);
        Memory.putInt(info + RcvInfo.RCV_ASSOC_ID, association);
        int length = Sockets.CMSGHDR_SIZE + RcvInfo.SIZE;
        Memory.putLong(header + Sockets.MSGHDR_CONTROLLEN, length);
        Memory.putInt(header + Sockets.MSGHDR_FLAGS, flags);
    }

    @Test
    void informationIsFoundOnlyWhereItIsWhole() {
        envelope.receive(bytes.address(), 5, false);
        answer(envelope.header(), 65535, -2, 6, Sctp.MSG_EOR);
        int whole = (int) controlLength();
        for (int length = 0; length < whole; length++) {
            Memory.putLong(envelope.header() + Sockets.MSGHDR_CONTROLLEN, length);
            assertThat(envelope.findInfo()).as("of " + length + " bytes").isFalse();
        }
        Memory.putLong(envelope.header() + Sockets.MSGHDR_CONTROLLEN, whole);

        assertThat(envelope.findInfo()).isTrue();
        assertThat(envelope.stream()).isEqualTo(65535);
        assertThat(envelope.protocolId()).isEqualTo(-2);
        assertThat(envelope.association()).isEqualTo(6);
        assertThat(envelope.isEnd()).isTrue();
        assertThat(envelope.isNotification()).isFalse();
        assertThat(envelope.sender()).isNull();
    }

    @Test
    void otherAncillaryDataIsPassedOver() {
        envelope.receive(bytes.address(), 5, false);
        answer(envelope.header(), 4, 0, 0, 0);
        Memory.putInt(control() + Sockets.CMSGHDR_LEVEL, Sockets.SOL_SOCKET);
        assertThat(envelope.findInfo()).isFalse();
        Memory.putLong(control() + Sockets.CMSGHDR_LENGTH, 0);
        assertThat(envelope.findInfo()).isFalse();
        Memory.putLong(control() + Sockets.CMSGHDR_LENGTH, Long.MAX_VALUE);
        assertThat(envelope.findInfo()).isFalse();
    }
}
