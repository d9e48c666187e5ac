package io.weft.packaging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.launch.Framework;

/// The jars are bundles: each framework resolves and starts them all, and what they find by the
/// ServiceLoader is found there too.
@ParameterizedClass
@EnumSource
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class OsgiTest {
    @Parameter FrameworkLoader.Kind kind;

    @TempDir Path storage;
    private FrameworkLoader loader;
    private Framework framework;

    /// Otherwise the jars would be found on the class path of this test too.
    @BeforeEach
    void hideClassPath() {
        Thread.currentThread().setContextClassLoader(ClassLoader.getPlatformClassLoader());
    }

    @BeforeEach
    void startFramework() throws Exception {
        loader = new FrameworkLoader(kind);
        framework =
                loader.factory()
                        .newFramework(
                                Map.of(
                                        Constants.FRAMEWORK_STORAGE,
                                        storage.toString(),
                                        // Nothing from the class path of this test.
                                        "felix.bootdelegation.implicit",
                                        "false",
                                        "osgi.compatibility.bootdelegation",
                                        "false",
                                        // Events of JFR have a field of a class of it.
                                        Constants.FRAMEWORK_BOOTDELEGATION,
                                        "jdk.jfr.internal.event"));
        framework.start();
    }

    @AfterEach
    void showClassPath() {
        Thread.currentThread().setContextClassLoader(OsgiTest.class.getClassLoader());
    }

    @AfterEach
    void stopFramework() throws Exception {
        framework.stop();
        framework.waitForStop(60_000);
        loader.close();
    }

    private static boolean isBundle(Path jar) throws IOException {
        return Arrays.stream(FrameworkLoader.Kind.values()).noneMatch(kind -> kind.isIn(jar))
                && Jars.header(jar, Constants.BUNDLE_SYMBOLICNAME) != null;
    }

    private List<Bundle> install() throws Exception {
        List<Bundle> bundles = new ArrayList<>();
        for (Path jar : Jars.all()) {
            if (isBundle(jar)) {
                bundles.add(framework.getBundleContext().installBundle(jar.toUri().toString()));
            }
        }
        return bundles;
    }

    /// The extender first: it takes note of bundles that start after it. Libraries resolve when
    /// ours need them.
    private static void start(List<Bundle> bundles) throws BundleException {
        for (String prefix : List.of("org.apache.aries.spifly.", "io.weft.")) {
            for (Bundle bundle : bundles) {
                if (bundle.getSymbolicName().startsWith(prefix)) {
                    bundle.start();
                }
            }
        }
    }

    @Test
    void everyJarIsABundleThatStarts() throws Exception {
        List<Bundle> bundles = install();
        start(bundles);
        assertThat(bundles)
                .filteredOn(bundle -> bundle.getSymbolicName().startsWith("io.weft."))
                .hasSameSizeAs(Jars.ours())
                .allMatch(bundle -> bundle.getState() == Bundle.ACTIVE);
    }

    private static InputStream helloBundle() throws IOException {
        Manifest manifest = new Manifest();
        Attributes headers = manifest.getMainAttributes();
        headers.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        headers.putValue(Constants.BUNDLE_MANIFESTVERSION, "2");
        headers.putValue(Constants.BUNDLE_SYMBOLICNAME, "hello");
        headers.putValue(Constants.BUNDLE_ACTIVATOR, HelloActivator.class.getName());
        headers.putValue(
                Constants.IMPORT_PACKAGE,
                "org.osgi.framework,io.weft.http.server,io.weft.http.model,io.weft.buffer");
        var bytes = new ByteArrayOutputStream();
        String entry = HelloActivator.class.getName().replace('.', '/') + ".class";
        try (var jar = new JarOutputStream(bytes, manifest);
                InputStream code =
                        HelloActivator.class.getClassLoader().getResourceAsStream(entry)) {
            jar.putNextEntry(new JarEntry(entry));
            code.transferTo(jar);
        }
        return new ByteArrayInputStream(bytes.toByteArray());
    }

    @Test
    void serverInABundleAnswers() throws Exception {
        start(install());
        BundleContext context = framework.getBundleContext();
        Bundle hello = context.installBundle("hello", helloBundle());
        hello.start();
        ServiceReference<Integer> port = context.getServiceReference(Integer.class);
        assertThat(port.getProperty("transport")).isIn("io_uring", "epoll", "nio");
        URI uri = URI.create("http://127.0.0.1:" + context.getService(port) + "/");
        try (InputStream body = uri.toURL().openStream()) {
            assertThat(new String(body.readAllBytes(), UTF_8)).isEqualTo("hello from a bundle");
        }
        hello.stop();
        assertThat(hello.getState()).isEqualTo(Bundle.RESOLVED);
    }
}
