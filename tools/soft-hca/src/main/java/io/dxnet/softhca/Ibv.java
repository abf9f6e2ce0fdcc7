package io.dxnet.softhca;

/**
 * The constants of {@code infiniband/verbs.h} and {@code errno.h} as compile-time constants, which
 * {@code io.dxnet.ibverbs.raw} has as methods only. A test compares the two.
 */
final class Ibv {
    // QP states
    static final int IBV_QPS_RESET = 0;
    static final int IBV_QPS_INIT = 1;
    static final int IBV_QPS_RTR = 2;
    static final int IBV_QPS_RTS = 3;
    static final int IBV_QPS_SQD = 4;
    static final int IBV_QPS_SQE = 5;
    static final int IBV_QPS_ERR = 6;

    // QP types
    static final int IBV_QPT_RC = 2;
    static final int IBV_QPT_UC = 3;
    static final int IBV_QPT_UD = 4;

    // Attribute mask
    static final int IBV_QP_STATE = 1;
    static final int IBV_QP_CUR_STATE = 2;
    static final int IBV_QP_EN_SQD_ASYNC_NOTIFY = 4;
    static final int IBV_QP_ACCESS_FLAGS = 8;
    static final int IBV_QP_PKEY_INDEX = 16;
    static final int IBV_QP_PORT = 32;
    static final int IBV_QP_QKEY = 64;
    static final int IBV_QP_AV = 128;
    static final int IBV_QP_PATH_MTU = 256;
    static final int IBV_QP_TIMEOUT = 512;
    static final int IBV_QP_RETRY_CNT = 1024;
    static final int IBV_QP_RNR_RETRY = 2048;
    static final int IBV_QP_RQ_PSN = 4096;
    static final int IBV_QP_MAX_QP_RD_ATOMIC = 8192;
    static final int IBV_QP_ALT_PATH = 16384;
    static final int IBV_QP_MIN_RNR_TIMER = 32768;
    static final int IBV_QP_SQ_PSN = 65536;
    static final int IBV_QP_MAX_DEST_RD_ATOMIC = 131072;
    static final int IBV_QP_PATH_MIG_STATE = 262144;
    static final int IBV_QP_CAP = 524288;
    static final int IBV_QP_DEST_QPN = 1048576;

    // Opcodes of work requests
    static final int IBV_WR_RDMA_WRITE = 0;
    static final int IBV_WR_RDMA_WRITE_WITH_IMM = 1;
    static final int IBV_WR_SEND = 2;
    static final int IBV_WR_SEND_WITH_IMM = 3;
    static final int IBV_WR_RDMA_READ = 4;
    static final int IBV_WR_ATOMIC_CMP_AND_SWP = 5;
    static final int IBV_WR_ATOMIC_FETCH_AND_ADD = 6;
    static final int IBV_WR_LOCAL_INV = 7;
    static final int IBV_WR_BIND_MW = 8;
    static final int IBV_WR_SEND_WITH_INV = 9;

    // Send flags
    static final int IBV_SEND_FENCE = 1;
    static final int IBV_SEND_SIGNALED = 2;
    static final int IBV_SEND_SOLICITED = 4;
    static final int IBV_SEND_INLINE = 8;

    // Opcodes and flags of completions
    static final int IBV_WC_SEND = 0;
    static final int IBV_WC_RDMA_WRITE = 1;
    static final int IBV_WC_RDMA_READ = 2;
    static final int IBV_WC_COMP_SWAP = 3;
    static final int IBV_WC_FETCH_ADD = 4;
    static final int IBV_WC_BIND_MW = 5;
    static final int IBV_WC_LOCAL_INV = 6;
    static final int IBV_WC_RECV = 128;
    static final int IBV_WC_RECV_RDMA_WITH_IMM = 129;
    static final int IBV_WC_GRH = 1;
    static final int IBV_WC_WITH_IMM = 2;
    static final int IBV_WC_WITH_INV = 8;

    // Statuses
    static final int IBV_WC_SUCCESS = 0;
    static final int IBV_WC_LOC_LEN_ERR = 1;
    static final int IBV_WC_LOC_QP_OP_ERR = 2;
    static final int IBV_WC_LOC_PROT_ERR = 4;
    static final int IBV_WC_WR_FLUSH_ERR = 5;
    static final int IBV_WC_MW_BIND_ERR = 6;
    static final int IBV_WC_REM_INV_REQ_ERR = 9;
    static final int IBV_WC_REM_ACCESS_ERR = 10;
    static final int IBV_WC_REM_OP_ERR = 11;
    static final int IBV_WC_RETRY_EXC_ERR = 12;
    static final int IBV_WC_RNR_RETRY_EXC_ERR = 13;

