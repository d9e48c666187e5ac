package io.weft.tls.machine;

import io.weft.tls.machine.TlsException.CertificateRefused;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/// The trust manager of the JDK's engine: [CertificateChecks], with the host of the engine whose
/// task is running. As it is an extended manager, the JDK does not wrap it in checks of its own.
/// Outside of such a task it refuses every chain.
final class JdkTrust extends X509ExtendedTrustManager {
    private final TlsSettings settings;

    JdkTrust(TlsSettings settings) {
        this.settings = settings;
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        check(chain, authType, engine, true);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        check(chain, authType, engine, false);
    }

    private void check(X509Certificate[] chain, String authType, SSLEngine engine, boolean ofServer)
            throws CertificateException {
        if (!JdkEngine.CURRENT.isBound() || ofServer == settings.server()) {
            throw outsideOfAnEngine();
        }
        JdkEngine current = JdkEngine.CURRENT.get();
        current.notResumed();
        try {
            String host = settings.expectedHost(current.peer());
            CertificateChecks.check(
                    settings.trustManager(),
                    chain,
                    authType,
                    ofServer,
                    host,
                    stapled(engine),
                    settings.ocspStapling(),
                    engine);
        } catch (CertificateRefused e) {
            throw new CertificateException(e.getMessage(), e);
        }
    }

    private static List<byte[]> stapled(SSLEngine engine) {
        return engine.getHandshakeSession() instanceof ExtendedSSLSession session
                ? session.getStatusResponses()
                : List.of();
    }

    private static CertificateException outsideOfAnEngine() {
        return new CertificateException("check outside of an engine (expected: by its task)");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return settings.trustManager().getAcceptedIssuers();
    }

    @Override
    public void checkClientTrusted(
            X509Certificate[] chain, String authType, @Nullable Socket socket)
            throws CertificateException {
        throw outsideOfAnEngine();
    }

    @Override
    public void checkServerTrusted(
            X509Certificate[] chain, String authType, @Nullable Socket socket)
            throws CertificateException {
        throw outsideOfAnEngine();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType)
            throws CertificateException {
        throw outsideOfAnEngine();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType)
            throws CertificateException {
        throw outsideOfAnEngine();
    }
}
