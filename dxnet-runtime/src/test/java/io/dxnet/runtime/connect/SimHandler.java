package io.dxnet.runtime.connect;

import io.dxnet.DXNetException;
import io.dxnet.NetClosedException;
import io.dxnet.runtime.request.PendingRequest;
import java.util.ArrayDeque;
import java.util.SplittableRandom;

/**
 * A message handler: handles one message after the other. A callback may end the connection of its
 * message, send messages and requests, and wait for their responses; meanwhile the handler ends
 * requests and handles nothing, as the engine's.
 */
final class SimHandler {
    /** Callbacks that lead to callbacks: from there on they only respond. */
    private static final int DEPTH_MAX = 2;

    private enum Action {
        DISCONNECT,
        MESSAGE,
        REQUEST,
        RESPOND
    }

    private final SimNode node;
    private final int thread;
    private final ArrayDeque<Action> actions = new ArrayDeque<>(4); // of the callback
    private SimNode.Delivery delivery; // null: no callback runs
    private long beganNs; // of the callback
    private long restsUntilNs; // the callback does nothing before
    private SimSend send; // null: the callback sends nothing now
    private SimMessage asked; // null: the callback waits for no response

    SimHandler(SimNode node, int thread) {
        this.node = node;
        this.thread = thread;
    }

    boolean isIdle() {
        return delivery == null;
    }

    /** Whether a callback sends anything but a response. */
    boolean isSending() {
        return send != null && !send.isResponse();
    }

    /** Continues as far as without waiting; false where nothing happened. */
    boolean turn() {
        if (node.endRequest()) {
            return true;
        }
        if (delivery == null) {
            delivery = node.nextDelivery();
            if (delivery == null) {
                return false;
            }
            begin();
        }
        if (node.world.now < restsUntilNs) {
            return false;
        }
        return isWaiting() ? step() : end();
    }

    /** {@return the memory of the message that the callback handles} */
    int bytesInUse() {
        return delivery == null ? 0 : delivery.message().bytes;
    }

    private void begin() {
        beganNs = node.world.now;
        SimMessage message = delivery.message();
        node.handling(message);
        restsUntilNs = beganNs + node.world.restNs();
        if (node.world.requestTimeoutNs > 0 && message.depth < DEPTH_MAX) {
            plan(node.world.random);
        }
        if (message.request != null) {
            actions.add(Action.RESPOND);
        }
    }

    private void plan(SplittableRandom random) {
        int what = random.nextInt(32);
        if (what == 0) {
            actions.add(Action.DISCONNECT);
        }
        if (what < 6) {
            actions.add(Action.MESSAGE);
        }
        if (what > 3 && what < 9) {
            actions.add(Action.REQUEST);
        }
    }

    private boolean isWaiting() {
        return asked != null || send != null || !actions.isEmpty();
    }

    private boolean end() {
        node.world.longestCallbackNs = Math.max(node.world.longestCallbackNs, node.world.now - beganNs);
        delivery.link().connection.processed(delivery.message().bytes);
        delivery = null;
        return true;
    }

    private boolean step() {
        if (asked != null) {
            return awaitResponse();
        }
        if (send == null && !next(actions.poll())) {
            return true;
        }
        SimMessage message = send.message;
        try {
            send.turn();
        } catch (DXNetException | NetClosedException e) {
            node.told(message, e);
        }
        if (message.fate == SimMessage.Fate.WAITING) {
            return false;
        }
        send = null;
        if (message.fate == SimMessage.Fate.ACCEPTED && message.request != null) {
            asked = message;
        }
        return true;
    }

    private boolean awaitResponse() {
        PendingRequest request = asked.request;
        if (!request.isDone()) {
            if (node.world.now - request.deadlineNs() < 0) {
                return false;
            }
            node.requests.drop(request);
        }
        asked = null;
        return true;
    }

    /** Begins an action; false where it is over at once. */
    private boolean next(Action action) {
        if (node.world.isParting() && action != Action.RESPOND) {
            return false;
        }
        SimMessage cause = delivery.message();
        SimMessage message = switch (action) {
            case DISCONNECT -> {
                node.disconnect(cause.sender.id);
                yield null;
            }
            case MESSAGE -> node.message(destination(), thread, cause.depth + 1, 0);
            case REQUEST -> node.message(destination(), thread, cause.depth + 1, node.world.requestTimeoutNs);
            case RESPOND -> node.response(cause);
        };
        if (message != null) {
            send = new SimSend(node, message, action == Action.RESPOND ? delivery.link().connection : null, true);
        }
        return message != null;
    }

    private int destination() {
        return node.world.random.nextBoolean() ? delivery.message().sender.id : node.otherNode();
    }
}
