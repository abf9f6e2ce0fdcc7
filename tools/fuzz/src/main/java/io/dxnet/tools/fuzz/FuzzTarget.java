package io.dxnet.tools.fuzz;

import java.util.List;

/**
 * A decoder of bytes from outside, and what must hold for any bytes. One thread at a time.
 *
 * <p>Whatever {@link #run} throws is a finding. So a target catches the exceptions that the
 * decoder documents, and throws an {@link AssertionError} where an accepted input does not
 * decode and encode to an equal value.
 */
public interface FuzzTarget {
    /**
     * {@return the name on the command line and of the folder with its inputs}
     */
    String name();

    /**
     * {@return valid inputs, and others that are worth beginning with}
     */
    List<byte[]> seeds();

    /**
     * Decodes.
     *
     * @param input any bytes
     * @throws Exception a finding
     */
    void run(byte[] input) throws Exception;

    /**
     * The most bytes that one input may allocate: lengths in an input are not to be believed.
     *
     * @param inputBytes the length of the input
     * @return bytes of the heap
     */
    default long allocationBytesMax(int inputBytes) {
        return (256L << 10) + 128L * inputBytes;
    }

    /**
     * The longest input that is worth its time.
     *
     * @return bytes
     */
    default int inputBytesMax() {
        return 4096;
    }
}
