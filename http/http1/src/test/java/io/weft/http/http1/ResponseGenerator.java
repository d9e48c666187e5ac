package io.weft.http.http1;

import java.util.SplittableRandom;

/// Makes answers to one to three requests at random, as [RequestGenerator] makes requests.
final class ResponseGenerator {
    private static final String[] METHODS = {"GET", "POST", "HEAD", "CONNECT", "GET+", "OPTIONS"};
    private static final String[] VERSIONS = {
        "HTTP/1.1", "HTTP/1.0", "HTTP/1.2", "HTTP/2.0", "http/1.1", "HTTP/11", "ICY"
    };
    private static final String[] CODES = {
        "200", "204", "304", "100", "103", "101", "404", "500", "205", "206", "302", "407", "199",
        "299", "599", "600", "999", "000", "099", "20", "2000", "+20", "20x", "", " 200"
    };
    private static final String[] REASONS = {
        " OK", " ", "", " Not Found", " a\tb", " \u00e9", "\tOK", "OK", " a\u0000b", " a\u007fb"
    };
    private static final String[] FIELDS = {
        "Upgrade: websocket",
        "Connection: upgrade",
        "Connection: Upgrade, close",
        "Content-Length: 5",
        "Content-Length: 0",
        "Transfer-Encoding: chunked",
        "Connection: close",
        "Connection: keep-alive"
    };

    private final SplittableRandom random;
    private String methods = "";

    ResponseGenerator(long seed) {
        random = new SplittableRandom(seed);
    }

    private boolean one(int in) {
        return random.nextInt(in) == 0;
    }

    /// Mostly one of the first `plain`.
    private String pick(String[] from, int plain, int oddIn) {
        return from[random.nextInt(one(oddIn) ? from.length : plain)];
    }

    /// Returns the methods of the requests that the last input answers, as of [ResponseTrace#of].
    String methods() {
        return methods;
    }

    /// Returns the next input, of bytes as characters.
    String next() {
        StringBuilder asked = new StringBuilder();
        StringBuilder input = new StringBuilder();
        int requests = 1 + random.nextInt(3);
        for (int i = 0; i < requests; i++) {
            String method = pick(METHODS, 3, 6);
            asked.append(i == 0 ? "" : " ").append(method);
            response(input);
            if (method.equals("CONNECT") || method.endsWith("+")) {
                break; // the last request before its response
            }
        }
        if (one(12)) {
            response(input);
        }
        if (one(3)) {
            for (int i = random.nextInt(3); i >= 0 && !input.isEmpty(); i--) {
                RequestGenerator.mutate(input, random);
            }
        }
        methods = asked.toString();
        return input.toString();
    }

    private void response(StringBuilder input) {
        if (one(6)) {
            message(input, pick(new String[] {"100", "103", "102", "101"}, 2, 4), 0);
        }
        message(input, pick(CODES, 5, 5), random.nextInt(4));
    }

    /// @param framing 1 by a length, 2 by chunks, else none
    private void message(StringBuilder input, String code, int framing) {
        String end = one(60) ? "\n" : "\r\n";
        if (one(60)) {
            input.append("\r\n");
        }
        input.append(pick(VERSIONS, 2, 20)).append(one(100) ? "\t" : " ").append(code);
        input.append(pick(REASONS, 3, 20)).append(end);
        for (int i = one(2) ? random.nextInt(3) : 0; i > 0; i--) {
            input.append(FIELDS[random.nextInt(FIELDS.length)]).append("\r\n");
        }
        for (int i = one(4) ? random.nextInt(3) : 0; i > 0; i--) {
            String[] odd = RequestGenerator.FIELDS;
            input.append(odd[random.nextInt(odd.length)]).append(one(40) ? end : "\r\n");
        }
        if (framing == 1) {
            input.append("Content-Length: 5\r\n");
        } else if (framing == 2) {
            input.append("Transfer-Encoding: chunked\r\n");
        }
        input.append(end);
        if (framing == 1) {
            input.append(one(10) ? "hell" : "hello");
        } else if (framing == 2) {
            chunks(input);
        }
    }

    private void chunks(StringBuilder input) {
        String[] all = RequestGenerator.CHUNKS;
        for (int i = random.nextInt(4); i > 0; i--) {
            input.append(one(4) ? all[random.nextInt(all.length)] : all[1 + random.nextInt(5)]);
        }
        input.append(one(6) ? all[random.nextInt(all.length)] : all[0]);
    }
}
