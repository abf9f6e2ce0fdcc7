package io.dxnet.ibverbs;

/**
 * What the device reports of a queue pair ({@code man ibv_query_qp}).
 *
 * @param state the state in force, also where the device changed it
 * @param mtu the packet size
 * @param destinationQpNumber the queue pair at the other side
 * @param sendPsn the next packet number to send
 * @param receivePsn the next packet number expected
 * @param timeout the answer's time as a code
 * @param retryCount the repetitions without answer
 * @param rnrRetry the repetitions without receive
 * @param capabilities the sizes in force, where the device reports them
 */
public record QpStatus(
        QpState state,
        int mtu,
        int destinationQpNumber,
        int sendPsn,
        int receivePsn,
        int timeout,
        int retryCount,
        int rnrRetry,
        QpCapabilities capabilities) {}
