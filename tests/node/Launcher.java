import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.opensearch.common.logging.LogConfigurator;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.http.HttpServerTransport;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;

/**
 * One OpenSearch node on loopback, out of an unpacked server, in this process: no script, no other user, no agent.
 *
 * Arguments: the server's folder, a folder of the node's own, then settings as name=value; a value with commas is a
 * list. The node ends when its standard input closes, so that it does not outlive whoever started it.
 */
public final class Launcher {
    private static final class Local extends Node {
        Local(Environment environment) {
            super(environment, List.of(), true);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Path server = Path.of(arguments[0]).toAbsolutePath();
        Path own = Path.of(arguments[1]).toAbsolutePath();
        Path config = Files.createDirectories(own.resolve("config"));
        Path port = own.resolve("http.port");
        Files.deleteIfExists(port);
        Files.writeString(config.resolve("log4j2.properties"), """
            status = error
            appender.out.type = Console
            appender.out.name = out
            appender.out.layout.type = PatternLayout
            appender.out.layout.pattern = %d{ISO8601} %p %c{1.} %m%n
            rootLogger.level = warn
            rootLogger.appenderRef.out.ref = out
            """);
        Settings.Builder settings = Settings.builder()
            .put("path.home", server.toString())
            .put("path.data", own.resolve("data").toString())
            .put("path.logs", own.resolve("logs").toString())
            .put("network.host", "127.0.0.1")
            .put("action.auto_create_index", false)
            .put("cluster.routing.allocation.disk.threshold_enabled", false);
        for (String told : Arrays.copyOfRange(arguments, 2, arguments.length)) {
            String[] parts = told.split("=", 2);
            if (parts[1].contains(",")) settings.putList(parts[0], parts[1].split(","));
            else settings.put(parts[0], parts[1]);
        }
        String name = settings.get("node.name");
        Environment environment =
            InternalSettingsPreparer.prepareEnvironment(settings.build(), Map.of(), config, () -> name);
        LogConfigurator.setNodeName(name);
        LogConfigurator.configure(environment);
        Node node = new Local(environment);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> close(node)));
        node.start();
        int bound = node.injector().getInstance(HttpServerTransport.class)
            .boundAddress().publishAddress().getPort();
        Path partial = Files.writeString(own.resolve("http.port.partial"), Integer.toString(bound));
        Files.move(partial, port, StandardCopyOption.ATOMIC_MOVE);
        while (System.in.read() >= 0) { }
        System.exit(0);
    }

    private static void close(Node node) {
        try {
            node.close();
            node.awaitClose(20, TimeUnit.SECONDS);
        } catch (IOException | InterruptedException problem) {
            problem.printStackTrace();
        }
    }
}
