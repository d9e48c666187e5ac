package io.weft.handler.filter;

import static io.weft.handler.filter.IpFilter.Action.ACCEPT;
import static io.weft.handler.filter.IpFilter.Action.REJECT;
import static io.weft.handler.filter.IpFilter.Rule.accept;
import static io.weft.handler.filter.IpFilter.Rule.reject;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.EmbeddedChannel;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IpFilterTest {
    private static InetAddress address(String literal) {
        try {
            return InetAddress.getByName(literal);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static InetSocketAddress peer(String literal) {
        return new InetSocketAddress(address(literal), 1);
    }

    private static final class Heard implements ChannelHandler {
        int events;

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            events++;
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            events++;
        }
    }

    /// Against the definition: shift the bits behind the prefix out and compare numbers.
    @Test
    void agreesWithArithmeticOnRandomBlocksAndAddresses() throws UnknownHostException {
        long seed = Long.getLong("io.weft.test.seed", 1);
        Random random = new Random(seed);
        for (int i = 0; i < 200_000; i++) {
            int bytes = random.nextBoolean() ? 4 : 16;
            int prefix = random.nextInt(bytes * 8 + 1);
            BigInteger network =
                    new BigInteger(bytes * 8, random)
                            .shiftRight(bytes * 8 - prefix)
                            .shiftLeft(bytes * 8 - prefix);
            // Near the block, so that both answers are common.
            BigInteger peer = network.flipBit(random.nextInt(bytes * 8));
            InetAddress at = InetAddress.getByAddress(bigEndian(network, bytes));
            InetAddress from = InetAddress.getByAddress(bigEndian(peer, bytes));
            if (at.getAddress().length != bytes || from.getAddress().length != bytes) {
                continue; // IPv4 in IPv6 form
            }
            boolean expected =
                    peer.shiftRight(bytes * 8 - prefix)
                            .equals(network.shiftRight(bytes * 8 - prefix));
            Cidr block = Cidr.parse(at.getHostAddress() + "/" + prefix);
            assertThat(block.contains(from))
                    .as("%s in %s, seed %s", from, block, seed)
                    .isEqualTo(expected);
        }
    }

    private static byte[] bigEndian(BigInteger number, int length) {
        byte[] bytes = number.toByteArray();
        byte[] padded = new byte[length];
        int n = Math.min(length, bytes.length);
        System.arraycopy(bytes, bytes.length - n, padded, length - n, n);
        return padded;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/8",
                "localhost",
                "10.0.0.0/",
                "10.0.0.0/33",
                "10.0.0.1/8",
                "10/8",
                "::/129",
                "10.0.0.0/08",
                "10.0.0.0/-1",
                "1.2.3",
                "fe80::1%lo/64",
                "999.0.0.0/8",
                "256.1.1.1",
                "010.0.0.0/8",
                "10.0.0.00/8",
                "0x7f.0.0.1",
                "::ffff:10.0.0.0/8",
                "::ffff:10.0.0.0/95",
                "::ffff:10.0.0.0/129",
                "::ffff:010.0.0.0/104",
                "::ffff:10.0.0.1/104",
                "1:2/16",
                ":",
                "1.2.3.4:",
                "2001:db8::1/32"
            })
    void whatIsNoBlockIsRefused(String text) {
        assertThatThrownBy(() -> Cidr.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("block: " + text);
    }

    @Test
    void thePrefixOfAMappedBlockCountsTheBitsThatAreWritten() {
        assertThat(Cidr.parse("::ffff:10.0.0.0/104")).isEqualTo(Cidr.parse("10.0.0.0/8"));
        assertThat(Cidr.parse("::ffff:0:0/96")).isEqualTo(Cidr.parse("0.0.0.0/0"));
        assertThat(Cidr.parse("::ffff:192.0.2.1")).isEqualTo(Cidr.parse("192.0.2.1/32"));
        assertThat(Cidr.parse("::/0").contains(address("::ffff:192.0.2.1"))).isFalse();
    }

    @Test
    void anAddressInIpv6FormDoesNotSlipPastABlockOfIpv4() throws UnknownHostException {
        byte[] mapped = new byte[16];
        mapped[10] = -1;
        mapped[11] = -1;
        mapped[12] = 10;
        InetAddress scoped = java.net.Inet6Address.getByAddress(null, mapped, 3);
        assertThat(scoped.getAddress()).hasSize(16);
        assertThat(new IpFilter(ACCEPT, reject("10.0.0.0/8")).decide(scoped)).isEqualTo(REJECT);
    }

    @Test
    void aConnectionThatStandsAlreadyIsJudgedToo() {
        Heard heard = new Heard();
        List<IpFilter.Rule> rules = List.of(reject("192.0.2.0/24"));
        try (EmbeddedChannel channel = new EmbeddedChannel(heard)) {
            channel.pipeline()
                    .addFirst("filter", new IpFilter(ACCEPT, rules, _ -> peer("192.0.2.7")));
            channel.runPending();
            assertThat(channel.isReset()).isTrue();
            assertThat(heard.events).isEqualTo(2);
        }
        var unique = new UniqueIpFilter(1, _ -> peer("192.0.2.7"));
        try (EmbeddedChannel first = new EmbeddedChannel();
                EmbeddedChannel second = new EmbeddedChannel()) {
            first.pipeline().addFirst("unique", unique);
            first.runPending();
            second.pipeline().addFirst("unique", unique);
            second.runPending();
            assertThat(first.isClosed()).isFalse();
            assertThat(second.isReset()).isTrue();
        }
        assertThat(unique.addresses()).isZero();
    }

    @Test
    void nobodyHearsOfAConnectionTooMany() {
        Heard heard = new Heard();
        var filter = new UniqueIpFilter(1, _ -> peer("192.0.2.7"));
        try (EmbeddedChannel first = new EmbeddedChannel(filter)) {
            try (EmbeddedChannel second = new EmbeddedChannel(filter, heard)) {
                assertThat(second.isReset()).isTrue();
            }
            assertThat(first.isClosed()).isFalse();
        }
        assertThat(heard.events).isZero();
    }

    @Test
    void theFirstRuleThatMatchesDecides() {
        var filter =
                new IpFilter(REJECT, reject("10.1.0.0/16"), accept("10.0.0.0/8"), accept("::1"));
        assertThat(filter.decide(address("10.1.2.3"))).isEqualTo(REJECT);
        assertThat(filter.decide(address("10.2.2.3"))).isEqualTo(ACCEPT);
        assertThat(filter.decide(address("::ffff:10.2.2.3"))).isEqualTo(ACCEPT);
        assertThat(filter.decide(address("::1"))).isEqualTo(ACCEPT);
        assertThat(filter.decide(address("::2"))).isEqualTo(REJECT);
    }

    @Test
    void aRejectedPeerIsResetAndNobodyHearsOfIt() {
        Heard heard = new Heard();
        List<IpFilter.Rule> rules = List.of(reject("192.0.2.0/24"));
        var filter = new IpFilter(ACCEPT, rules, _ -> peer("192.0.2.7"));
        try (EmbeddedChannel channel = new EmbeddedChannel(filter, heard)) {
            assertThat(channel.isReset()).isTrue();
        }
        assertThat(heard.events).isZero();
    }

    @Test
    void aPeerWithoutAnAddressIsRejected() {
        try (EmbeddedChannel channel = new EmbeddedChannel(new IpFilter(ACCEPT))) {
            assertThat(channel.isReset()).isTrue();
        }
    }

    @Test
    void anAddressHasOneConnectionAtATime() {
        var filter = new UniqueIpFilter(1, _ -> peer("192.0.2.7"));
        try (EmbeddedChannel first = new EmbeddedChannel(filter)) {
            try (EmbeddedChannel second = new EmbeddedChannel(filter)) {
                assertThat(second.isReset()).isTrue();
            }
            assertThat(first.isClosed()).isFalse();
            assertThat(filter.addresses()).isEqualTo(1);
        }
        assertThat(filter.addresses()).isZero();
        try (EmbeddedChannel third = new EmbeddedChannel(filter)) {
            assertThat(third.isClosed()).isFalse();
        }
    }
}
