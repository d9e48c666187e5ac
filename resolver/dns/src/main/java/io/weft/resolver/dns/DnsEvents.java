package io.weft.resolver.dns;

import io.weft.codec.dns.DnsQuestion;
import io.weft.codec.dns.ResponseCode;
import java.time.Duration;

/// Emits JFR events of what a resolver does.
final class DnsEvents implements DnsObserver {
    static final DnsObserver OBSERVER = new DnsEvents();

    private DnsEvents() {}

    @Override
    public void responded(
            DnsQuestion question, DnsServer server, ResponseCode code, Duration after) {
        var event = new DnsQueryEvent();
        if (event.isEnabled()) {
            event.name = question.name().toString();
            event.type = question.type().toString();
            event.server = server.toString();
            event.code = code.toString();
            event.took = after.toNanos();
            event.commit();
        }
    }

    @Override
    public void failed(DnsQuestion question, DnsServer server, Throwable cause) {
        var event = new DnsQueryEvent();
        if (event.isEnabled()) {
            event.name = question.name().toString();
            event.type = question.type().toString();
            event.server = server.toString();
            event.failure = cause.toString();
            event.commit();
        }
    }

    @Override
    public void answered(DnsAnswer answer, Duration after) {
        var event = new DnsAnswerEvent();
        if (event.isEnabled()) {
            event.name = answer.question().name().toString();
            event.type = answer.question().type().toString();
            event.canonicalName = answer.canonicalName().toString();
            event.records = answer.records().size();
            event.took = after.toNanos();
            event.commit();
        }
    }
}
