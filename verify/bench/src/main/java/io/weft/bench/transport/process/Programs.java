package io.weft.bench.transport.process;

import io.weft.bench.jmh.Goals;
import io.weft.bench.mainjob.Command;
import io.weft.bench.report.Entry;
import io.weft.bench.report.Json;
import io.weft.bench.report.Machine;
import io.weft.bench.report.Page;
import io.weft.bench.report.Table;
import io.weft.bench.transport.process.server.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Measures what JMH cannot, in processes of their own, and judges it by the goals of its group:
/// `Programs GROUP [--quick | --smoke] [--only REGEX] [--json FILE] [--html FILE] [--weft PATH]
/// [--rivals FOLDER] [--c-servers FOLDER]`, where PATH is the module path of Weft and its examples,
/// and FOLDER that of [Rivals], or of the programs in C.
public final class Programs {
    private Programs() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        long start = System.nanoTime();
        String group = args[0];
        Extent extent = Extent.FULL;
        Predicate<String> only = _ -> true;
        @Nullable Path json = null;
        @Nullable Path html = null;
        @Nullable String weft = null;
        @Nullable Path rivals = null;
        @Nullable Path limits = null;
        for (Iterator<String> rest = List.of(args).listIterator(1); rest.hasNext(); ) {
            switch (rest.next()) {
                case "--quick" -> extent = Extent.QUICK;
                case "--smoke" -> extent = Extent.SMOKE;
                case "--only" -> only = Pattern.compile(rest.next()).asPredicate();
                case "--json" -> json = Path.of(rest.next());
                case "--html" -> html = Path.of(rest.next());
                case "--weft" -> weft = rest.next();
                case "--rivals" -> rivals = Path.of(rest.next());
                case "--c-servers" -> limits = Path.of(rest.next());
                default -> throw new IllegalArgumentException("unknown option in " + List.of(args));
            }
        }
        if (!Command.exists("taskset")) {
            System.err.println("programs: need taskset; dev/install-peers.sh installs it");
            System.exit(2);
        }
        Measured measured = new Measured(only);
        for (Program program : programs(group, weft, rivals, limits)) {
            if (program.isWanted(measured)) {
                run(program, extent, measured);
            }
        }
        report(group, extent, measured, json, html);
        System.out.printf(Locale.ROOT, "took %d s%n", (System.nanoTime() - start) / 1_000_000_000);
        if (measured.failed()) {
            System.exit(1);
        }
    }

    private static List<Program> programs(
            String group, @Nullable String weft, @Nullable Path rivals, @Nullable Path limits) {
        if (group.equals("rivals") && rivals != null) {
            return List.of(
                    new WrkRows(rivals),
                    new LatencyRows(limits, rivals),
                    new HttpProxyRows(rivals, weft));
        }
        if (group.equals("http2")) {
            return List.of(new H2loadRows(), new SaturateRows(limits, Server.Service.HTTP2));
        }
        if (group.equals("dns")) {
            return List.of(new DnsperfRows());
        }
        if (group.equals("http1")) {
            return List.of(
                    new WrkRows(null),
                    new SaturateRows(limits, Server.Service.HTTP1),
                    new LatencyRows(limits, null),
                    new LoadRows(ConnectLoad.http(), Server.Service.HTTP1),
                    new LoadRows(WebSocketLoad.loads(), Server.Service.WEBSOCKET));
        }
        if (group.equals("protocols")) {
            return List.of(new RedisRows(), new ProxyRows(weft));
        }
        List<LoadRows.Load> loads = new ArrayList<>(EchoLoad.tcp());
        loads.addAll(EchoLoad.unix());
        loads.addAll(ConnectLoad.echo());
        loads.addAll(DatagramLoad.loads());
        return List.of(
                new LoadRows(loads, Server.Service.ECHO_ALL),
                new IdleConnections(Server.Service.ECHO),
                new IdleConnections(Server.Service.HTTP),
                new ManyConnections(),
                new ScaleRows(),
                new FirstByte(),
                new Emfile());
    }

    private static void run(Program program, Extent extent, Measured measured)
            throws InterruptedException {
        long start = System.nanoTime();
        System.err.print("  " + program.operations());
        try {
            program.run(extent, measured);
        } catch (IOException e) {
            measured.failure(program.operations() + ": " + e.getMessage());
        }
        System.err.printf(Locale.ROOT, ", %.1f s%n", (System.nanoTime() - start) / 1e9);
    }

    private static void report(
            String group,
            Extent extent,
            Measured measured,
            @Nullable Path json,
            @Nullable Path html)
            throws IOException {
        Map<String, String> facts = Machine.facts();
        facts.put("plan", extent.toString());
        Goals all = Goals.of(group);
        Goals goals = extent == Extent.SMOKE ? all.withoutGoals() : all;
        List<Entry> entries =
                measured.rows().stream().map(row -> row.entry(group, facts, goals)).toList();
        facts.forEach((name, fact) -> System.out.println(name + ": " + fact));
        System.out.println();
        System.out.print(Table.of(entries));
        measured.remarks().forEach(System.out::println);
        if (json != null) {
            Files.writeString(json, Json.write(entries.stream().map(Entry::fields).toList()));
        }
        if (html != null) {
            Files.writeString(html, Page.section(group + ", processes", facts, entries));
        }
    }
}
