package io.dxnet.tools.fuzz;

import io.dxnet.runtime.memory.MemoryMessagesTarget;
import io.dxnet.runtime.peer.FlowControlTarget;
import io.dxnet.runtime.peer.SignalsTarget;
import io.dxnet.runtime.receive.StreamTarget;
import io.dxnet.runtime.wire.ImporterTarget;
import io.dxnet.softhca.capture.CaptureTarget;
import io.dxnet.softhca.roce.ConnectionTarget;
import io.dxnet.softhca.roce.PacketTarget;
import io.dxnet.transport.handshake.HelloTarget;
import io.dxnet.transport.handshake.ProofTarget;
import io.dxnet.transport.handshake.ReplyTarget;
import io.dxnet.transport.ib.ControlChannelTarget;
import io.dxnet.transport.ib.ImmediateDataTarget;
import io.dxnet.transport.ib.QpInfoTarget;
import io.dxnet.transport.nio.FlowControlBytesTarget;
import io.dxnet.transport.shm.PageGrantTarget;
import io.dxnet.transport.shm.RingOfferTarget;
import io.dxnet.transport.shm.SharedWordsTarget;
import java.util.List;

/** All targets. */
public final class Targets {
    private Targets() {}

    /**
     * {@return one of each, new}
     */
    public static List<FuzzTarget> all() {
        return List.of(
                new HelloTarget(),
                new ReplyTarget(),
                new ProofTarget(),
                new StreamTarget(),
                new ImporterTarget(),
                new MemoryMessagesTarget(),
                new FlowControlTarget(),
                new FlowControlBytesTarget(),
                new SignalsTarget(),
                new QpInfoTarget(),
                new ImmediateDataTarget(),
                new ControlChannelTarget(),
                new RingOfferTarget(),
                new PageGrantTarget(),
                new SharedWordsTarget(),
                new PacketTarget(),
                new ConnectionTarget(),
                new CaptureTarget(),
                new NodeMapTarget(),
                new ConfigTarget());
    }

    /**
     * The one with a name.
     *
     * @param name as in {@link FuzzTarget#name}
     * @return the target, new
     * @throws IllegalArgumentException when there is none
     */
    public static FuzzTarget named(String name) {
        return all().stream()
                .filter(target -> target.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no target '" + name + "', only "
                        + all().stream().map(FuzzTarget::name).toList()));
    }
}