    // Access
    static final int IBV_ACCESS_LOCAL_WRITE = 1;
    static final int IBV_ACCESS_REMOTE_WRITE = 2;
    static final int IBV_ACCESS_REMOTE_READ = 4;
    static final int IBV_ACCESS_REMOTE_ATOMIC = 8;
    static final int IBV_ACCESS_OPTIONAL_RANGE = 1072693248;
    static final int IBV_ACCESS_RELAXED_ORDERING = 1048576;
    static final int IBV_ACCESS_HUGETLB = 128;
    static final int IBV_ACCESS_ZERO_BASED = 32;
    static final int IBV_ACCESS_ON_DEMAND = 64;
    static final int IBV_ACCESS_MW_BIND = 16;
    static final int IBV_MW_TYPE_2 = 2;
    static final int IBV_REREG_MR_CHANGE_TRANSLATION = 1;
    static final int IBV_REREG_MR_CHANGE_PD = 2;
    static final int IBV_REREG_MR_CHANGE_ACCESS = 4;
    static final int IBV_REREG_MR_FLAGS_SUPPORTED = 7;
    static final int IBV_REREG_MR_ERR_INPUT = -1;
    static final int IBV_REREG_MR_ERR_CMD = -4;

    // Events
    static final int IBV_EVENT_CQ_ERR = 0;
    static final int IBV_EVENT_QP_FATAL = 1;
    static final int IBV_EVENT_QP_REQ_ERR = 2;
    static final int IBV_EVENT_QP_ACCESS_ERR = 3;
    static final int IBV_EVENT_COMM_EST = 4;
    static final int IBV_EVENT_SQ_DRAINED = 5;
    static final int IBV_EVENT_DEVICE_FATAL = 8;
    static final int IBV_EVENT_PORT_ACTIVE = 9;
    static final int IBV_EVENT_PORT_ERR = 10;
    static final int IBV_EVENT_GID_CHANGE = 18;
    static final int IBV_EVENT_SRQ_LIMIT_REACHED = 15;
    static final int IBV_EVENT_QP_LAST_WQE_REACHED = 16;

    // Devices and ports
    static final int IBV_NODE_CA = 1;
    static final int IBV_TRANSPORT_IB = 0;
    static final int IBV_PORT_DOWN = 1;
    static final int IBV_PORT_ACTIVE = 4;
    static final int IBV_LINK_LAYER_INFINIBAND = 1;
    static final int IBV_LINK_LAYER_ETHERNET = 2;
    static final int IBV_MTU_4096 = 5;
    static final int IBV_MTU_1024 = 3;
    static final int IBV_GID_TYPE_IB = 0;
    static final int IBV_GID_TYPE_ROCE_V2 = 2;
    static final int IBV_ATOMIC_HCA = 1;
    static final int IBV_MIG_MIGRATED = 0;
    static final int IBV_DEVICE_PORT_ACTIVE_EVENT = 1024;
    static final int IBV_DEVICE_RC_RNR_NAK_GEN = 4096;
    static final int IBV_DEVICE_SRQ_RESIZE = 8192;
    static final int IBV_DEVICE_SYS_IMAGE_GUID = 2048;
    static final int IBV_DEVICE_CURR_QP_STATE_MOD = 128;
    static final int IBV_DEVICE_RESIZE_MAX_WR = 1;
    static final int IBV_DEVICE_MEM_WINDOW_TYPE_2B = 16777216;

    // SRQ and CQ
    static final int IBV_SRQ_MAX_WR = 1;
    static final int IBV_SRQ_LIMIT = 2;
    static final int IBV_CQ_INIT_ATTR_MASK_FLAGS = 1;
    static final int IBV_CREATE_CQ_ATTR_SINGLE_THREADED = 1;
    static final int IBV_CREATE_CQ_ATTR_IGNORE_OVERRUN = 2;
    static final int IBV_WC_STANDARD_FLAGS = 127;

    // Error numbers
    static final int EPERM = 1;
    static final int ENOENT = 2;
    static final int EIO = 5;
    static final int EAGAIN = 11;
    static final int ENOMEM = 12;
    static final int EFAULT = 14;
    static final int EBUSY = 16;
    static final int ENODEV = 19;
    static final int EINVAL = 22;
    static final int EMFILE = 24;
    static final int ENODATA = 61;
    static final int EOPNOTSUPP = 95;

    private Ibv() {}
}
