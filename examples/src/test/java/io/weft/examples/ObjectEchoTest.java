package io.weft.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Ledger;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.net.Socket;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass
@ValueSource(strings = {"io_uring", "epoll", "nio"})
record ObjectEchoTest(String transport) {
    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private static void send(Socket socket, Object object) throws Exception {
        var bytes = new ByteArrayOutputStream();
        try (var objects = new ObjectOutputStream(bytes)) {
            objects.writeObject(object);
        }
        var out = new DataOutputStream(socket.getOutputStream());
        out.writeInt(bytes.size());
        bytes.writeTo(out);
    }

    private static Object receive(Socket socket) throws Exception {
        var in = new DataInputStream(socket.getInputStream());
        byte[] bytes = in.readNBytes(in.readInt());
        try (var objects = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            return objects.readObject();
        }
    }

    @Test
    void objectsOnTheListComeBack() throws Exception {
        try (Served echo = Served.start(ObjectEcho::start, transport);
                Socket socket = echo.connect()) {
            List<Serializable> list =
                    new ArrayList<>(List.of("text", 1, 2L, Instant.ofEpochSecond(3)));
            send(socket, list);
            assertThat(receive(socket)).isEqualTo(list);
            List<Integer> sevens = new ArrayList<>(Collections.nCopies(1000, 7));
            send(socket, sevens);
            assertThat(receive(socket)).isEqualTo(sevens);
        }
    }

    @Test
    void otherClassesEndTheConnection() throws Exception {
        try (Served echo = Served.start(ObjectEcho::start, transport);
                Socket socket = echo.connect()) {
            send(socket, URI.create("http://127.0.0.1/"));
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
    }
}
