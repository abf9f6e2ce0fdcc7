package io.dxnet.tools.ledger;

import io.dxnet.DXNet;
import io.dxnet.DXNetConfig;
import io.dxnet.DXNetException;
import io.dxnet.NodeMap;
import io.dxnet.Request;
import io.dxnet.Response;
import java.time.Duration;

/** A request and its response, without payload. */
final class SmallMessages {
    private static final int TYPE = 43;
    private static final int QUESTION = 0;
    private static final int ANSWER = 1;

    private SmallMessages() {}

    static final class Question extends Request<Answer> {
        private Question() {}

        Question(int to) {
            super(to, TYPE, QUESTION);
        }
    }

    static final class Answer extends Response {
        private Answer() {}

        private Answer(Question question) {
            super(question, TYPE, ANSWER);
        }
    }

    /** Starts a node that answers questions; what its error handler gets is dropped. */
    static DXNet open(DXNetConfig config, NodeMap map) {
        DXNet net =
                new DXNet(config.toBuilder().errorHandler((what, error) -> {}).build(), map);
        register(net);
        return net;
    }

    private static void register(DXNet net) {
        net.registerMessageType(TYPE, QUESTION, Question::new);
        net.registerMessageType(TYPE, ANSWER, Answer::new);
        net.register(TYPE, QUESTION, (Question question) -> answer(net, question));
    }

    /** Asks until there is an answer; returns how often that failed. */
    static int ask(DXNet net, int to, Duration timeout) throws DXNetException {
        long deadlineNs = System.nanoTime() + timeout.toNanos();
        for (int failures = 0; ; failures++) {
            try {
                net.sendSync(new Question(to), timeout);
                return failures;
            } catch (DXNetException e) {
                if (System.nanoTime() - deadlineNs > 0) {
                    throw e;
                }
            }
        }
    }

    private static void answer(DXNet net, Question question) {
        try {
            net.sendMessage(new Answer(question));
        } catch (DXNetException e) {
            return; // the node that asked has gone
        }
    }
}
