package io.weft.conformance.http;

import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.server.HttpServer;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import javax.management.JMException;
import javax.management.ObjectName;

/// A server that says on `/histogram` what is alive in its heap; the program of [HttpIdleMemoryTest].
final class HttpIdleChild {
    private HttpIdleChild() {}

    /// @param arguments the transport
    public static void main(String[] arguments) throws Exception {
        try (HttpServer server =
                HttpServer.builder()
                        .host(InetAddress.getLoopbackAddress())
                        .transport(arguments[0])
                        .loops(1)
                        .handler(HttpIdleChild::answer)
                        .listen()) {
            System.out.println(server.transport());
            System.out.println(server.address().getPort());
            while (System.in.read() >= 0) {
                // until the parent closes it, or is gone
            }
        }
        System.out.println("done");
    }

    private static Response answer(Request request) {
        return Response.text(request.path().equals("/histogram") ? histogram() : "hello");
    }

    /// Collects garbage first, as `jcmd PID GC.class_histogram` does.
    private static String histogram() {
        try {
            Object[] options = {new String[0]};
            String[] types = {String[].class.getName()};
            return (String)
                    ManagementFactory.getPlatformMBeanServer()
                            .invoke(
                                    new ObjectName("com.sun.management:type=DiagnosticCommand"),
                                    "gcClassHistogram",
                                    options,
                                    types);
        } catch (JMException e) {
            throw new IllegalStateException(e);
        }
    }
}
