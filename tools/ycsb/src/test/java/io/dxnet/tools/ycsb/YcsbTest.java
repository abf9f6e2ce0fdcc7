package io.dxnet.tools.ycsb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import io.dxnet.tools.bench.nodes.NodeMaps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.Vector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import site.ycsb.ByteIterator;
import site.ycsb.DBException;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;
import site.ycsb.WorkloadException;
import site.ycsb.measurements.Measurements;
import site.ycsb.workloads.CoreWorkload;

/** The store, its binding, and the whole command. */
@Timeout(240)
class YcsbTest {
    private static final String TABLE = "t";

    @TempDir
    Path directory;

    private List<String> run(String options) throws IOException {
        String line = "--quick --records 400 --seconds 0.3 --runs 2 --verify --figures " + directory + " " + options;
        assertThat(Main.run(line.split(" "))).isZero();
        try (var files = Files.list(directory)) {
            Path csv = files.filter(file -> file.toString().endsWith(".csv"))
                    .findFirst()
                    .orElseThrow();
            return Files.readAllLines(csv);
        }
    }

    private static long sum(List<String> csv, String column) {
        int index = List.of(csv.getFirst().split(",")).indexOf(column);
        return csv.stream()
                .skip(1)
                .mapToLong(line -> Long.parseLong(line.split(",")[index]))
                .sum();
    }

    @Test
    void shouldLoadRunAndVerifyInOneProcess() throws IOException {
        List<String> csv = run("--transport loopback --threads 2,6 --threads-per-client 3 --servers 2");
        assertThat(csv).hasSize(3);
        assertThat(sum(csv, "operations")).isPositive();
        assertThat(sum(csv, "verified")).isPositive();
        assertThat(sum(csv, "wrong")).isZero();
        assertThat(sum(csv, "failed")).isZero();
        assertThat(sum(csv, "clients")).isEqualTo(3);
        assertThat(directory.resolve("ycsb-loopback.png")).isNotEmptyFile();
        assertThat(directory.resolve("ycsb-loopback.svg")).content().contains("<svg");
        assertThat(directory.resolve("ycsb-loopback.txt"))
                .content()
                .contains("DXNet, Figure 21", "No operation failed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"loopback", "nio", "shm", "ib --device soft0"})
    void shouldVerifyGetsByMemoryBesideMessages(String transport) throws IOException {
        List<String> csv =
                run("--transport " + transport + " --gets messages,memory --threads 4 --threads-per-client 2 "
                        + "--servers 2 --distribution zipfian --reads 80");
        assertThat(csv).hasSize(3);
        assertThat(csv.get(1)).contains(",messages,false,");
        assertThat(csv.get(2))
                .contains(
                        transport.startsWith("ib") || transport.equals("shm")
                                ? ",memory (one-sided),true,"
                                : ",memory (carried),false,");
        assertThat(sum(csv, "wrong")).isZero();
        assertThat(sum(csv, "failed")).isZero();
        assertThat(sum(csv, "getAnswers.MEMORY")).isPositive();
        assertThat(sum(csv, "getAnswers.NOT_ATTACHED")).isZero();
        try (var files = Files.list(directory)) {
            Path text = files.filter(file -> file.toString().endsWith(".txt"))
                    .findFirst()
                    .orElseThrow();
            assertThat(text).content().contains("answered from memory", "memory loses in", "No operation failed");
        }
    }

    @Test
    void shouldReachAStorageNodeInAProcessOfItsOwn() throws IOException {
        List<String> csv = run("--transport nio --threads 4 --size 1000 --reads 50 --handlers 2");
        assertThat(sum(csv, "operations")).isPositive();
        assertThat(sum(csv, "wrong")).isZero();
        assertThat(sum(csv, "failed")).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--threads 0",
                "--reads 101",
                "--records 0",
                "--seconds 0",
                "--serve",
                "--node 1",
                "--nonsense",
                "--gets mail",
                "--gets ,",
                "--distribution latest"
            })
    void shouldExitWithTwoForWrongOptions(String line) {
        assertThat(Main.run(line.split(" "))).isEqualTo(2);
    }

    private static Map<String, ByteIterator> values(String... namesAndValues) {
        Map<String, ByteIterator> values = new HashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            values.put(namesAndValues[i], new StringByteIterator(namesAndValues[i + 1]));
        }
        return values;
    }

