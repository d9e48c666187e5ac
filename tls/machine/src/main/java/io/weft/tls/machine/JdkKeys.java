package io.weft.tls.machine;

import io.weft.tls.x509.TlsIdentity;
import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/// Chooses among identities for the JDK's engine: the first whose key is of the kind asked for and,
/// of a client, whose chain leads to an authority that the server named. Or asks the user's own
/// manager.
final class JdkKeys extends X509ExtendedKeyManager {
    private final List<TlsIdentity> identities;
    private final @Nullable X509ExtendedKeyManager custom;

    JdkKeys(TlsSettings settings) {
        this.identities = settings.identities();
        this.custom = settings.keyManager();
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
            String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
        // The JDK asks when it reads a ticket, too; but then there is no session yet.
        if (engine.getHandshakeSession() != null && JdkEngine.CURRENT.isBound()) {
            JdkEngine.CURRENT.get().notResumed();
        }
        return custom == null
                ? choose(keyType, null)
                : custom.chooseEngineServerAlias(keyType, issuers, engine);
    }

    @Override
    public @Nullable String chooseEngineClientAlias(
            String[] keyTypes, Principal @Nullable [] issuers, SSLEngine engine) {
        if (custom != null) {
            return custom.chooseEngineClientAlias(keyTypes, issuers, engine);
        }
        for (String keyType : keyTypes) {
            String alias = choose(keyType, issuers);
            if (alias != null) {
                return alias;
            }
        }
        return null;
    }

    private @Nullable String choose(String keyType, Principal @Nullable [] issuers) {
        for (int i = 0; i < identities.size(); i++) {
            TlsIdentity identity = identities.get(i);
            String algorithm = identity.certificate().getPublicKey().getAlgorithm();
            if (fits(algorithm, keyType) && isFrom(identity, issuers)) {
                return Integer.toString(i);
            }
        }
        return null;
    }

    /// `keyType` may be "EC_RSA", a key and who signed it, or "Ed25519".
    private static boolean fits(String algorithm, String keyType) {
        int end = keyType.indexOf('_');
        String key = end < 0 ? keyType : keyType.substring(0, end);
        return algorithm.equals(key) || (algorithm.startsWith("Ed") && key.startsWith("Ed"));
    }

    private static boolean isFrom(TlsIdentity identity, Principal @Nullable [] issuers) {
        if (issuers == null || issuers.length == 0) {
            return true;
        }
        for (X509Certificate certificate : identity.chain()) {
            for (Principal issuer : issuers) {
                if (certificate.getIssuerX500Principal().equals(issuer)) {
                    return true;
                }
            }
        }
        return false;
    }

    private @Nullable TlsIdentity identity(@Nullable String alias) {
        return alias == null ? null : identities.get(Integer.parseInt(alias));
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        if (custom != null) {
            return custom.getCertificateChain(alias);
        }
        TlsIdentity identity = identity(alias);
        return identity == null ? null : identity.chain().toArray(new X509Certificate[0]);
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
        if (custom != null) {
            return custom.getPrivateKey(alias);
        }
        TlsIdentity identity = identity(alias);
        return identity == null ? null : identity.key();
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        return null; // of sockets
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        return null;
    }

    @Override
    public @Nullable String chooseClientAlias(
            String[] keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return null;
    }

    @Override
    public @Nullable String chooseServerAlias(
            String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return null;
    }
}
