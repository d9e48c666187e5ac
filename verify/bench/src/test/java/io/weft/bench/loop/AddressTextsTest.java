package io.weft.bench.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.NetUtil;
import io.weft.loop.IpAddresses;
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
        assertThat(AddressTexts.INVALID_4)
                .noneMatch(IpAddresses::isIpv4)
                .noneMatch(NetUtil::isValidIpV4Address)
                .allMatch(text -> IpAddresses.parse(text) == null)
                .allMatch(text -> NetUtil.getByName(text) == null);
        // 1.2.3.4 is an address, but not an IPv6 one.
        assertThat(AddressTexts.INVALID_6)
                .noneMatch(IpAddresses::isIpv6)
                .noneMatch(NetUtil::isValidIpV6Address);
    }

    @Test
    void bothSidesAcceptWhatIsValid() {
        assertThat(AddressTexts.VALID_4)
                .allMatch(IpAddresses::isIpv4)
                .allMatch(NetUtil::isValidIpV4Address);
        assertThat(AddressTexts.VALID_6)
                .allMatch(IpAddresses::isIpv6)
                .allMatch(NetUtil::isValidIpV6Address);
    }

    @Test
    void bothSidesMakeTheSameAddress() {
        assertThat(AddressTexts.VALID_4)
                .allSatisfy(
                        text ->
                                assertThat(IpAddresses.parse(text))
                                        .isEqualTo(
                                                NetUtil.createInetAddressFromIpAddressString(
                                                        text)));
        assertThat(AddressTexts.VALID_6)
                .allSatisfy(
                        text ->
                                assertThat(IpAddresses.parse(text))
                                        .isEqualTo(
                                                NetUtil.createInetAddressFromIpAddressString(
                                                        text)));
    }
}
