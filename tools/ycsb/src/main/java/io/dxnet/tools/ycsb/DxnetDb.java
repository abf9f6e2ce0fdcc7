package io.dxnet.tools.ycsb;

import io.dxnet.DXNetConfig;
import io.dxnet.DXNetException;
import io.dxnet.NodeMap;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.Vector;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * The binding of the store to YCSB: an object for each client thread, all of a process on one
 * client node. With YCSB's own client, the properties {@value #NODES}, {@value #NODE} and
 * {@value #SERVERS} specify where the store is.
 */
public final class DxnetDb extends DB {
    /** A file with a line {@code id=host:port} for each node, storage nodes first. */
    public static final String NODES = "dxnet.nodes";

    /** The id of this client node, from the file. */
    public static final String NODE = "dxnet.node";

    /** The number of storage nodes, which have the ids from 0 on; default 1. */
    public static final String SERVERS = "dxnet.servers";

    private static final Object LOCK = new Object();
    /** The client node that objects made by YCSB share. Guarded by {@link #LOCK}, as the next. */
    private static StoreClient shared;

    private static int users;

    private final boolean own;
    private StoreClient client;

    /** For YCSB's client, which calls {@link #init} next. */
    public DxnetDb() {
        own = false;
    }

    /** Uses a client node that its caller closes. */
    DxnetDb(StoreClient client) {
        this.own = true;
        this.client = client;
    }

    @Override
    public void init() throws DBException {
        if (own) {
            return;
        }
        synchronized (LOCK) {
            if (shared == null) {
                shared = connect(getProperties());
            }
            users++;
            client = shared;
        }
    }

    private static StoreClient connect(Properties properties) throws DBException {
        String nodes = properties.getProperty(NODES);
        String node = properties.getProperty(NODE);
        if (nodes == null || node == null) {
            throw new DBException("the properties " + NODES + " (a file) and " + NODE + " (an id) must be given");
        }
        try {
            NodeMap map = NodeMap.load(Integer.parseInt(node), Path.of(nodes));
            int servers = Integer.parseInt(properties.getProperty(SERVERS, "1"));
            StoreClient client =
                    new StoreClient(DXNetConfig.builder().systemProperties().build(), map, servers);
            client.connect();
            return client;
        } catch (DXNetException | RuntimeException e) {
            throw new DBException("can't reach the store: " + e.getMessage(), e);
        }
    }

    @Override
    public void cleanup() {
        if (own) {
            return;
        }
        synchronized (LOCK) {
            if (--users == 0) {
                shared.close();
                shared = null;
            }
        }
    }

    @Override
    public Status read(String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
        try {
            Outcome outcome = client.read(name(table, key));
            if (!outcome.found()) {
                return Status.NOT_FOUND;
            }
            Row.decode(outcome.row(), fields, result);
            return Status.OK;
        } catch (DXNetException e) {
            return Status.ERROR;
        }
    }

    /** Not offered: the store hashes its keys, so they have no order. */
    @Override
    public Status scan(
            String table,
            String startKey,
            int count,
            Set<String> fields,
            Vector<HashMap<String, ByteIterator>> result) {
        return Status.NOT_IMPLEMENTED;
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
        try {
            return client.update(name(table, key), Row.encode(values)).found() ? Status.OK : Status.NOT_FOUND;
        } catch (DXNetException e) {
            return Status.ERROR;
        }
    }

    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
        try {
            client.insert(name(table, key), Row.encode(values));
            return Status.OK;
        } catch (DXNetException e) {
            return Status.ERROR;
        }
    }

    @Override
    public Status delete(String table, String key) {
        try {
            return client.delete(name(table, key)).found() ? Status.OK : Status.NOT_FOUND;
        } catch (DXNetException e) {
            return Status.ERROR;
        }
    }

    /** Keys of different tables are different. */
    private static String name(String table, String key) {
        return table + '/' + key;
    }
}
