package io.weft.codec.smtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.Inet6Address;
import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MailboxTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "user@example.org",
                "first.last+tag@sub.example.org",
                "!#$%&'*+-/=?^_`{|}~@example.org",
                "\"a b\"@example.org",
                "\"a@b\"@example.org",
                "\"\\\"\"@example.org",
                "\"\\\\\"@example.org",
                "\"\"@example.org",
                "\"a..b\"@example.org",
                "user@[192.0.2.1]",
                "user@[IPv6:2001:db8:0:0:0:0:0:1]",
                "user@[tag:con.tent]",
                "user@localhost",
                "user@3com.com",
                "用户@例子.广告",
                "δοκιμή@παράδειγμα.δοκιμή",
            })
    void mailboxIsKept(String text) {
        assertThat(Mailbox.of(text)).hasToString(text);
        assertThat(Mailbox.of(text)).isEqualTo(Mailbox.of(Mailbox.of(text).toString()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "user",
                "@example.org",
                "user@",
                ".user@example.org",
                "user.@example.org",
                "a..b@example.org",
                "a b@example.org",
                "a@b@example.org",
                "\"a@example.org",
                "\"a\"b@example.org",
                "\"a\r\nb\"@example.org",
                "a\0b@example.org",
                "user@-example.org",
                "user@example-.org",
                "user@example..org",
                "user@example.org.",
                "user@exa_mple.org",
                "user@exam ple.org",
                "user@[192.0.2.256]",
                "user@[192.0.2]",
                "user@[192.0.2.1",
                "user@[IPv6:]",
                "user@[IPv6:::1%lo]",
                "user@[IPv6:1:2:3:4:5:6:7:8:9]",
                "user@[::1]",
                "user@[x:a b]",
                "user@例子。广告",
                "u\u0085@example.org",
            })
    void othersAreRefused(String text) {
        assertThatThrownBy(() -> Mailbox.of(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("(expected: ");
    }

    @Test
    void partsAreLimitedAsTheRfcSays() {
        String domain = "b".repeat(63) + "." + "c".repeat(63) + "." + "d".repeat(60);
        assertThat(Mailbox.of("a".repeat(64) + "@" + domain).localPart()).hasSize(64);
        assertThatThrownBy(() -> Mailbox.of("a".repeat(65) + "@" + domain))
                .hasMessageContaining("at most 64");
        assertThatThrownBy(() -> Mailbox.of("a@" + "b".repeat(64))).hasMessageContaining("63");
        assertThatThrownBy(() -> Mailbox.of("a@" + "b.".repeat(127) + "bc"))
                .hasMessageContaining("1 to 255");
        assertThatThrownBy(() -> MailPath.to("a".repeat(64) + "@" + domain + ".ef"))
                .hasMessageContaining("at most 256");
    }

    @Test
    void quotesAreNoPartOfTheLocalPart() {
        assertThat(Mailbox.of("\"user\"@example.org")).isEqualTo(Mailbox.of("user@EXAMPLE.org"));
        assertThat(Mailbox.of("User@example.org")).isNotEqualTo(Mailbox.of("user@example.org"));
    }

    @Test
    void lettersBeyondAsciiAreNoAsciiLetters() {
        // In Unicode, a long s and a dotless i have S and I as their capitals.
        assertThat(MailHost.of("example.org")).isEqualTo(MailHost.of("EXAMPLE.org"));
        for (String other : new String[] {"\u017fite.org", "s\u0131te.org"}) {
            assertThat(MailHost.of(other)).isNotEqualTo(MailHost.of("site.org"));
        }
        assertThat(MailPath.parse("<postmaster>", false)).isInstanceOf(MailPath.Postmaster.class);
        assertThatThrownBy(() -> MailPath.parse("<po\u017ftmaster>", false))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void sourceRoutesAreDropped() {
        assertThat(MailPath.parse("<@a.example,@b.example:user@c.example>", false))
                .isEqualTo(MailPath.to("user@c.example"));
        assertThatThrownBy(() -> MailPath.parse("<@a.example,b.example:user@c.example>", false))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void xtextGoesBothWays() {
        assertThat(Xtext.encode("a+b=c d")).isEqualTo("a+2Bb+3Dc+20d");
        assertThat(Xtext.decode("a+2Bb+3Dc+20d")).isEqualTo("a+b=c d");
        for (String bad :
                new String[] {"+", "+2", "+2b", "a b", "a=b", "+ZZ", "+FF", "+0D+0A", "+00"}) {
            assertThatThrownBy(() -> Xtext.decode(bad))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    /// RFC 5321, 4.1.3.
    @Test
    void literalHasNoZone() throws Exception {
        byte[] local = InetAddress.ofLiteral("fe80::1").getAddress();
        MailHost host = new MailHost.Address(Inet6Address.getByAddress("", local, 3));
        assertThat(host).hasToString("[IPv6:fe80:0:0:0:0:0:0:1]");
        assertThat(MailHost.of(host.toString())).isEqualTo(host);
    }
}
