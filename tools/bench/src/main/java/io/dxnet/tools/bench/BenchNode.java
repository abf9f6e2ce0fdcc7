package io.dxnet.tools.bench;

import io.dxnet.ConnectionListener;
import io.dxnet.DXNet;
import io.dxnet.DXNetConfig;
import io.dxnet.DXNetException;
import io.dxnet.Disconnect;
import io.dxnet.MessageTypeOption;
import io.dxnet.NodeMap;
import java.lang.management.ManagementFactory;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** A node of the benchmark: executes the commands of the coordinator, one after the other. */
final class BenchNode implements AutoCloseable {
    /** Receives the notes to the coordinator where the coordinator is this node. */
    interface NoteListener {
        void onNote(int source, Note.Kind kind, int round, long[] values);
    }

    private final DXNet net;
    private final Errors errors;
    private final Tally tally = new Tally();
    private final ExecutorService control;
    /** Opened when all types are registered. */
    private final CountDownLatch ready = new CountDownLatch(1);

    private final CountDownLatch stop = new CountDownLatch(1);

    /**
     * Receives the notes to the coordinator; set before the
     * first command where this node is the coordinator.
     */
    private volatile NoteListener listener;

    private volatile int coordinator = -1;
    private volatile boolean coordinatorLost;
    private volatile Round round;
    /** Set by the control thread. */
    private volatile OwnedMemory owned;
    /** What {@link #tally} was when the round was prepared. */
    private volatile long tallyBefore;
    /** Written by the control thread at the start, by the round's thread at the end. */
    private volatile long allocatedBefore;

    private volatile long allocated;
    /** Written by the control thread at the start. */
    private volatile long cpuBefore;
    /** Written by the round's thread at the end. */
    private volatile long cpuNanos;

    private volatile long ageNs;

    private BenchNode(DXNet net, Errors errors) {
        this.net = net;
        this.errors = errors;
        this.control = Executors.newSingleThreadExecutor(Thread.ofPlatform()
                .name("bench-" + net.nodeId() + "-control")
                .daemon()
                .factory());
        registerControl();
        registerMessages();
        registerCallbacks();
        net.addConnectionListener(new ConnectionListener() {
            @Override
            public void connected(int nodeId) {
                if (nodeId == coordinator) {
                    coordinatorLost = false;
                }
            }

            @Override
            public void disconnected(int nodeId, Disconnect cause) {
                if (nodeId == coordinator) {
                    coordinatorLost = true;
                }
            }
        });
        ready.countDown();
    }

    /** Starts a node; all types are registered before it listens. */
    static BenchNode start(DXNetConfig config, NodeMap map, Errors errors) {
        AtomicReference<BenchNode> node = new AtomicReference<>();
        DXNet.builder(map)
                .config(config.toBuilder().errorHandler(errors).build())
                .registering(net -> node.set(new BenchNode(net, errors)))
                .on(Sample.STREAM, (sample, from) -> node.getPlain().tally.increment())
                .answer(Sample.ECHO, (sample, from) -> {
                    node.getPlain().tally.increment();
                    return sample;
                })
                .start();
        return node.get();
    }

    private void registerControl() {
        net.registerMessageType(Types.CONTROL, Command.SUBTYPE, Command::new);
        net.registerMessageType(Types.CONTROL, Answer.SUBTYPE, Answer::new);
        net.registerMessageType(Types.CONTROL, Note.SUBTYPE, Note::new);
        net.register(Types.CONTROL, Command.SUBTYPE, (Command command) -> execute(command));
        net.register(Types.CONTROL, Note.SUBTYPE, this::onNote);
    }

    private void registerMessages() {
        net.registerMessageType(Types.STREAM, Types.FRESH, StreamMessage::new);
        net.registerMessageType(Types.STREAM, Types.REUSED, StreamMessage::new, MessageTypeOption.REUSABLE);
        for (int thread = 0; thread < Types.VERIFIED_THREADS_MAX; thread++) {
            net.registerMessageType(Types.VERIFIED, thread, VerifiedMessage::new, MessageTypeOption.EXCLUSIVE);
            net.registerMessageType(Types.VERIFIED_REQUEST, thread, VerifiedRequest::new, MessageTypeOption.EXCLUSIVE);
        }
        net.registerMessageType(Types.VERIFIED_RESPONSE, 0, VerifiedResponse::new);
        net.registerMessageType(Types.ECHO_REQUEST, 0, EchoRequest::new);
        net.registerMessageType(Types.ECHO_RESPONSE, 0, EchoResponse::new);
    }

    private void registerCallbacks() {
        net.register(Types.STREAM, Types.FRESH, (StreamMessage message) -> tally.increment());
        net.register(Types.STREAM, Types.REUSED, (StreamMessage message) -> tally.increment());
        for (int thread = 0; thread < Types.VERIFIED_THREADS_MAX; thread++) {
            net.register(Types.VERIFIED, thread, this::onVerified);
            net.register(Types.VERIFIED_REQUEST, thread, this::onVerifiedRequest);
        }
        net.register(Types.ECHO_REQUEST, 0, (EchoRequest request) -> {
            net.sendMessage(new EchoResponse(request));
            tally.increment();
        });
    }

    private void onVerified(VerifiedMessage m) {
        Round current = round;
        if (current != null) {
            current.onVerified(m.source(), m.subtype(), m.size(), m.sequence(), m.key(), m.intact());
        }
        tally.increment();
    }

    private void onVerifiedRequest(VerifiedRequest r) throws DXNetException {
        Round current = round;
        if (current != null) {
            current.onVerified(r.source(), r.subtype(), r.size(), r.sequence(), r.key(), r.intact());
        }
        net.sendMessage(new VerifiedResponse(r));
        tally.increment();
    }

