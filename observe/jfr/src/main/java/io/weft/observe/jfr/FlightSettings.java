package io.weft.observe.jfr;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import jdk.jfr.Configuration;

/// Settings for recordings of the JDK's flight recorder that take every event of Weft.
///
/// Recordings in the program take them from here:
///
/// ```java
/// var recording = new Recording(FlightSettings.configuration());
/// ```
///
/// For those that the JVM or `jcmd` begins, this prints them as a file:
///
/// ```
/// java -cp weft-observe-jfr.jar io.weft.observe.jfr.FlightSettings > weft.jfc
/// java -XX:StartFlightRecording:settings=weft.jfc,filename=server.jfr ...
/// ```
public final class FlightSettings {
    private static final String FILE = "weft.jfc";

    private FlightSettings() {}

    /// Returns the settings as JFR reads them.
    public static Configuration configuration() {
        try (InputStream in = open();
                Reader text = new InputStreamReader(in, StandardCharsets.UTF_8)) {
            return Configuration.create(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ParseException e) {
            throw new IllegalStateException(FILE + ": malformed (expected: as it was built)", e);
        }
    }

    /// Prints the settings.
    ///
    /// @param arguments none
    public static void main(String... arguments) throws IOException {
        if (arguments.length > 0) {
            throw new IllegalArgumentException(
                    "arguments: " + arguments.length + " (expected: none)");
        }
        try (InputStream in = open()) {
            in.transferTo(System.out);
        }
        System.out.flush();
    }

    private static InputStream open() throws IOException {
        InputStream in = FlightSettings.class.getResourceAsStream(FILE);
        if (in == null) {
            throw new IOException(FILE + ": not in the jar (expected: beside this class)");
        }
        return in;
    }
}
