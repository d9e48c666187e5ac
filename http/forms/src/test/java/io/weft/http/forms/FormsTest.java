package io.weft.http.forms;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.http.model.Body;
import io.weft.http.model.BodySource;
import io.weft.http.model.Headers;
import io.weft.http.model.HttpException;
import io.weft.http.model.Request;
import io.weft.http.model.Status;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.ClosedChannelException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FormsTest {
    @TempDir Path directory;
    private FormStorage storage = FormStorage.DEFAULT;
    private Forms forms = Forms.DEFAULT;

    @BeforeEach
    void storage() {
        storage = FormStorage.in(directory, 1 << 20);
        forms = Forms.DEFAULT.withStorage(storage);
    }

    private static Request request(FormBody form) {
        return form.on(Request.post("/", Body.empty()));
    }

    private static String large(int length) {
        return "0123456789\r\n--".repeat(length / 14 + 1).substring(0, length);
    }

    /// Files in the directory, which have names while they are open where the system demands it.
    private Collection<Path> left() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }

    @Test
    void fieldsAndFilesOfAMultipartFormAreRead() throws IOException {
        FormBody body =
                FormBody.multipart()
                        .field("title", "Ferien \"2026\" — ä\r\n")
                        .file("photo", "a\"b\\c.png", "image/png", Body.of("PNG"))
                        .field("tag", "1")
                        .field("tag", "2")
                        .file("none", "", "application/octet-stream", Body.empty())
                        .build();
        try (Form form = forms.read(request(body))) {
            assertThat(form.text("title")).isEqualTo("Ferien \"2026\" — ä\r\n");
            assertThat(form.all("tag")).hasSize(2);
            assertThat(form.text("photo")).isNull();
            assertThat(form.text("other")).isNull();
            assertThat(form.file("none")).isNull();
            FormPart photo = form.file("photo");
            assertThat(photo).isNotNull();
            assertThat(photo.fileName()).isEqualTo("a\"b\\c.png");
            assertThat(photo.safeFileName()).isEqualTo("c.png");
            assertThat(photo.contentType()).isEqualTo("image/png");
            assertThat(photo.text()).isEqualTo("PNG");
            assertThat(photo.isInMemory()).isTrue();
            assertThat(form.files()).containsExactly(photo);
            assertThat(form.toString()).isEqualTo("[title, photo=a\"b\\c.png, tag, tag, none=]");
        }
    }

    @Test
    void fieldsOfAnUrlencodedFormAreRead() throws IOException {
        FormBody body = FormBody.urlencoded().field("a b", "ä&=+%").field("empty", "").build();
        try (Form form = forms.read(request(body))) {
            assertThat(form.text("a b")).isEqualTo("ä&=+%");
            assertThat(form.text("empty")).isEmpty();
            assertThat(form.parts()).hasSize(2);
        }
    }

    @Test
    void aFormWithoutPartsIsEmpty() throws IOException {
        try (Form form = forms.read(request(FormBody.multipart().build()))) {
            assertThat(form.parts()).isEmpty();
        }
    }

    @Test
    void textHasTheCharsetOfItsPart() throws IOException {
        FormBody body =
                FormBody.multipart()
                        .file(
                                "a",
                                "a",
                                "text/plain; charset=iso-8859-1",
                                Body.wrap(new byte[] {-28}))
                        .file("b", "b", "text/plain; charset=nonsense", Body.of("ä"))
                        .build();
        try (Form form = forms.read(request(body))) {
            assertThat(form.parts().get(0).text()).isEqualTo("ä");
            assertThat(form.parts().get(1).text()).isEqualTo("ä");
        }
    }

    @Test
    void largeContentGoesToDiskAndVanishes() throws IOException {
        String content = large(300_000);
        FormBody body =
                FormBody.multipart()
                        .field("small", "x")
                        .file("large", "l", "text/plain", Body.of(content))
                        .build();
        Path saved = directory.resolve("saved");
        InputStream open;
        Form form = forms.read(request(body));
        try (form) {
            FormPart large = form.file("large");
            assertThat(large).isNotNull();
            assertThat(large.isInMemory()).isFalse();
            assertThat(form.parts().get(0).isInMemory()).isTrue();
            assertThat(large.length()).isEqualTo(300_000);
            assertThat(storage.used()).isEqualTo(300_000);
            assertThat(large.text()).isEqualTo(content);
            try (InputStream in = large.asInputStream()) {
                assertThat(new String(in.readAllBytes(), UTF_8)).isEqualTo(content);
            }
            large.saveTo(saved);
            assertThat(saved).hasContent(content);
            assertThatThrownBy(() -> large.saveTo(saved))
                    .isInstanceOf(FileAlreadyExistsException.class);
            open = large.asInputStream();
        }
        form.close();
        assertThat(storage.used()).isZero();
        assertThat(left()).containsExactly(saved);
        assertThatThrownBy(() -> open.read()).isInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(() -> form.parts().get(0).bytes())
                .isInstanceOf(ClosedChannelException.class);
    }

    /// Else a form of many short fields takes a descriptor for each.
    @Test
    @EnabledOnOs(OS.LINUX)
    void allPartsOfAFormShareOneFile() throws IOException {
        FormBody.Multipart body =
                FormBody.multipart().field("full", large(FormLimits.DEFAULT.memoryBytes()));
        for (int i = 0; i < 126; i++) {
            body.field("f" + i, "" + (char) ('a' + i % 26));
        }
        try (Form form = forms.read(request(body.build()))) {
            assertThat(open()).isEqualTo(1);
            assertThat(storage.used()).isEqualTo(126);
            assertThat(form.text("full")).hasSize(FormLimits.DEFAULT.memoryBytes());
            for (int i = 0; i < 126; i++) {
                FormPart part = form.parts().get(i + 1);
                assertThat(part.isInMemory()).isFalse();
                assertThat(part.length()).isEqualTo(1);
                assertThat(part.text()).isEqualTo("" + (char) ('a' + i % 26));
            }
        }
        assertThat(open()).isZero();
        assertThat(storage.used()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 64 << 10})
    void partsOfOneFileAreReadAndSavedEachForItself(int memoryBytes) throws IOException {
        String first = large(70_000);
        String second = large(90_001).replace('0', 'x');
        FormBody body =
                FormBody.multipart()
                        .file("a", "a", "text/plain", Body.of(first))
                        .field("short", "s")
                        .file("b", "b", "text/plain", Body.of(second))
                        .field("empty", "")
                        .build();
        FormLimits limits = FormLimits.DEFAULT.withMemoryBytes(memoryBytes);
        try (Form form = forms.withLimits(limits).read(request(body))) {
            FormPart a = form.parts().get(0);
            FormPart b = form.parts().get(2);
            try (InputStream inA = a.asInputStream();
                    InputStream inB = b.asInputStream()) {
                assertThat(inA.available()).isEqualTo(70_000);
                assertThat(new String(inB.readNBytes(50_001), UTF_8))
                        .isEqualTo(second.substring(0, 50_001));
                assertThat(new String(inA.readAllBytes(), UTF_8)).isEqualTo(first);
                assertThat(inA.read()).isEqualTo(-1);
                assertThat(inB.available()).isEqualTo(40_000);
                assertThat(inB.readAllBytes()).hasSize(40_000);
            }
            a.saveTo(directory.resolve("a"));
            b.saveTo(directory.resolve("b"));
            assertThat(directory.resolve("a")).hasContent(first);
            assertThat(directory.resolve("b")).hasContent(second);
            assertThat(form.text("short")).isEqualTo("s");
            assertThat(form.text("empty")).isEmpty();
        }
    }

    /// Returns the number of open files in the directory: where they have no names, by the links of
    /// this process.
    private long open() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            return files.filter(this::isHere).count();
        }
    }

    private boolean isHere(Path link) {
        try {
            return Files.readSymbolicLink(link).startsWith(directory);
        } catch (IOException e) {
            return false; // closed meanwhile
        }
    }

    @Test
    void aFileHasNoNameOrIsItsOwnersAlone() throws IOException {
        FormBody body = FormBody.multipart().file("l", "l", "a/b", Body.of(large(100_000))).build();
        try (Form form = forms.read(request(body))) {
            assertThat(form.parts().getFirst().isInMemory()).isFalse();
            for (Path file : left()) {
                assertThat(Files.getPosixFilePermissions(file))
                        .isEqualTo(
                                Set.of(
                                        PosixFilePermission.OWNER_READ,
                                        PosixFilePermission.OWNER_WRITE));
            }
        }
        assertThat(left()).isEmpty();
    }

    private static void assertStatus(
            Status status, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        HttpException.class, e -> assertThat(e.status()).isSameAs(status));
    }

    @Test
    void failuresHaveTheirStatusAndLeaveNothing() throws IOException {
        Forms small = forms.withLimits(FormLimits.DEFAULT.withFileBytes(200_000));
        FormBody body = FormBody.multipart().file("l", "l", "a/b", Body.of(large(300_000))).build();
        assertStatus(Status.CONTENT_TOO_LARGE, () -> small.read(request(body)));
        assertThat(storage.used()).isZero();

        String head = "--B\r\nContent-Disposition: form-data; name=a; filename=b\r\n\r\n";
        Request cut =
                Request.post("/", Body.of(head + large(100_000)))
                        .withHeader("content-type", "multipart/form-data; boundary=B");
        assertStatus(Status.BAD_REQUEST, () -> forms.read(cut));
        Request other = Request.post("/", Body.of("{}")).withHeader("content-type", "text/json");
        assertStatus(Status.UNSUPPORTED_MEDIA_TYPE, () -> forms.read(other));
        assertStatus(
                Status.UNSUPPORTED_MEDIA_TYPE, () -> forms.read(Request.post("/", Body.empty())));
        Request twice =
                Request.post("/", Body.of("a=b"))
                        .withHeaders(
                                Headers.builder()
                                        .add("content-type", "application/x-www-form-urlencoded")
                                        .add("content-type", "multipart/form-data; boundary=B")
                                        .build());
        assertStatus(Status.BAD_REQUEST, () -> forms.read(twice));
        assertThat(storage.used()).isZero();
        assertThat(left()).isEmpty();
    }

    @Test
    void theQuotaIsOverAllForms() throws IOException {
        Forms tight = Forms.DEFAULT.withStorage(FormStorage.in(directory, 250_000));
        Form first =
                tight.read(
                        request(
                                FormBody.multipart()
                                        .file("l", "l", "a/b", Body.of(large(200_000)))
                                        .build()));
        FormBody second =
                FormBody.multipart().file("l", "l", "a/b", Body.of(large(100_000))).build();
        try (first) {
            assertStatus(Status.SERVICE_UNAVAILABLE, () -> tight.read(request(second)));
        }
        FormBody third =
                FormBody.multipart().file("l", "l", "a/b", Body.of(large(100_000))).build();
        try (Form form = tight.read(request(third))) {
            assertThat(form.parts()).hasSize(1);
        }
    }

    /// Gives some content, and then nothing, until it is closed or fails.
    private static final class Stuck implements BodySource {
        final CountDownLatch waiting = new CountDownLatch(1);
        final CountDownLatch closed = new CountDownLatch(1);
        private byte[] begin;
        private boolean fails;
        private Runnable wake = () -> {};

        Stuck(String begin) {
            this.begin = begin.getBytes(UTF_8);
        }

        @Override
        public synchronized Step read(Buffer out) throws IOException {
            if (fails) {
                throw new IOException("the connection broke");
            }
            int length = Math.min(out.writableBytes(), begin.length);
            if (length == 0) {
                waiting.countDown();
                return Step.WAIT;
            }
            out.writeBytes(begin, 0, length);
            begin = java.util.Arrays.copyOfRange(begin, length, begin.length);
            return Step.MORE;
        }

        @Override
        public synchronized void onWake(Runnable runnable) {
            wake = runnable;
        }

        void fail() {
            Runnable waiter;
            synchronized (this) {
                fails = true;
                waiter = wake;
            }
            waiter.run();
        }

        @Override
        public void close() {
            closed.countDown();
        }
    }

    private static Request stuck(Stuck source) {
        return Request.post("/", Body.of(source))
                .withHeader("content-type", "multipart/form-data; boundary=B");
    }

    private static String begun() {
        return "--B\r\nContent-Disposition: form-data; name=a; filename=b\r\n\r\n" + large(200_000);
    }

    @Test
    void cancellingLeavesNothing() throws Exception {
        Stuck source = new Stuck(begun());
        CompletableFuture<Form> form = forms.collect(stuck(source));
        source.waiting.await();
        assertThat(storage.used()).isPositive();
        form.cancel(false);
        source.closed.await();
        while (storage.used() > 0) {
            Thread.onSpinWait();
        }
        assertThat(left()).isEmpty();
    }

    @Test
    void aBodyThatBreaksOffLeavesNothing() throws Exception {
        Stuck source = new Stuck(begun());
        CompletableFuture<Form> form = forms.collect(stuck(source));
        source.waiting.await();
        source.fail();
        assertThatThrownBy(form::join).hasRootCauseMessage("the connection broke");
        assertThat(storage.used()).isZero();
        assertThat(left()).isEmpty();
    }

    @Test
    void aFormThatIsHandedToAFunctionIsClosedBehindIt() throws Exception {
        FormBody body = FormBody.multipart().file("l", "l", "a/b", Body.of(large(200_000))).build();
        long length = forms.with(request(body), form -> form.parts().getFirst().length());
        assertThat(length).isEqualTo(200_000);
        assertThat(storage.used()).isZero();
    }

    @Test
    void partsAreHandedOnAsTheyCome() throws IOException {
        FormBody body =
                FormBody.multipart()
                        .field("a", "1")
                        .file("l", "l", "a/b", Body.of(large(100_000)))
                        .build();
        List<String> names = new ArrayList<>();
        long[] bytes = {0};
        forms.stream(
                request(body),
                event -> {
                    switch (event) {
                        case FormEvent.PartStart start -> names.add(start.name());
                        case FormEvent.PartData data -> {
                            try (Buffer piece = data.bytes()) {
                                bytes[0] += piece.readableBytes();
                            }
                        }
                        case FormEvent.PartEnd _ -> names.add(";");
                    }
                });
        assertThat(names).containsExactly("a", ";", "l", ";");
        assertThat(bytes[0]).isEqualTo(100_001);
    }

    @Test
    void multipartHasALengthWhereItsPartsHave() {
        FormBody known = FormBody.multipart().file("a", "b", "c/d", Body.of("x")).build();
        assertThat(known.body().length()).isEqualTo(known.body().asString().getBytes(UTF_8).length);
        Body unknown = Body.of(InputStream.nullInputStream());
        FormBody open = FormBody.multipart().file("a", "b", "c/d", unknown).build();
        assertThat(open.body().length()).isEqualTo(-1);
    }

    @Test
    void aFileIsSentUnderItsName(@TempDir Path other) throws IOException {
        Path file = Files.writeString(other.resolve("page.html"), "<p>");
        String text = FormBody.multipart().file("f", file).build().body().asString();
        assertThat(text)
                .contains(
                        "name=\"f\"; filename=\"page.html\"\r\nContent-Type: text/html\r\n\r\n<p>");
    }

    @Test
    void controlsInNamesAreRefused() {
        assertThatThrownBy(() -> FormBody.multipart().field("a\0", ""))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> FormBody.multipart().file("a", "b", "c\r\nd: e", Body.empty()))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
