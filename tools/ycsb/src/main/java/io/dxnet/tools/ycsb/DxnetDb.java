package io.dxnet.tools.ycsb;

import io.dxnet.DXNetConfig;
import io.dxnet.DXNetException;
import io.dxnet.NodeMap;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
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
 * client node. With YCSB's own client, the properties {@value #NODES}, {@value #NODE},
 * {@value #SERVERS} and {@value #GETS} specify where the store is and how it is read.
 */
public final class DxnetDb extends DB {
    /** A file with a line {@code id=host:port} for each node, storage nodes first. */
    public static final String NODES = "dxnet.nodes";

    /** The id of this client node, from the file. */
    public static final String NODE = "dxnet.node";

    /** The number of storage nodes, which have the ids from 0 on; default 1. */
    public static final String SERVERS = "dxnet.servers";

    /** How records are read: {@code messages}, the default, or {@code memory}. */
    public static final String GETS = "dxnet.gets";

    private static final Object LOCK = new Object();
    /** The client node that objects made by YCSB share. Guarded by {@link #LOCK}, as the next. */
    private static StoreClient shared;

    private static int users;

    private final boolean own;
    private StoreClient client;
    private Gets gets;

    /** For YCSB's client, which calls {@link #init} next. */
    public DxnetDb() {
        own = false;
    }

    /** Uses a client node that its caller closes. */
    DxnetDb(StoreClient client, Gets gets) {
        this.own = true;
        this.client = client;
        this.gets = gets;
    }

    @Override
    public void init() throws DBException {
        if (own) {
            return;
        }
        gets = gets(getProperties());
        synchronized (LOCK) {
            if (shared == null) {
                shared = connect(getProperties(), gets);
            }
            users++;
            client = shared;
        }
    }

    private static Gets gets(Properties properties) throws DBException {
        String text = properties.getProperty(GETS, Gets.MESSAGES.toString());
        try {
            List<Gets> all = Gets.parse(text);
            if (all.size() == 1) {
                return all.getFirst();
            }
        } catch (IllegalArgumentException e) {
            throw new DBException("the property " + GETS + ": " + e.getMessage(), e);
        }
        throw new DBException("the property " + GETS + " has one value, not '" + text + "'");
    }

    private static StoreClient connect(Properties properties, Gets gets) throws DBException {
        String nodes = properties.getProperty(NODES);
        String node = properties.getProperty(NODE);
        if (nodes == null || node == null) {
            throw new DBException("the properties " + NODES + " (a file) and " + NODE + " (an id) must be given");
        }
        try {
            NodeMap map = NodeMap.load(Integer.parseInt(node), Path.of(nodes));
            int servers = Integer.parseInt(properties.getProperty(SERVERS, "1"));
            StoreClient client =
                    new StoreClient(DXNetConfig.builder().systemProperties().build(), map, servers, List.of(gets));
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
            byte[] row = client.read(name(table, key), gets);
            if (row == null) {
                return Status.NOT_FOUND;
            }
            Row.decode(row, fields, result);
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
