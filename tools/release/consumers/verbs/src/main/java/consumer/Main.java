package consumer;

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
import io.dxnet.ibverbs.VerbsUnavailableException;
import io.dxnet.ibverbs.WorkCompletion;

/** Lists the devices; with the name of one, sends a message between two of its queue pairs. */
public final class Main {
    private Main() {}

    /**
     * Runs.
     *
     * @param arguments a device, or none
     */
    public static void main(String[] arguments) {
        if (arguments.length == 0) {
            list();
        } else {
            send(arguments[0]);
        }
        System.out.println("consumer: ok");
    }

    /** Without libibverbs, the binding reports what to install. */
    private static void list() {
        try {
            System.out.println("devices: " + Device.list());
        } catch (VerbsUnavailableException e) {
            System.out.println(e.kind() + ": " + e.getMessage());
        }
    }

    private static void send(String device) {
        try (Context context = Device.named(device).open();
                ProtectionDomain domain = context.allocateProtectionDomain();
                CompletionQueue queue = context.createCompletionQueue(16);
                MemoryRegion region = domain.allocate(4096, Access.LOCAL_WRITE);
                QueuePair alice = domain.createQueuePair(QueuePair.options(QpType.RC, queue, queue));
                QueuePair bob = domain.createQueuePair(QueuePair.options(QpType.RC, queue, queue))) {
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
                seen += queue.poll(completion);
            }
            String text = region.memory().getString(2048);
            System.out.println(text);
            if (!text.equals("hello, verbs")) {
                throw new IllegalStateException("it received " + text);
            }
        }
    }
}
