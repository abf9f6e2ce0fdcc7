package io.dxnet.softhca.roce;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Random;

/**
 * Two ends of a connection on a network that loses, delays, overtakes and duplicates packets, all
 * from one seed. {@link #run} fails unless every request was executed once and in order, or its
 * failure was reported. {@code main FIRST COUNT} runs many seeds.
 */
final class ProtocolSimulation {
    private static final int STEPS_MAX = 200_000;
    private static final int LENGTH_MAX = 3000;
    private static final int ROOM = 8192;
    private static final long TIMEOUT_NS = 500_000;

    private record Flying(long timeNs, long order, int to, byte[] bytes) {}

    private final Random random;
    private final long seed;
    private final SimulatedEnd[] ends = new SimulatedEnd[2];
    private final RequesterMachine[] requesters = new RequesterMachine[2];
    private final ResponderMachine[] responders = new ResponderMachine[2];
    private final PriorityQueue<Flying> network =
            new PriorityQueue<>(Comparator.comparingLong(Flying::timeNs).thenComparingLong(Flying::order));
    private final Packet arrived = new Packet();
    private final double loss;
    private final double duplication;
    private final long jitterNs;
    private final long cutNs;
    private final int mtu;
    private long nowNs;
    private long order;

    ProtocolSimulation(long seed) {
        this.seed = seed;
        random = new Random(seed);
        loss = new double[] {0, 0.01, 0.05, 0.2}[random.nextInt(4)];
        duplication = new double[] {0, 0.02, 0.2}[random.nextInt(3)];
        jitterNs = new long[] {1, 20_000, 200_000}[random.nextInt(3)];
        cutNs = random.nextInt(10) == 0 ? random.nextInt(2_000_000) : Long.MAX_VALUE;
        mtu = random.nextBoolean() ? 256 : 1024;
        int[] psn = {random.nextInt(1 << 24), random.nextBoolean() ? Psn.MASK : random.nextInt(1 << 24)};
        int maxReads = 1 + random.nextInt(4);
        int windowBytes = (16 + random.nextInt(2) * 1008) << 10;
        for (int i = 0; i < 2; i++) {
            int to = 1 - i;
            ends[i] = new SimulatedEnd(ROOM);
            requesters[i] = new RequesterMachine(
                    ends[i],
                    packet -> send(to, packet),
                    new RequesterSettings(17 + to, mtu, psn[i], maxReads, windowBytes, TIMEOUT_NS, 7, 7),
                    0);
            responders[i] = new ResponderMachine(
                    ends[i], packet -> send(to, packet), new ResponderSettings(17 + to, mtu, psn[to], maxReads));
            for (int n = random.nextInt(i == 0 ? 40 : 10) + 1 - i; n > 0; n--) {
                ends[i].add(random, mtu, LENGTH_MAX);
            }
        }
    }

    private void send(int to, Packet packet) {
        if (nowNs >= cutNs || random.nextDouble() < loss) {
            return;
        }
        byte[] bytes = new byte[packet.length()];
        packet.bytes().get(0, bytes);
        do {
            long delay = 5_000 + (jitterNs == 1 ? 0 : random.nextLong(jitterNs));
            network.add(new Flying(nowNs + delay, order++, to, bytes));
        } while (random.nextDouble() < duplication);
    }

    void run() {
        for (int i = 0; i < 2; i++) {
            requesters[i].advance(nowNs);
        }
        int steps = 0;
        while (step()) {
            if (++steps > STEPS_MAX) {
                throw new AssertionError("seed " + seed + ": no end");
            }
        }
        for (int i = 0; i < 2; i++) {
            verify(ends[i], ends[1 - i]);
        }
    }

    private boolean step() {
        long due = Math.min(requesters[0].dueNs(), requesters[1].dueNs());
        Flying next = network.peek();
        if (next == null && due == RequesterMachine.NEVER) {
            return false;
        }
        // Receives are posted slowly, so that a sender often finds none.
        for (SimulatedEnd end : ends) {
            if (end.receives < 4 && random.nextInt(3) == 0) {
                end.receives++;
            }
        }
        if (next == null || due < next.timeNs()) {
            nowNs = Math.max(nowNs, due);
            requesters[0].onTime(nowNs);
            requesters[1].onTime(nowNs);
            return true;
        }
        network.poll();
        nowNs = Math.max(nowNs, next.timeNs());
        deliver(next);
        return true;
    }

