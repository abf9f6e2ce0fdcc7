package io.dxnet.verbs.example;

import io.dxnet.ibverbs.Access;
import io.dxnet.ibverbs.CompletionQueue;
import io.dxnet.ibverbs.ConnectOptions;
import io.dxnet.ibverbs.Context;
import io.dxnet.ibverbs.Device;
import io.dxnet.ibverbs.GidEntry;
import io.dxnet.ibverbs.MemoryRegion;
import io.dxnet.ibverbs.ProtectionDomain;
import io.dxnet.ibverbs.QpAddress;
import io.dxnet.ibverbs.QpType;
import io.dxnet.ibverbs.QueuePair;
import io.dxnet.ibverbs.ReceiveChain;
import io.dxnet.ibverbs.SendChain;
import io.dxnet.ibverbs.WorkCompletion;

/** The whole program of the module's README: two queue pairs of one device, one message. */
public final class Hello {
    private Hello() {}

    /**
     * Runs.
     *
     * @param arguments the device's name
     */
    public static void main(String[] arguments) {
        try (Context context = Device.named(arguments[0]).open();
                ProtectionDomain domain = context.allocateProtectionDomain();
                CompletionQueue queue = context.createCompletionQueue(256);
                MemoryRegion region = domain.allocate(4096, Access.LOCAL_WRITE);
                QueuePair alice = domain.createQueuePair(QueuePair.options(QpType.RC, queue, queue));
                QueuePair bob = domain.createQueuePair(QueuePair.options(QpType.RC, queue, queue))) {
            // Each side needs the other's address: here from a
            // variable, between machines over a socket.
            GidEntry gid = context.chooseGid(1);
            QpAddress aliceAddress = alice.addressFor(gid, 100);
            QpAddress bobAddress = bob.addressFor(gid, 200);
            alice.connect(gid, 100, bobAddress, new ConnectOptions());
            bob.connect(gid, 200, aliceAddress, new ConnectOptions());

            region.memory().setString(0, "hello, verbs");
            bob.postReceive(new ReceiveChain(1, 1).receive(1).sge(region, 2048, 64));
            alice.postSend(new SendChain(1, 1).send(2).sge(region, 0, 13).signaled());

            WorkCompletion completion = new WorkCompletion(16);
            for (int seen = 0; seen < 2; ) {
                int count = queue.poll(completion);
                for (int i = 0; i < count; i++, seen++) {
                    completion.at(i);
                    System.out.println(
                            completion + (completion.isReceive() ? ", " + completion.byteLength() + " bytes" : ""));
                }
            }
            System.out.println(region.memory().getString(2048));
        }
    }
}
