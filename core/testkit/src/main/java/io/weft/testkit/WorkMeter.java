package io.weft.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/// Measures the work of a decoder without a clock: its classes, and those of buffers, are loaded
/// once more with a count at every branch and call. A loop has a branch, so whatever looks at bytes
/// again is seen, and the figure is the same on every run.
final class WorkMeter extends ClassLoader {
    private static final ClassDesc WORK = ClassDesc.of(Work.class.getName());
    private static final MethodTypeDesc TICK = MethodTypeDesc.of(ConstantDescs.CD_void);

    private final ClassLoader plain;
    private final ClassFile files;

    WorkMeter(ClassLoader plain) {
        super(plain);
        this.plain = plain;
        files =
                ClassFile.of(
                        ClassFile.ClassHierarchyResolverOption.of(
                                ClassHierarchyResolver.ofResourceParsing(plain)
                                        .orElse(ClassHierarchyResolver.defaultResolver())));
    }

    /// Branches and calls it takes to decode `length` bytes byte by byte.
    long measure(Class<?> lab, String subject, int endless, int length) {
        try {
            Class<?> counted = loadClass(WorkMeter.class.getName());
            Method feed =
                    counted.getDeclaredMethod(
                            "feed", String.class, String.class, int.class, int.class);
            feed.setAccessible(true);
            return (long) feed.invoke(null, lab.getName(), subject, endless, length);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(subject + ": cannot be measured", e);
        }
    }

    /// The copy of this method that the meter loaded feeds the copy of the subject, and counts.
    @SuppressWarnings("UnusedMethod") // called by measure
    private static long feed(String lab, String name, int endless, int length)
            throws ReflectiveOperationException {
        var constructor =
                Class.forName(lab, true, WorkMeter.class.getClassLoader()).getDeclaredConstructor();
        constructor.setAccessible(true);
        for (Subject subject : ((CodecLab) constructor.newInstance()).subjects()) {
            if (subject.name.equals(name)) {
                byte[] wire = SteadyFeed.endless(subject, endless, length);
                try (SteadyFeed feed = new SteadyFeed(subject)) {
                    Work.take();
                    feed.bytes(wire);
                    return Work.take();
                }
            }
        }
        throw new IllegalArgumentException("subject: " + name + " (expected: one of " + lab + ")");
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        // Native memory cannot have two owners of the right to call, and the count has to be one.
        if (!name.startsWith("io.weft.")
                || name.startsWith("io.weft.ffi.")
                || name.equals(Work.class.getName())) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? define(name) : loaded;
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        byte[] bytes = read(name.replace('.', '/') + ".class");
        if (bytes == null) {
            throw new ClassNotFoundException(name);
        }
        byte[] counted =
                files.transformClass(
                        files.parse(bytes),
                        ClassTransform.transformingMethodBodies(
                                (code, element) -> {
                                    if (element instanceof BranchInstruction
                                            || element instanceof InvokeInstruction) {
                                        code.invokestatic(WORK, "tick", TICK);
                                    }
                                    code.with(element);
                                }));
        return defineClass(name, counted, 0, counted.length);
    }

    private byte @Nullable [] read(String resource) {
        try (InputStream in = plain.getResourceAsStream(resource)) {
            return in == null ? null : in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
