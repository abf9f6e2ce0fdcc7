package io.dxnet.runtime.connect;

import io.dxnet.runtime.peer.PeerConnection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * The last steps of a schedule of healthy nodes: nothing is sent any more, some directions are
 * still being opened, and each node disconnects each other one. No connection may be left.
 */
final class SimParting {
    /** After so many, each send has ended: its time is limited. */
    private static final int ROUNDS_MAX = 5000;

    private static final int STEPS_BEFORE = 32;
    private static final int STEPS_BETWEEN = 16;

    /** One node disconnects another one. */
    private record Disconnecting(int from, int to) {}

    private final SimWorld world;
    private boolean begun;
    private int openingsUnderWay;

    SimParting(SimWorld world) {
        this.world = world;
    }

    /** Whether the applications send nothing any more. */
    boolean hasBegun() {
        return begun;
    }

    /** {@return between how many pairs a direction was being opened when both had disconnected} */
    int openingsUnderWay() {
        return openingsUnderWay;
    }

    void part() {
        begun = true;
        for (int i = 0; i < ROUNDS_MAX && world.violation == null && isSending(); i++) {
            world.round();
        }
        for (int id = 0; id < SimWorld.NODES; id++) {
            reconnect(world.current(id));
        }
        List<Disconnecting> left = inAnyOrder();
        while (!left.isEmpty()) {
            Disconnecting next = left.removeLast();
            world.current(next.from).disconnect(next.to);
            if (!left.contains(new Disconnecting(next.to, next.from)) && world.isOpening(next.from, next.to)) {
                openingsUnderWay++;
            }
            steps(STEPS_BETWEEN);
        }
    }

    /** Some connections end, and some directions are opened without a message. */
    private void reconnect(SimNode node) {
        int other = node.otherNode();
        if (world.random.nextBoolean()) {
            node.disconnect(other);
            steps(STEPS_BEFORE);
        }
        if (world.random.nextBoolean()) {
            node.connect(other);
            steps(STEPS_BETWEEN);
        }
    }

    private boolean isSending() {
        return world.runs.stream().anyMatch(SimNode::isSending);
    }

    private void steps(int most) {
        for (int i = world.random.nextInt(most); i > 0; i--) {
            world.step(false);
        }
    }

    private List<Disconnecting> inAnyOrder() {
        List<Disconnecting> all = new ArrayList<>();
        for (int from = 0; from < SimWorld.NODES; from++) {
            for (int to = 0; to < SimWorld.NODES; to++) {
                if (from != to) {
                    all.add(new Disconnecting(from, to));
                }
            }
        }
        Collections.shuffle(all, new Random(world.random.nextLong()));
        return all;
    }

    /**
     * Nothing has moved for more than a second: no connection is left at either end.
     *
     * @param isSlow whether an end may still wait for a message handler
     */
    void check(boolean isSlow) {
        for (SimNode node : world.runs) {
            List<PeerConnection> left = new ArrayList<>();
            node.connections.forEach(left::add);
            for (PeerConnection connection : left) {
                if (!isSlow || connection.isOpen()) {
                    world.violated("a connection is left though both nodes have disconnected: " + node + " to node "
                            + connection.nodeId() + ": " + connection.life());
                }
            }
        }
    }
}
