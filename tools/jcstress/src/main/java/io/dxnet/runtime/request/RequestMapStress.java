package io.dxnet.runtime.request;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.dxnet.Response;
import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.runtime.receive.StreamState;
import io.dxnet.runtime.wire.HeaderDescriptor;
import io.dxnet.transport.ring.OutgoingRingBuffer;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** Requests end once, also where one object stands for one after the other. */
public final class RequestMapStress {
    private static final int PLACES = 2;
    private static final int TYPE = 1;
    private static final int KEY = HeaderDescriptor.key(TYPE, 0, HeaderDescriptor.SERVICE);
    private static final PeerConnection FIRST = connection();
    private static final PeerConnection SECOND = connection();

    private RequestMapStress() {}

    private static PeerConnection connection() {
        OutgoingRingBuffer ring = new OutgoingRingBuffer(MemorySegment.ofArray(new byte[4096]), 16, 1 << 20);
        return new PeerConnection(1, ring, 1 << 20, 1 << 14, 1, null, new StreamState(), new Owner());
    }

    /** Reports nothing. */
    private static final class Owner implements PeerConnection.Owner {
        @Override
        public void flowControlPosted(PeerConnection connection) {}

        @Override
        public void protocolError(PeerConnection connection, String what) {}

        @Override
        public void released(PeerConnection connection) {}

        @Override
        public void signalsReceived(PeerConnection connection, int signals) {}

        @Override
        public boolean hasRequests(PeerConnection connection) {
            return false;
        }

        @Override
        public long handledMark() {
            return 0;
        }
    }

    private static final class Answer extends Response {
        int value;
    }

    /** One whose answer is used again. */
    private static final class Ask extends ServiceRequest<Answer> {
        final Answer answer = new Answer();

        Ask() {
            super(1, TYPE);
        }

        @Override
        protected Answer emptyResponse() {
            return answer;
        }
    }

    /** A map of few places, and a request that is used again. */
    public abstract static class Requests {
        final RequestMap map = new RequestMap(PLACES, half -> {});
        final Ask ask = new Ask();
        final PendingRequest pending = PendingRequest.reusable();

        /** Begins a request that was sent by a connection. Its own thread. */
        final void begin(PeerConnection sentBy) {
            pending.begin(ask, Long.MAX_VALUE);
            if (!map.tryAdd(pending)) {
                throw new AssertionError("there is no place");
            }
            pending.connection(sentBy);
            pending.sent();
        }

        /** {@return whether a response was read, and has ended the request} A handler's thread. */
        final boolean answer(int id, PeerConnection by, int value) {
            Answer answer = (Answer) map.emptyResponse(id, by, KEY);
            if (answer == null) {
                return false;
            }
            answer.value = value;
            return map.complete(id, by, answer);
        }

        /** Waits for the answer, and begins the next request, in that place. Its own thread. */
        final void next(PeerConnection sentBy) {
            while (!pending.isDone()) {
                Thread.onSpinWait();
            }
            pending.forget();
            begin(sentBy);
        }
    }

    /** Two threads end one request. */
    public abstract static class Ends extends Requests {
        private final AtomicInteger ends = new AtomicInteger();

        Ends() {
            begin(FIRST);
        }

        final void response() {
            ended(answer(pending.id, FIRST, 1));
        }

        final void endOfConnection() {
            map.failSentBy(FIRST, request -> {
                ended(true);
                return new IllegalStateException("the connection ended");
            });
        }

        final void timeout() {
            ended(map.drop(pending));
        }

        private void ended(boolean byThis) {
            if (byThis) {
                ends.incrementAndGet();
            }
        }

        final void count(II_Result r) {
            r.r1 = ends.get();
            r.r2 = map.outstanding();
        }
    }

    @JCStressTest
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "One of them ended it, and its place is free.")
    @Outcome(expect = FORBIDDEN, desc = "It ended twice, or not at all, or keeps its place.")
    @State
    public static class ResponseOrEndOfItsConnection extends Ends {
        @Actor
        public void one() {
            response();
        }

        @Actor
        public void other() {
            endOfConnection();
        }

        @Arbiter
        public void after(II_Result r) {
            count(r);
        }
    }

    @JCStressTest
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "One of them ended it, and its place is free.")
    @Outcome(expect = FORBIDDEN, desc = "It ended twice, or not at all, or keeps its place.")
    @State
    public static class ResponseOrTimeout extends Ends {
        @Actor
        public void one() {
            response();
        }

        @Actor
        public void other() {
            timeout();
        }

        @Arbiter
        public void after(II_Result r) {
            count(r);
        }
    }

    @JCStressTest
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "One of them ended it, and its place is free.")
    @Outcome(expect = FORBIDDEN, desc = "It ended twice, or not at all, or keeps its place.")
    @State
    public static class TimeoutOrEndOfItsConnection extends Ends {
        @Actor
        public void one() {
            timeout();
        }

        @Actor
        public void other() {
            endOfConnection();
        }

        @Arbiter
        public void after(II_Result r) {
            count(r);
        }
    }

    @JCStressTest
    @Outcome(id = "0", expect = ACCEPTABLE, desc = "The end came first.")
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "The first one was answered, the next one is open.")
    @Outcome(expect = FORBIDDEN, desc = "The end of the first one's connection ended the next one.")
    @State
    public static class TheEndOfAnEarlierConnection extends Requests {
        private final int id;
        private boolean isAnswered; // the first one

        public TheEndOfAnEarlierConnection() {
            begin(FIRST);
            id = pending.id;
            map.nextId(id + PLACES);
        }

        @Actor
        public void own() {
            isAnswered = answer(id, FIRST, 1);
            if (isAnswered) {
                next(SECOND);
            }
        }

        @Actor
        public void endOfConnection() {
            map.failSentBy(FIRST, request -> new IllegalStateException("the connection ended"));
        }

        @Arbiter
        public void after(I_Result r) {
            boolean isOpen = !pending.isDone() && map.outstanding() == 1;
            r.r1 = isAnswered ? (isOpen ? 1 : -1) : map.outstanding();
        }
    }

    @JCStressTest
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "The next one is open, and its answer is its own.")
    @Outcome(expect = FORBIDDEN, desc = "A second response to the first one reached the next one.")
    @State
    public static class ASecondResponse extends Requests {
        private final int id;

        public ASecondResponse() {
            begin(FIRST);
            id = pending.id;
            map.nextId(id + PLACES);
        }

        @Actor
        public void own() {
            answer(id, FIRST, 1);
            next(FIRST);
            ask.answer.value = 7;
        }

        @Actor
        public void other() {
            answer(id, FIRST, 2);
        }

        @Arbiter
        public void after(I_Result r) {
            r.r1 = !pending.isDone() && ask.answer.value == 7 && map.outstanding() == 1 ? 1 : 0;
        }
    }
}
