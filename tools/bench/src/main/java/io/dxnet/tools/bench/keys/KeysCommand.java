package io.dxnet.tools.bench.keys;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ./dxnet keys}. */
@Command(
        name = "keys",
        mixinStandardHelpOptions = true,
        description = {
            "Makes the keys of a cluster for security=tls, with the JDK's keytool. DIR stays with whoever admits nodes:"
                    + " ca.p12 makes certificates. A node gets its own node-ID.p12, trust.p12 and password."
        })
public final class KeysCommand {
    private static final int AUTHORITY_DAYS = 3650;
    private static final String NODE_DAYS = "365";

    @Spec
    private CommandSpec spec;

    /** Creates the command. */
    public KeysCommand() {}

    private void print(String... lines) {
        PrintWriter out = spec.commandLine().getOut();
        List.of(lines).forEach(out::println);
        out.flush();
    }

    /** Makes the cluster's authority. */
    @Command(name = "init", mixinStandardHelpOptions = true, description = "Makes the cluster's certificate authority.")
    int init(
            @Parameters(paramLabel = "DIR", description = "new folder") Path folder,
            @Option(
                            names = "--cluster",
                            defaultValue = "dxnet",
                            paramLabel = "NAME",
                            description = "the cluster's name (clusterName); default ${DEFAULT-VALUE}")
                    String cluster)
            throws IOException {
        ClusterKeys keys = new ClusterKeys(folder);
        keys.init(cluster, AUTHORITY_DAYS);
        print("made " + folder + ": next, './dxnet keys node " + folder + " ID' for each node");
        return 0;
    }

    /** Makes a node's certificate. */
    @Command(
            name = "node",
            mixinStandardHelpOptions = true,
            description = "Makes a node's key and certificate, also a new one in the place of the last.")
    int node(
            @Parameters(index = "0", paramLabel = "DIR", description = "of init") Path folder,
            @Parameters(
                            index = "1..*",
                            arity = "1..*",
                            paramLabel = "ID",
                            description = "node id; several for a certificate that names several nodes")
                    List<Integer> ids,
            @Option(
                            names = "--days",
                            defaultValue = NODE_DAYS,
                            description = "how long it is valid; default ${DEFAULT-VALUE}")
                    int days)
            throws IOException {
        for (int id : ids) {
            if (id < 0 || id > 0xFFFF) {
                throw new IllegalArgumentException("node id " + id + ": allowed are 0 to 65535");
            }
        }
        ClusterKeys keys = new ClusterKeys(folder);
        Path store = keys.node(ids, days);
        print(
                "clusterName=" + keys.cluster(),
                "security=tls",
                "tlsKeyStore=" + store,
                "tlsTrustStore=" + keys.trustStore(),
                "tlsPasswordFile=" + keys.passwordFile());
        return 0;
    }

    /** Changes the cluster's authority. */
    @Command(
            name = "rotate",
            mixinStandardHelpOptions = true,
            description = {
                "Changes the authority, in steps after each of which every node reads its files again"
                        + " (DXNet.reloadSecurity): rotate, and the new trust.p12 on all nodes; 'keys node', and the new"
                        + " node-ID.p12 on each; rotate --finish, and the new trust.p12 on all. A node that gets no new"
                        + " certificate is revoked."
            })
    int rotate(
            @Parameters(paramLabel = "DIR", description = "of init") Path folder,
            @Option(names = "--finish", description = "trust the new authority alone") boolean finish)
            throws IOException {
        ClusterKeys keys = new ClusterKeys(folder);
        if (finish) {
            keys.finishRotation();
            print("copy " + keys.trustStore() + " to all nodes: it trusts the new authority alone");
        } else {
            keys.rotate(AUTHORITY_DAYS);
            print(
                    "copy " + keys.trustStore() + " to all nodes: it trusts both authorities",
                    "then make new certificates: './dxnet keys node " + folder
                            + " ID', and './dxnet keys rotate --finish " + folder + "'");
        }
        return 0;
    }
}
