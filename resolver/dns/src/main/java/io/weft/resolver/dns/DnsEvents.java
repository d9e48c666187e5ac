package io.weft.resolver.dns;

import io.weft.codec.dns.DnsQuestion;
import io.weft.codec.dns.ResponseCode;
import io.weft.resolver.dns.jfr.DnsAnswerEvent;
import io.weft.resolver.dns.jfr.DnsQueryEvent;
import java.time.Duration;

/// Emits JFR events of what a resolver does.
final class DnsEvents implements DnsObserver {
    static final DnsObserver OBSERVER = new DnsEvents();

    private DnsEvents() {}

    @Override
    public void responded(
            DnsQuestion question, DnsServer server, ResponseCode code, Duration after) {
        DnsQueryEvent.responded(question, server, code, after);
    }

    @Override
    public void failed(DnsQuestion question, DnsServer server, Throwable cause) {
        DnsQueryEvent.failed(question, server, cause);
    }

    @Override
    public void answered(DnsAnswer answer, Duration after) {
        DnsAnswerEvent.record(
                answer.question(), answer.canonicalName(), answer.records().size(), after);
    }
}
