package io.weft.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/// The messages that one logger gets, from FINE on, until closed. Any thread may log.
public final class LogCapture implements AutoCloseable {
    private final Logger logger;
    private final List<LogRecord> records = new ArrayList<>();
    private final Handler recorder =
            new Handler() {
                @Override
                public void publish(LogRecord logged) {
                    synchronized (records) {
                        records.add(logged);
                    }
                }

                @Override
                public void flush() {}

                @Override
                public void close() {}
            };

    /// Captures what `logger` gets from now on.
    public LogCapture(String logger) {
        this.logger = Logger.getLogger(logger);
        this.logger.addHandler(recorder);
        this.logger.setLevel(Level.FINE);
    }

    /// Returns the messages at WARNING, in order.
    public List<String> warnings() {
        return messages(Level.WARNING);
    }

    /// Returns the messages at FINE, in order.
    public List<String> fine() {
        return messages(Level.FINE);
    }

    private List<String> messages(Level level) {
        synchronized (records) {
            return records.stream()
                    .filter(logged -> logged.getLevel() == level)
                    .map(LogRecord::getMessage)
                    .toList();
        }
    }

    @Override
    public void close() {
        logger.removeHandler(recorder);
        logger.setLevel(null);
    }
}
