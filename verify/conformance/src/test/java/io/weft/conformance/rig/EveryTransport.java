package io.weft.conformance.rig;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.FieldSource;

/// Runs a class once a transport of [Transports], whose name its constructor gets: `local` are
/// channels within this process, `sim` those of a simulation, `udt` streams over UDP.
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedClass(name = "{0}")
@FieldSource("io.weft.conformance.rig.Transports#LIST")
@Timeout(300)
public @interface EveryTransport {}
