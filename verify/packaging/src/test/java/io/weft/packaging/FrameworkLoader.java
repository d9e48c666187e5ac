package io.weft.packaging;

import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.launch.FrameworkFactory;

/// Loads a framework of OSGi from its jar alone. Two of them have classes of the same names, some
/// signed, which one loader could not mix. The interfaces of OSGi are those of the test.
final class FrameworkLoader extends URLClassLoader {
    /// Jars that hold a framework, and the class of its factory.
    enum Kind {
        FELIX("org.apache.felix.framework", "org.apache.felix.framework.FrameworkFactory"),
        EQUINOX("org.eclipse.osgi", "org.eclipse.osgi.launch.EquinoxFactory");

        private final String jar;
        private final String factory;

        Kind(String jar, String factory) {
            this.jar = jar;
            this.factory = factory;
        }

        boolean isIn(Path file) {
            return file.getFileName().toString().startsWith(jar + "-");
        }
    }

    private final Kind kind;

    FrameworkLoader(Kind kind) throws MalformedURLException {
        super(new URL[] {jar(kind)}, FrameworkLoader.class.getClassLoader());
        this.kind = kind;
    }

    private static URL jar(Kind kind) throws MalformedURLException {
        List<Path> jars = Jars.all().stream().filter(kind::isIn).toList();
        if (jars.size() != 1) {
            throw new IllegalStateException(kind + ": " + jars + " (expected: one jar)");
        }
        return jars.getFirst().toUri().toURL();
    }

    FrameworkFactory factory() throws ReflectiveOperationException {
        Class<?> type = loadClass(kind.factory);
        return type.asSubclass(FrameworkFactory.class).getDeclaredConstructor().newInstance();
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> own = name.startsWith("org.osgi.") ? null : own(name);
            return own == null ? super.loadClass(name, resolve) : own;
        }
    }

    private @Nullable Class<?> own(String name) {
        Class<?> loaded = findLoadedClass(name);
        if (loaded != null) {
            return loaded;
        }
        try {
            return findClass(name);
        } catch (ClassNotFoundException e) {
            return null; // of the JDK, or of the test
        }
    }
}