    private void onNote(Note note) {
        if (note.kind() == Note.Kind.SENT) {
            Round current = round;
            if (current != null && current.spec().number() == note.round()) {
                current.announced(note.source(), note.values());
            }
            return;
        }
        NoteListener to = listener;
        if (to != null) {
            to.onNote(note.source(), note.kind(), note.round(), note.values());
        }
    }

    /**
     * Commands run on a thread of their own: they wait for
     * connections and threads, which a handler must not.
     */
    private void execute(Command command) {
        coordinator = command.source();
        try {
            control.execute(() -> {
                if (!awaitReady()) {
                    return;
                }
                send(new Answer(command, handle(command.kind(), command.values())));
                if (command.kind() == Command.Kind.STOP) {
                    stop.countDown();
                }
            });
        } catch (RejectedExecutionException e) {
            errors.add("node " + net.nodeId() + " got " + command.kind() + " while it was closing");
        }
    }

    private boolean awaitReady() {
        try {
            ready.await();
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Executes a command. Called by the control thread, or by the coordinator of this process. */
    Reply handle(Command.Kind kind, long[] values) {
        try {
            return switch (kind) {
                case JOIN -> Reply.done(describe(), Heap.PROCESS);
                case SHARE -> share(RoundSpec.decode(values));
                case PREPARE -> prepare(RoundSpec.decode(values));
                case START -> start();
                case COLLECT -> collect();
                case STOP -> Reply.done();
            };
        } catch (DXNetException | RuntimeException e) {
            return Reply.failed("node " + net.nodeId() + " can't " + kind + ": " + e);
        }
    }

    private Reply share(RoundSpec spec) throws DXNetException {
        owned = OwnedMemory.share(net, spec, this::onNotified);
        return Reply.done();
    }

    private void onNotified(int from, long offset, long length, int value) {
        Round current = round;
        if (current != null) {
            current.onNotified(from, offset, length, value);
        }
        tally.increment();
    }

    private Reply prepare(RoundSpec spec) throws DXNetException {
        Round next = new Round(net, spec, AttachedMemory.attach(net, spec), errors);
        for (int destination : next.destinations()) {
            net.connectNode(spec.ids()[destination]);
        }
        tallyBefore = tally.sum();
        round = next;
        next.startThreads();
        Thread.ofPlatform()
                .name("bench-" + net.nodeId() + "-round")
                .daemon()
                .start(new RoundThread(this, next, this::received));
        // Read here, not at START: other nodes may get that
        // command first, and send before this node gets it.
        allocatedBefore = Heap.allocatedBytes();
        cpuBefore = ProcessorTime.nanos();
        return Reply.done();
    }

    private Reply start() {
        ageNs = TimeUnit.MILLISECONDS.toNanos(
                ManagementFactory.getRuntimeMXBean().getUptime());
        round.start();
        return Reply.done();
    }

    private Reply collect() {
        Round ended = round;
        ended.stop();
        Access access = ended.memory().access();
        long received = received();
        closeMemory();
        long messages = ended.spec().pattern().isCountedBySenders() ? ended.sent() : received;
        return new NodeResult(
                        messages,
                        ended.faults(received),
                        allocated,
                        cpuNanos,
                        ageNs,
                        Heap.PROCESS,
                        access,
                        errors.count(),
                        errors.first(),
                        ended.histogram(),
                        ended.timeline().encode())
                .encode();
    }

    private long received() {
        return tally.sum() - tallyBefore;
    }

    /** Called by the round's thread. */
    void roundEnded(Round ended) {
        allocated = Heap.allocatedBytes() - allocatedBefore;
        cpuNanos = ProcessorTime.nanos() - cpuBefore;
        toCoordinator(Note.Kind.DONE, ended.spec().number());
    }

    /** Sends a note to the coordinator, which may be in this process. */
    void toCoordinator(Note.Kind kind, int roundNumber, long... values) {
        NoteListener local = listener;
        if (local != null) {
            local.onNote(net.nodeId(), kind, roundNumber, values);
        } else {
            send(new Note(coordinator, kind, roundNumber, values));
        }
    }

    /** Sends a message; a failure is added to {@link #errors}. */
    void send(io.dxnet.Message message) {
        try {
            net.sendMessage(message);
        } catch (DXNetException | RuntimeException e) {
            errors.onError(
                    "node " + net.nodeId() + " cannot send an answer or a note to node " + message.destination(), e);
        }
    }

    void setListener(NoteListener listener) {
        this.listener = listener;
    }

    DXNet net() {
        return net;
    }

    /** This process and its DXNet, in words. */
    String describe() {
        return "pid " + ProcessHandle.current().pid() + ": " + net.describe();
    }

    Errors errors() {
        return errors;
    }

    /** Waits for {@link Command.Kind#STOP}; returns whether it came within {@code ns}. */
    boolean awaitStop(long ns) throws InterruptedException {
        return stop.await(ns, TimeUnit.NANOSECONDS);
    }

    /** Whether a coordinator has sent a command to this node. */
    boolean joined() {
        return coordinator >= 0;
    }

    /** Whether the connection to the coordinator has ended. */
    boolean coordinatorLost() {
        return coordinatorLost;
    }

    private void closeMemory() {
        Round last = round;
        if (last != null) {
            last.memory().close();
        }
        OwnedMemory shared = owned;
        if (shared != null) {
            shared.close();
        }
    }

    @Override
    public void close() {
        Round last = round;
        if (last != null) {
            last.stop();
        }
        closeMemory();
        net.close();
        control.shutdownNow();
    }
}
