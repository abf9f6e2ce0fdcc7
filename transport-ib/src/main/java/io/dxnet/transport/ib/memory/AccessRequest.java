package io.dxnet.transport.ib.memory;

import io.dxnet.DXNetException;
import io.dxnet.ibverbs.QpAddress;
import io.dxnet.transport.ib.qp.AddressBlock;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What a node sends to the owner of memory that it wants to access: an {@link AddressBlock} whose
 * own four bytes are {@link #reads}.
 *
 * @param address of its queue pair
 * @param mtuBytes the largest packet of its port
 * @param reads how many reads and atomics it may have under way; of an owner, how many it answers;
 *     1 to 128
 */
record AccessRequest(QpAddress address, int mtuBytes, int reads) {
    static final int BYTES = AddressBlock.BYTES;

    private static final int MTU_MIN = 256;
    private static final int MTU_MAX = 4096;
    private static final int READS_MAX = 128;

    byte[] encode() {
        byte[] result = new byte[BYTES];
        write(ByteBuffer.wrap(result).order(ByteOrder.LITTLE_ENDIAN));
        return result;
    }

    void write(ByteBuffer bytes) {
        AddressBlock.write(bytes, address, mtuBytes);
        bytes.putInt(AddressBlock.OWN_OFFSET, reads);
    }

    /**
     * Decodes and checks.
     *
     * @throws DXNetException when it is not what a node sends
     */
    static AccessRequest decode(byte[] request) throws DXNetException {
        if (request.length != BYTES) {
            throw new DXNetException("the request for access to memory has " + request.length + " bytes, not " + BYTES);
        }
        return read(ByteBuffer.wrap(request).order(ByteOrder.LITTLE_ENDIAN));
    }

    static AccessRequest read(ByteBuffer bytes) throws DXNetException {
        AccessRequest read = new AccessRequest(
                AddressBlock.address(bytes), AddressBlock.mtuBytes(bytes), bytes.getInt(AddressBlock.OWN_OFFSET));
        boolean isMtu = read.mtuBytes >= MTU_MIN && read.mtuBytes <= MTU_MAX && Integer.bitCount(read.mtuBytes) == 1;
        if (!AddressBlock.isPossible(read.address) || !isMtu || read.reads < 1 || read.reads > READS_MAX) {
            throw new DXNetException("the address of a queue pair for access to memory is impossible: " + read);
        }
        return read;
    }
}
