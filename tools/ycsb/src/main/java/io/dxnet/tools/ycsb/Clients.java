package io.dxnet.tools.ycsb;

import io.dxnet.tools.cli.ToolException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import site.ycsb.ClientThread;
import site.ycsb.WorkloadException;
import site.ycsb.measurements.Measurements;
import site.ycsb.workloads.CoreWorkload;

/** Runs YCSB's core workload with YCSB's client threads on the store. Used by one thread. */
final class Clients {
    private static final Duration LOAD_PATIENCE = Duration.ofMinutes(30);
    private static final long END_SECONDS = 30;
    private static final long TICK_NS = 50_000_000;

    private final YcsbOptions options;
    private final StoreCluster cluster;
    private final Properties properties = new Properties();

    Clients(YcsbOptions options, StoreCluster cluster) {
        this.options = options;
        this.cluster = cluster;
        property("recordcount", options.records);
        property("fieldcount", 1);
        property("fieldlength", options.size);
        property("readproportion", options.reads / 100.0);
        property("updateproportion", 1 - options.reads / 100.0);
        property("scanproportion", 0);
        property("insertproportion", 0);
        property("operationcount", 0); // zipfian reads it; threads get their own number
        property("requestdistribution", options.distribution);
        property("dataintegrity", options.verify);
        property("table", "t");
        Measurements.setProperties(properties);
    }

    private void property(String name, Object value) {
        properties.setProperty(name, value.toString());
    }

    /** Puts all records into the store; returns the time, seconds. */
    double load(int threads) {
        long begin = System.nanoTime();
        Group group = new Group(threads, Gets.MESSAGES, false, new Window());
        group.start();
        group.await(LOAD_PATIENCE);
        return (System.nanoTime() - begin) / 1e9;
    }

    /** Measures so many threads. */
    PointResult measure(int threads, Gets gets) throws IOException {
        Verification before = Verification.soFar();
        GetCounts countsBefore = cluster.counts();
        Window window = new Window();
        Group group = new Group(threads, gets, true, window);
        group.start();
        try {
            sleep(options.warmup);
            for (int run = 0; run < options.runs; run++) {
                window.open();
                sleep(options.seconds);
                window.close();
            }
        } finally {
            group.workload.requestStop();
        }
        group.await(Duration.ofSeconds(END_SECONDS));
        return new PointResult(
                threads,
                group.nodes,
                GetPath.of(gets, group.clients),
                window.runs(),
                Verification.soFar().since(before),
                cluster.counts().since(countsBefore));
    }

    private void sleep(double seconds) {
        long deadline = System.nanoTime() + (long) (seconds * 1e9);
        for (long left = deadline - System.nanoTime(); left > 0; left = deadline - System.nanoTime()) {
            cluster.check();
            LockSupport.parkNanos(Math.min(left, TICK_NS));
        }
    }

    /** Client threads that run at the same time. */
    private final class Group {
        private final CoreWorkload workload = new CoreWorkload();
        private final CountDownLatch ended;
        private final int threads;
        private final int nodes;
        private final Gets gets;
        private final boolean transactions;
        private final Window window;
        private final List<StoreClient> clients;

        Group(int threads, Gets gets, boolean transactions, Window window) {
            this.threads = threads;
            this.gets = gets;
            this.transactions = transactions;
            this.window = window;
            this.ended = new CountDownLatch(threads);
            clients = cluster.clients((threads + options.threadsPerClient - 1) / options.threadsPerClient);
            nodes = clients.size();
            try {
                workload.init(properties);
            } catch (WorkloadException e) {
                throw new ToolException("YCSB's workload: " + e.getMessage(), e);
            }
        }

        void start() {
            for (int i = 0; i < threads; i++) {
                MeasuredDb db = new MeasuredDb(new DxnetDb(clients.get(i % nodes), gets), window);
                ClientThread client = new ClientThread(db, transactions, workload, properties, operations(i), 0, ended);
                client.setThreadId(i);
                client.setThreadCount(threads);
                Thread.ofPlatform().name("ycsb-client-" + i).daemon().start(client);
            }
        }

        /** A thread's share of the records to load; 0: it runs until the workload is stopped. */
        private int operations(int thread) {
            return transactions ? 0 : options.records / threads + (thread < options.records % threads ? 1 : 0);
        }

        void await(Duration patience) {
            long deadline = System.nanoTime() + patience.toNanos();
            try {
                while (!ended.await(TICK_NS, TimeUnit.NANOSECONDS)) {
                    cluster.check();
                    if (System.nanoTime() > deadline) {
                        throw new ToolException(ended.getCount() + " of " + threads + " client threads did not end in "
                                + patience.toSeconds() + " s");
                    }
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new ToolException("interrupted", e);
            }
        }
    }
}