    private void deliver(Flying flying) {
        ByteBuffer bytes = arrived.bytes();
        bytes.put(0, flying.bytes());
        if (!arrived.parse(flying.bytes().length + Packet.CHECK_BYTES)) {
            throw new AssertionError("seed " + seed + ": not a packet");
        }
        if (Opcode.isResponse(arrived.opcode())) {
            requesters[flying.to()].receive(arrived, nowNs);
        } else {
            responders[flying.to()].receive(arrived);
        }
        // An acknowledgement leaves behind packets of the other half.
        if (random.nextInt(4) == 0) {
            responders[flying.to()].acknowledge(packet -> send(1 - flying.to(), packet));
        }
        // Acknowledgements are sent for several packets at a time.
        if (random.nextInt(3) != 0 || network.isEmpty()) {
            for (ResponderMachine responder : responders) {
                while (responder.answer(random.nextInt(8) + 1)) {
                    // Until nothing is left.
                }
            }
        }
    }

    private void verify(SimulatedEnd sender, SimulatedEnd receiver) {
        int done = sender.completed.size();
        require(loss > 0 || cutNs != Long.MAX_VALUE || !sender.broken, "a failure although no packet was lost");
        if (!sender.broken && done != sender.works.size()) {
            throw new AssertionError("seed " + seed + ": " + done + " of " + sender.works.size() + " completed");
        }
        if (sender.broken && sender.completed.getLast() != RequestStatus.RETRIES_EXCEEDED) {
            throw new AssertionError("seed " + seed + ": " + sender.completed.getLast());
        }
        int messages = 0;
        long found = -1;
        byte[] memory = new byte[receiver.memory.length];
        for (int i = 0; i < sender.works.size(); i++) {
            SimulatedEnd.Work work = sender.works.get(i);
            boolean isComplete = i < done && sender.completed.get(i) == RequestStatus.SUCCESS;
            Request request = work.request;
            if (request.kind.isSend() || request.kind.isImmediate()) {
                if (messages == receiver.received.size()) {
                    require(!isComplete, "a message is complete and did not arrive");
                } else {
                    verifyMessage(work, receiver.received.get(messages++));
                }
            }
            if (isComplete && request.kind == RequestKind.READ) {
                for (int at = 0; at < work.bytes.length; at++) {
                    require(work.bytes[at] == SimulatedEnd.pattern(at), "a read brought wrong bytes");
                }
            }
            if (request.kind == RequestKind.LOCAL) {
                require(work.result == (isComplete ? 1 : 0), "a local request was executed twice or not");
            }
            if (isComplete && request.kind.isAtomic()) {
                require(work.result == ++found, "an atomic operation was executed twice or not");
            }
            if (request.kind == RequestKind.WRITE || request.kind == RequestKind.WRITE_IMMEDIATE) {
                System.arraycopy(work.bytes, 0, memory, (int) request.remoteAddress, work.bytes.length);
            }
        }
        require(messages == receiver.received.size(), "more messages than sent");
        if (!sender.broken) {
            require(receiver.counter == found + 1, "more atomic operations than requested");
            require(Arrays.equals(memory, receiver.memory), "the memory differs");
        }
    }

    private void verifyMessage(SimulatedEnd.Work work, SimulatedEnd.Message message) {
        Request request = work.request;
        require(message.isSend() == request.kind.isSend(), "a message of another kind");
        require(message.bytes().length == request.length, "a message of another length");
        require(
                message.immediate() == (request.kind.isImmediate() ? request.immediate : -1),
                "other immediate data: messages are lost, doubled or out of order");
        require(
                message.invalidated() == (request.kind == RequestKind.SEND_INVALIDATE ? request.invalidateKey : -1),
                "another key is invalidated");
        require(!message.isSend() || Arrays.equals(message.bytes(), work.bytes), "other bytes");
    }

    private void require(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError("seed " + seed + ": " + what);
        }
    }

    public static void main(String[] arguments) {
        long first = Long.parseLong(arguments[0]);
        long count = Long.parseLong(arguments[1]);
        int failed = 0;
        for (long seed = first; seed < first + count; seed++) {
            ProtocolSimulation simulation = new ProtocolSimulation(seed);
            simulation.run();
            failed += simulation.ends[0].broken || simulation.ends[1].broken ? 1 : 0;
        }
        System.out.printf(
                "%d schedules: every request executed once and in order, or its failure reported (%d with a failure)%n",
                count, failed);
    }
}
