package io.weft.transport.serial;

import java.net.SocketAddress;
import java.nio.file.Path;

/// The address of a serial port: its device. To be connected to; there is nothing to listen at.
///
/// How the line is set is no part of the address, but an option: [SerialOption#LINE].
public final class SerialAddress extends SocketAddress {
    private static final long serialVersionUID = 1L;

    private final String device;

    private SerialAddress(String device) {
        this.device = device;
    }

    /// Returns the address of a device.
    ///
    /// @param device a path, such as `/dev/ttyUSB0`
    /// @throws IllegalArgumentException if the path is empty or has a zero character
    public static SerialAddress of(String device) {
        if (device.isEmpty() || device.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(
                    "device: \"" + device + "\" (expected: a path such as /dev/ttyUSB0)");
        }
        return new SerialAddress(device);
    }

    /// As [#of(String)].
    public static SerialAddress of(Path device) {
        return of(device.toString());
    }

    /// The path of the device.
    public String device() {
        return device;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SerialAddress that && device.equals(that.device);
    }

    @Override
    public int hashCode() {
        return device.hashCode();
    }

    @Override
    public String toString() {
        return "serial:" + device;
    }
}
