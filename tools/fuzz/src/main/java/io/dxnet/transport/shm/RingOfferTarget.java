package io.dxnet.transport.shm;

import io.dxnet.tools.fuzz.FuzzTarget;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/** The shared memory that a hello names: no name leads to another folder. */
public final class RingOfferTarget implements FuzzTarget {
    /** Creates the target. */
    public RingOfferTarget() {}

    @Override
    public String name() {
        return "ring-offer";
    }

    @Override
    public List<byte[]> seeds() {
        return List.of(
                new RingOffer(1 << 20, "4026531836-17-00112233445566778899aabbccddeeff").encode(),
                new RingOffer(4096, "1-4194304-ffffffffffffffffffffffffffffffff").encode(),
                new RingOffer(4096, "../1-1-ffffffffffffffffffffffffffffffff").encode());
    }

    @Override
    public void run(byte[] input) {
        RingOffer offer;
        try {
            offer = RingOffer.decode(input);
        } catch (IOException e) {
            return; // as documented
        }
        if (!Arrays.equals(offer.encode(), input)) {
            throw new AssertionError("it encodes to other bytes: " + offer);
        }
        if (offer.name().contains("/") || !RingLayout.isCapacity(offer.capacity())) {
            throw new AssertionError("not a ring of this version: " + offer);
        }
    }
}
