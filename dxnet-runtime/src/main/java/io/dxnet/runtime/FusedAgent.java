package io.dxnet.runtime;

import io.dxnet.transport.Agent;
import java.util.List;

/**
 * The {@code FUSED} layout: transport, message creation coordinator and one message handler one after the other on one thread.
 * What was received is handled while it is in the cache, and no thread has to be woken in between.
 */
final class FusedAgent implements Agent, EngineThread.Progress {
    private final Agent[] transport;
    private final MessageCreationCoordinator coordinator;
    private final MessageHandler handler;
    private final long blockedNs;
    private int depth; // the thread

    FusedAgent(List<Agent> transport, MessageCreationCoordinator coordinator, MessageHandler handler, long blockedNs) {
        this.transport = transport.toArray(new Agent[0]);
        this.coordinator = coordinator;
        this.handler = handler;
        this.blockedNs = blockedNs;
    }

    @Override
    public String role() {
        return "fused";
    }

    @Override
    public int doWork() throws Exception {
        int work = 0;
        for (Agent agent : transport) {
            work += agent.doWork();
        }
        work += coordinator.doWork();
        work += handler.doWork();
        return work;
    }

    @Override
    public int progress() {
        if (depth > 0) {
            return 0; // a dependent of a response waits in turn: the outer call goes on working
        }
        depth++;
        try {
            int work = 0;
            for (Agent agent : transport) {
                work += agent.doWork();
            }
            work += coordinator.doWork();
            work += handler.completeResponses();
            return work;
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        } finally {
            depth--;
        }
    }

    @Override
    public void await(long timeoutNs) {
        // The coordinator waits for other handlers only where there are some; they don't ring.
        transport[0].await(coordinator.isBlocked() ? Math.min(timeoutNs, blockedNs) : timeoutNs);
    }

    @Override
    public void wakeup() {
        transport[0].wakeup();
    }
}
