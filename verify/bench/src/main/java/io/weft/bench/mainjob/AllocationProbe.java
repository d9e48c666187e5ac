package io.weft.bench.mainjob;

import com.sun.management.ThreadMXBean;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/// Reads how many bytes all threads of another JVM have allocated, through the management agent
/// that every JDK has: nothing is asked of the server. Loading that agent starts threads there, so
/// throughput is measured before.
final class AllocationProbe implements AutoCloseable {
    private final JMXConnector connector;
    private final ThreadMXBean threads;
    private long before;
    private long costOfReading;

    @SuppressWarnings("BanJNDI") // the address comes from a JVM that this run has started itself
    AllocationProbe(long pid) throws IOException {
        connector = JMXConnectorFactory.connect(new JMXServiceURL(agentOf(pid)));
        threads =
                ManagementFactory.newPlatformMXBeanProxy(
                        connector.getMBeanServerConnection(),
                        ManagementFactory.THREAD_MXBEAN_NAME,
                        ThreadMXBean.class);
        threads.getTotalThreadAllocatedBytes(); // loads what reading needs
    }

    private static String agentOf(long pid) throws IOException {
        try {
            VirtualMachine jvm = VirtualMachine.attach(Long.toString(pid));
            try {
                return jvm.startLocalManagementAgent();
            } finally {
                jvm.detach();
            }
        } catch (AttachNotSupportedException e) {
            throw new IOException("cannot attach to " + pid, e);
        }
    }

    void start() {
        long first = threads.getTotalThreadAllocatedBytes();
        before = threads.getTotalThreadAllocatedBytes();
        costOfReading = before - first;
    }

    /// Bytes allocated since [#start()].
    long stop() {
        return Math.max(0, threads.getTotalThreadAllocatedBytes() - before - costOfReading);
    }

    @Override
    public void close() throws IOException {
        connector.close();
    }
}