    /**
     * The binding as YCSB's own client uses it: made without arguments, configured by properties.
     */
    @ParameterizedTest
    @EnumSource
    void shouldDoWhatABindingMust(Gets gets) throws IOException, DBException {
        Path map = directory.resolve("nodes.properties");
        NodeMaps.write(map, 3);
        DXNetConfig config = DXNetConfig.builder().transport("nio").build();
        DxnetDb db = new DxnetDb();
        DxnetDb other = new DxnetDb();
        Properties properties = new Properties();
        properties.setProperty(DxnetDb.NODES, map.toString());
        properties.setProperty(DxnetDb.NODE, "2");
        properties.setProperty(DxnetDb.SERVERS, "2");
        properties.setProperty(DxnetDb.GETS, gets.toString());
        db.setProperties(properties);
        other.setProperties(properties);
        Publication publication = gets == Gets.MEMORY ? new Publication(100, 100) : null;
        try (StoreNode zero = new StoreNode(config, NodeMap.load(0, map), publication);
                StoreNode one = new StoreNode(config, NodeMap.load(1, map), publication)) {
            assertThat(List.of(zero.describe(), one.describe())).allMatch(text -> text.contains("nio"));
            db.init();
            other.init();
            for (int i = 0; i < 20; i++) {
                assertThat(db.insert(TABLE, "key" + i, values("a", "1", "b", "" + i)))
                        .isEqualTo(Status.OK);
            }
            for (int i = 0; i < 20; i++) {
                Map<String, ByteIterator> result = new HashMap<>();
                assertThat(other.read(TABLE, "key" + i, Set.of("b"), result)).isEqualTo(Status.OK);
                assertThat(result).containsOnlyKeys("b");
                assertThat(result.get("b").toString()).isEqualTo("" + i);
            }
            assertThat(db.update(TABLE, "key7", values("a", "2"))).isEqualTo(Status.OK);
            Map<String, ByteIterator> result = new HashMap<>();
            assertThat(db.read(TABLE, "key7", null, result)).isEqualTo(Status.OK);
            assertThat(result.get("a").toString()).isEqualTo("2");
            assertThat(result.get("b").toString()).isEqualTo("7");
            assertThat(db.delete(TABLE, "key7")).isEqualTo(Status.OK);
            assertThat(db.delete(TABLE, "key7")).isEqualTo(Status.NOT_FOUND);
            assertThat(db.read(TABLE, "key7", null, result)).isEqualTo(Status.NOT_FOUND);
            assertThat(db.read("u", "key8", null, result)).isEqualTo(Status.NOT_FOUND);
            assertThat(db.update(TABLE, "key7", values("a", "2"))).isEqualTo(Status.NOT_FOUND);
            assertThat(db.scan(TABLE, "key1", 2, null, new Vector<>())).isEqualTo(Status.NOT_IMPLEMENTED);
            db.cleanup();
            other.cleanup();
        }
    }

    @Test
    void shouldSayWhatPropertiesItNeeds() {
        assertThatThrownBy(new DxnetDb()::init).isInstanceOf(DBException.class).hasMessageContaining(DxnetDb.NODES);
    }

    /** The check must find wrong values, or {@code --verify} would prove nothing. */
    @Test
    void shouldFindWhatWasNeverWritten() throws IOException, WorkloadException, DBException {
        Properties properties = new Properties();
        properties.setProperty("recordcount", "10");
        properties.setProperty("fieldcount", "1");
        properties.setProperty("dataintegrity", "true");
        Measurements.setProperties(properties);
        Verification before = Verification.soFar();
        CoreWorkload workload = new CoreWorkload();
        workload.init(properties);
        Path map = directory.resolve("nodes.properties");
        NodeMaps.write(map, 2);
        DXNetConfig config =
                DXNetConfig.builder().transport("loopback").clusterName("wrong").build();
        try (StoreNode node = new StoreNode(config, NodeMap.load(0, map));
                StoreClient client = new StoreClient(config, NodeMap.load(1, map), 1, List.of(Gets.MESSAGES))) {
            assertThat(node.describe()).contains("loopback");
            DxnetDb db = new DxnetDb(client, Gets.MESSAGES);
            for (int i = 0; i < 10; i++) {
                workload.doInsert(db, null);
            }
            for (int i = 0; i < 20; i++) {
                workload.doTransactionRead(db);
            }
            assertThat(Verification.soFar().since(before)).isEqualTo(new Verification(20, 0));
            for (int i = 0; i < 10; i++) {
                String key = "user" + site.ycsb.Utils.hash(i);
                assertThat(db.update("usertable", key, values("field0", "something else")))
                        .isEqualTo(Status.OK);
            }
            workload.doTransactionRead(db);
            assertThat(Verification.soFar().since(before)).isEqualTo(new Verification(20, 1));
        }
    }
}
