package io.weft.bench.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.NetUtil;
import io.weft.loop.IpAddresses;
import java.net.InetAddress;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class AddressTextsTest {
    @Test
    void theNumbersAreThoseOfTheOriginal() {
        assertThat(AddressTexts.INVALID_4).hasSize(29).doesNotHaveDuplicates();
        assertThat(AddressTexts.INVALID_6).hasSize(137).doesNotHaveDuplicates();
        assertThat(AddressTexts.VALID_4).hasSize(29).doesNotHaveDuplicates();
        assertThat(AddressTexts.VALID_6).hasSize(64).doesNotHaveDuplicates();
    }

    @Test
    void bothSidesRefuseWhatIsInvalid() {
        assertThat(texts(AddressTexts.INVALID_4, IpAddresses::isIpv4)).isEmpty();
        assertThat(texts(AddressTexts.INVALID_4, NetUtil::isValidIpV4Address)).isEmpty();
        assertThat(texts(AddressTexts.INVALID_6, IpAddresses::isIpv6)).isEmpty();
        assertThat(texts(AddressTexts.INVALID_6, NetUtil::isValidIpV6Address)).isEmpty();
    }

    @Test
    void neitherSideMakesAnAddressOfThem() {
        for (String[] invalid : List.of(AddressTexts.INVALID_4, AddressTexts.INVALID_6)) {
            assertThat(texts(invalid, text -> IpAddresses.parse(text) != null)).isEmpty();
            assertThat(texts(invalid, text -> NetUtil.getByName(text) != null)).isEmpty();
        }
    }

    @Test
    void bothSidesAcceptWhatIsValid() {
        assertThat(texts(AddressTexts.VALID_4, text -> !IpAddresses.isIpv4(text))).isEmpty();
        assertThat(texts(AddressTexts.VALID_4, t -> !NetUtil.isValidIpV4Address(t))).isEmpty();
        assertThat(texts(AddressTexts.VALID_6, text -> !IpAddresses.isIpv6(text))).isEmpty();
        assertThat(texts(AddressTexts.VALID_6, t -> !NetUtil.isValidIpV6Address(t))).isEmpty();
    }

    @Test
    void allSidesMakeTheSameAddress() {
        for (String[] valid : List.of(AddressTexts.VALID_4, AddressTexts.VALID_6)) {
            for (String text : valid) {
                assertThat(IpAddresses.parse(text))
                        .as(text)
                        .isEqualTo(NetUtil.createInetAddressFromIpAddressString(text))
                        .isEqualTo(InetAddress.ofLiteral(text));
            }
        }
    }

    private static List<String> texts(String[] of, Predicate<String> that) {
        return Stream.of(of).filter(that).toList();
    }
}
