package io.weft.architecture;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.w3c.dom.NodeList;

/// The project that `dev/new-project.sh` makes, built and tested with the classes of this build
/// instead of Maven and a network.
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the script is for sh")
class NewProjectTest {
    @TempDir Path directory;

    private record Outcome(int exit, String said) {}

    private static Outcome run(String... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(House.ROOT.resolve("dev/new-project.sh").toString());
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        return new Outcome(process.waitFor(), said);
    }

    private Path make() throws Exception {
        Path project = directory.resolve("made");
        Outcome outcome = run("my-server", project.toString());
        assertThat(outcome.exit).as(outcome.said).isZero();
        assertThat(outcome.said).contains(project.toString(), "java -jar target/my-server.jar");
        return project;
    }

    @Test
    void theTestOfANewProjectPasses() throws Exception {
        Path classes = compile(make());
        URL[] urls = {classes.toUri().toURL()};
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (var loader = new URLClassLoader(urls, NewProjectTest.class.getClassLoader())) {
            thread.setContextClassLoader(loader);
            EngineTestKit.engine("junit-jupiter")
                    .selectors(selectClass(loader.loadClass("app.ServerTest")))
                    .execute()
                    .testEvents()
                    .assertStatistics(events -> events.started(2).succeeded(2));
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Test
    void aNewProjectWithADescriptorServesOnTheModulePathAndFindsItsEngine() throws Exception {
        Path main = make().resolve("src/main");
        String modules = modulePath();
        Files.writeString(
                main.resolve("java/module-info.java"),
                "module my.server { requires io.weft.http.server; }");
        Path classes = compile(main, "-p", modules);
        Path err = directory.resolve("stderr");
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "--enable-native-access=io.weft.ffi",
                                "--illegal-native-access=deny",
                                "-Dio.weft.watchdog.threshold=0",
                                "-p",
                                classes + File.pathSeparator + modules,
                                "-m",
                                "my.server/app.Server",
                                "0")
                        .redirectError(err.toFile())
                        .start();
        try (var out = process.inputReader(UTF_8)) {
            String line = String.valueOf(out.readLine());
            assertThat(line).as(Files.readString(err)).startsWith("listening on port ");
            String port = line.substring(line.lastIndexOf(' ') + 1);
            URI uri = URI.create("http://localhost:" + port + "/hello/you");
            try (InputStream body = uri.toURL().openStream()) {
                assertThat(new String(body.readAllBytes(), UTF_8)).isEqualTo("Hello, you!\n");
            }
            assertThat(Files.readString(err)).doesNotContain("WARNING");
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    /// The modules of this build that a server needs.
    private static String modulePath() {
        Path[] modules =
                Stream.of(classPath().split(File.pathSeparator))
                        .map(Path::of)
                        .filter(NewProjectTest::isModule)
                        .toArray(Path[]::new);
        ModuleFinder ours = ModuleFinder.of(modules);
        assumeTrue(ours.find("io.weft.http.server").isPresent(), "classes here are no modules");
        return Configuration.empty()
                .resolve(
                        ours,
                        ModuleFinder.ofSystem(),
                        Set.of("io.weft.http.server", "io.weft.transport.nio", "org.jspecify"))
                .modules()
                .stream()
                .map(module -> module.reference().location().orElseThrow())
                .filter(place -> place.getScheme().equals("file"))
                .map(place -> Path.of(place).toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static boolean isModule(Path path) {
        return Files.exists(path.resolve("module-info.class"))
                || path.toString().matches(".*[/\\\\](weft|jspecify)-[^/\\\\]*\\.jar");
    }

    private Path compile(Path project) throws IOException {
        return compile(project, "-cp", classPath());
    }

    private Path compile(Path project, String... paths) throws IOException {
        Path classes = Files.createDirectory(directory.resolve("classes"));
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "-proc:none",
                                "-Xlint:all,-path",
                                "-Werror",
                                "-d",
                                classes.toString()));
        arguments.addAll(List.of(paths));
        try (Stream<Path> files = Files.walk(project)) {
            files.map(Path::toString).filter(f -> f.endsWith(".java")).forEach(arguments::add);
        }
        StringWriter said = new StringWriter();
        PrintWriter out = new PrintWriter(said);
        ToolProvider javac = ToolProvider.findFirst("javac").orElseThrow();
        int exit = javac.run(out, out, arguments.toArray(String[]::new));
        assertThat(exit).as(said.toString()).isZero();
        return classes;
    }

    private static String classPath() {
        String own = System.getProperty("surefire.test.class.path", "");
        return own.isEmpty() ? System.getProperty("java.class.path") : own;
    }

    @Test
    void theArtifactsOfANewProjectAreOurs() throws Exception {
        Path project = make();
        NodeList artifacts = House.pom(project).getElementsByTagName("artifactId");
        Set<String> asked =
                IntStream.range(0, artifacts.getLength())
                        .mapToObj(i -> artifacts.item(i).getTextContent())
                        .filter(name -> name.startsWith("weft-"))
                        .collect(Collectors.toSet());
        Set<String> ours =
                House.directories().stream()
                        .map(d -> "weft-" + d.replaceFirst("^core/", "").replace('/', '-'))
                        .collect(Collectors.toSet());
        assertThat(asked).contains("weft-http-server").isSubsetOf(ours);
        String version =
                House.pom(House.ROOT).getElementsByTagName("version").item(0).getTextContent();
        assertThat(Files.readString(project.resolve("pom.xml")))
                .contains("<weft.version>" + version + "</weft.version>")
                .doesNotContain("@");
        assertThat(Files.readString(project.resolve("Dockerfile")))
                .contains("COPY target/my-server.jar")
                .doesNotContain("@");
        assertThat(project.resolve(".gitignore")).hasContent("target/");
    }

    /// So a build of the project needs nothing that a build of Weft has not fetched.
    @Test
    void everyPluginOfANewProjectHasTheVersionOfOurs() throws Exception {
        String pom = Files.readString(make().resolve("pom.xml"));
        String ours = Files.readString(House.ROOT.resolve("pom.xml"));
        for (String plugin : List.of("resources", "compiler", "surefire", "dependency", "jar")) {
            Pattern pinned =
                    Pattern.compile(
                            "<artifactId>maven-"
                                    + plugin
                                    + "-plugin</artifactId>\\s*<version>([0-9.]+)</version>");
            Matcher here = pinned.matcher(pom);
            Matcher there = pinned.matcher(ours);
            assertThat(here.find()).as(plugin).isTrue();
            assertThat(there.find()).as(plugin).isTrue();
            assertThat(here.group(1)).as(plugin).isEqualTo(there.group(1));
        }
    }

    @Test
    void theImageIsMadeOfWhatTheBuildMakes() throws Exception {
        Path project = make();
        List<String> lines =
                Files.readAllLines(project.resolve("Dockerfile")).stream()
                        .filter(line -> !line.isBlank() && !line.startsWith("#"))
                        .toList();
        assertThat(lines)
                .allMatch(l -> l.matches("(FROM|WORKDIR|COPY|USER|EXPOSE|ENTRYPOINT) \\S.*"))
                .startsWith("FROM eclipse-temurin:25-jre")
                .contains("COPY target/lib/ lib/", "COPY target/my-server.jar .")
                .filteredOn(line -> line.startsWith("COPY"))
                .hasSize(2);
        assertThat(lines.getLast()).matches("ENTRYPOINT \\[(\"[^\"]+\", )*\"my-server\\.jar\"\\]");
        // Where these are made, and what the context leaves to them.
        assertThat(Files.readString(project.resolve("pom.xml")))
                .contains("<finalName>${project.artifactId}</finalName>")
                .contains("<outputDirectory>${project.build.directory}/lib</outputDirectory>");
        assertThat(Files.readAllLines(project.resolve(".dockerignore")))
                .containsExactly("*", "!target/lib", "!target/*.jar");
    }

    @Test
    void aNameThatIsNoArtifactIsRefused() throws Exception {
        for (String name : List.of("My Server", "-x", "a--b", "../up", "")) {
            Outcome outcome = run(name, directory.resolve("refused").toString());
            assertThat(outcome.exit).as(name).isEqualTo(2);
        }
        assertThat(directory.resolve("refused")).doesNotExist();
    }

    @Test
    void whatIsThereIsNotOverwritten() throws Exception {
        Outcome outcome = run("my-server", directory.toString());
        assertThat(outcome.exit).isEqualTo(1);
        assertThat(outcome.said).contains("exists already");
    }
}
