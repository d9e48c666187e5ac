package io.weft.bench.loop;

import io.netty.util.NetUtil;
import io.weft.loop.IpAddresses;
import java.net.InetAddress;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/// The twin of [NetUtilBenchmark] with addresses that are accepted.
///
/// **One operation:** each of 29 IPv4 or 64 IPv6 addresses is validated (`IsValid`), or an
/// `InetAddress` is made of it (`GetByName`): by Netty's `createInetAddressFromIpAddressString`, as
/// its `getByName` makes an IPv6 address of every text, and by the JDK's `InetAddress.ofLiteral`.
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 10, time = 1)
@Measurement(iterations = 10, time = 1)
@Fork(2)
@Threads(4)
public class NetUtilValidBenchmark {
    @Benchmark
    public int weftIsValidIpv4() {
        int count = 0;
        for (String text : AddressTexts.VALID_4) {
            if (IpAddresses.isIpv4(text)) {
                count++;
            }
        }
        return count;
    }

    @Benchmark
    public int nettyIsValidIpv4() {
        int count = 0;
        for (String text : AddressTexts.VALID_4) {
            if (NetUtil.isValidIpV4Address(text)) {
                count++;
            }
        }
        return count;
    }

    @Benchmark
    public int weftIsValidIpv6() {
        int count = 0;
        for (String text : AddressTexts.VALID_6) {
            if (IpAddresses.isIpv6(text)) {
                count++;
            }
        }
        return count;
    }

    @Benchmark
    public int nettyIsValidIpv6() {
        int count = 0;
        for (String text : AddressTexts.VALID_6) {
            if (NetUtil.isValidIpV6Address(text)) {
                count++;
            }
        }
        return count;
    }

    @Benchmark
    public void weftGetByNameIpv4(Blackhole blackhole) {
        for (String text : AddressTexts.VALID_4) {
            blackhole.consume(IpAddresses.parse(text));
        }
    }

    @Benchmark
    public void nettyGetByNameIpv4(Blackhole blackhole) {
        for (String text : AddressTexts.VALID_4) {
            blackhole.consume(NetUtil.createInetAddressFromIpAddressString(text));
        }
    }

    @Benchmark
    public void jdkGetByNameIpv4(Blackhole blackhole) {
        for (String text : AddressTexts.VALID_4) {
            blackhole.consume(InetAddress.ofLiteral(text));
        }
    }

    @Benchmark
    public void weftGetByNameIpv6(Blackhole blackhole) {
        for (String text : AddressTexts.VALID_6) {
            blackhole.consume(IpAddresses.parse(text));
        }
    }

    @Benchmark
    public void nettyGetByNameIpv6(Blackhole blackhole) {
        for (String text : AddressTexts.VALID_6) {
            blackhole.consume(NetUtil.createInetAddressFromIpAddressString(text));
        }
    }

    @Benchmark
    public void jdkGetByNameIpv6(Blackhole blackhole) {
        for (String text : AddressTexts.VALID_6) {
            blackhole.consume(InetAddress.ofLiteral(text));
        }
    }
}
