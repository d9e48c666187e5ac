package io.weft.bench.loop;

import io.netty.util.NetUtil;
import io.weft.loop.IpAddresses;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/// Literal port of Netty's benchmark of this name, with texts of our own.
///
/// **One operation:** each of 29 (IPv4) or 137 (IPv6) texts, none of which is an address, is
/// refused: by validating it (`IsValid`), or by making no address of it (`GetByName`).
/// [NetUtilValidBenchmark] is the twin with addresses.
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 10, time = 1)
@Measurement(iterations = 10, time = 1)
@Fork(2)
@Threads(4)
public class NetUtilBenchmark {
    @Benchmark
    public int weftIsValidIpv4() {
        int count = 0;
        for (String text : AddressTexts.INVALID_4) {
            if (!IpAddresses.isIpv4(text)) {
                count++;
            }
        }
        return count;
    }

    @Benchmark
    public int nettyIsValidIpv4() {
        int count = 0;
        for (String text : AddressTexts.INVALID_4) {
            if (!NetUtil.isValidIpV4Address(text)) {
                count++;
            }
        }
        return count;
    }

    @Benchmark
    public int weftIsValidIpv6() {
        int count = 0;
        for (String text : AddressTexts.INVALID_6) {
            if (!IpAddresses.isIpv6(text)) {
                count++;
            }
        }
        return count;
    }

    @Benchmark
    public int nettyIsValidIpv6() {
        int count = 0;
        for (String text : AddressTexts.INVALID_6) {
            if (!NetUtil.isValidIpV6Address(text)) {
                count++;
            }
        }
        return count;
    }

    @Benchmark
    public int weftGetByNameIpv4() {
        int count = 0;
        for (String text : AddressTexts.INVALID_4) {
            if (IpAddresses.parse(text) == null) {
                count++;
            }
        }
        return count;
    }

    @Benchmark
    public int nettyGetByNameIpv4() {
        int count = 0;
        for (String text : AddressTexts.INVALID_4) {
            if (NetUtil.getByName(text) == null) {
                count++;
            }
        }
        return count;
    }

    @Benchmark
    public int weftGetByNameIpv6() {
        int count = 0;
        for (String text : AddressTexts.INVALID_6) {
            if (IpAddresses.parse(text) == null) {
                count++;
            }
        }
        return count;
    }

    @Benchmark
    public int nettyGetByNameIpv6() {
        int count = 0;
        for (String text : AddressTexts.INVALID_6) {
            if (NetUtil.getByName(text) == null) {
                count++;
            }
        }
        return count;
    }
}
