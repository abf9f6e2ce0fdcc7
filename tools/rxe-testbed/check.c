// Does this kernel's rxe itself lose, repeat, reorder or change messages? Two RDMA devices of one machine send each other
// numbered messages over reliable connections; every byte that arrives is compared. A fault that it finds is the kernel's:
// neither Java nor this project's code is involved. A single thread posts and polls for both ends, so that nothing depends on timing.
//
// usage: check DEVICE1 DEVICE2 [messages [largest_bytes [window [receive_buffers [ack_timeout]]]]]
// exit code: 0 every message arrived once, in order, unchanged · 1 messages were lost, repeated, reordered or changed ·
//            2 the connection broke (a work completion with an error) · 3 the check could not run · 4 nothing moves any more
#include <arpa/inet.h>
#include <errno.h>
#include <infiniband/verbs.h>
#include <net/if.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum exit_code { EXACT = 0, WRONG = 1, GAVE_UP = 2, CANNOT_RUN = 3, STUCK = 4 };

enum {
    PORT = 1,
    LONGEST_CHAIN = 8,     // work requests handed over with one call
    POLL_BATCH = 16,
    RETRIES = 6,           // not 7: to rxe, that means "for ever"
    RNR_RETRIES = 7,       // here 7 is meant: wait until the other end has buffers
    RNR_TIMER = 1,         // 0.01 ms
    STUCK_AFTER_S = 30,
    LISTEN_AFTER_MS = 300, // for messages that come after the last one
    REPORT_AT_MOST = 5,
};

struct settings {
    uint32_t messages;
    uint32_t largest;
    uint32_t window;
    uint32_t receive_buffers;
    uint32_t ack_timeout;  // as in ibv_qp_attr: 4.096 us * 2^this
};

struct end {
    const char *name;
    int index;
    struct ibv_context *context;
    struct ibv_pd *domain;
    struct ibv_cq *send_queue, *receive_queue;
    struct ibv_srq *buffers;
    struct ibv_qp *pair;
    struct ibv_mr *region;
    struct ibv_gid_entry gid;
    enum ibv_mtu mtu;
    uint8_t *memory;       // window send slots, then the receive buffers
    uint32_t posted, completed, received;
    uint64_t packets_before;
};

static struct settings settings = {.messages = 20000, .largest = 8192, .window = 32, .receive_buffers = 64, .ack_timeout = 14};
static unsigned wrong;

static void quit(enum exit_code code, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    exit(code);
}

static void must(bool ok, const char *what, const char *device) {
    if (!ok) quit(CANNOT_RUN, "cannot run: %s on %s: %s", what, device, strerror(errno));
}

// For verbs that return an errno value.
static void must_be_zero(int error, const char *what, const char *device) {
    errno = error;
    must(error == 0, what, device);
}

static void report_wrong(const char *format, ...) {
    if (wrong++ >= REPORT_AT_MOST) return;
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
}

static double now_s(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// ---- content: both ends can compute the content of message `number` from end `sender` ----

static uint64_t mix(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static uint64_t seed_of(int sender, uint32_t number) { return mix(((uint64_t)(sender + 1) << 32) + number); }

// Half of the messages are small, the others of any size, so that single and multi packet messages mix.
static uint32_t length_of(int sender, uint32_t number) {
    uint64_t random = seed_of(sender, number);
    uint32_t limit = (random & 1) && settings.largest > 64 ? 64 : settings.largest;
    return 1 + (uint32_t)((random >> 8) % limit);
}

static void fill(uint8_t *to, int sender, uint32_t number) {
    uint64_t seed = seed_of(sender, number), word;
    uint32_t length = length_of(sender, number);
    for (uint32_t at = 0; at < length; at += 8) {
        word = mix(seed + at);
        memcpy(to + at, &word, length - at < 8 ? length - at : 8);
    }
}

static uint8_t *send_slot(struct end *end, uint32_t number) { return end->memory + (size_t)(number % settings.window) * settings.largest; }

static uint8_t *receive_buffer(struct end *end, uint64_t index) { return end->memory + (settings.window + index) * settings.largest; }

// ---- set-up ----

static struct ibv_context *open_device(const char *name) {
    struct ibv_device **list = ibv_get_device_list(NULL);
    struct ibv_context *context = NULL;
    must(list != NULL, "listing devices", name);
    errno = ENODEV;
    for (int i = 0; list[i] != NULL; i++)
        if (strcmp(ibv_get_device_name(list[i]), name) == 0) context = ibv_open_device(list[i]);
    ibv_free_device_list(list);
    must(context != NULL, "opening", name);
    return context;
}

// The first RoCE v2 address that stands for an IPv4 one: those are the testbed's nodes.
static uint32_t find_gid(struct end *end) {
    static const uint8_t ipv4_prefix[12] = {[10] = 0xff, [11] = 0xff};
    for (uint32_t index = 0; index < 64; index++) {
        if (ibv_query_gid_ex(end->context, PORT, index, &end->gid, 0) != 0) continue;
        if (end->gid.gid_type == IBV_GID_TYPE_ROCE_V2 && memcmp(end->gid.gid.raw, ipv4_prefix, sizeof ipv4_prefix) == 0) return index;
    }
    quit(CANNOT_RUN, "cannot run: %s has no IPv4 address", end->name);
    return 0;
}

static void post_receive(struct end *end, uint64_t index) {
    struct ibv_sge part = {(uintptr_t)receive_buffer(end, index), settings.largest, end->region->lkey};
    struct ibv_recv_wr request = {.wr_id = index, .sg_list = &part, .num_sge = 1}, *bad;
    must_be_zero(ibv_post_srq_recv(end->buffers, &request, &bad), "posting a receive", end->name);
}

static void open_end(struct end *end, const char *name, int index) {
    struct ibv_port_attr port;
    size_t size = ((size_t)settings.window + settings.receive_buffers) * settings.largest;
    end->name = name;
    end->index = index;
    end->context = open_device(name);
    must_be_zero(ibv_query_port(end->context, PORT, &port), "querying the port", name);
    end->mtu = port.active_mtu;
    find_gid(end);
    end->domain = ibv_alloc_pd(end->context);
    must(end->domain != NULL, "a protection domain", name);
    end->memory = aligned_alloc(4096, (size + 4095) / 4096 * 4096);
    must(end->memory != NULL, "memory", name);
    end->region = ibv_reg_mr(end->domain, end->memory, size, IBV_ACCESS_LOCAL_WRITE);
    must(end->region != NULL, "registering memory", name);
    end->send_queue = ibv_create_cq(end->context, (int)settings.window + 1, NULL, NULL, 0);
    end->receive_queue = ibv_create_cq(end->context, (int)settings.receive_buffers + 1, NULL, NULL, 0);
    must(end->send_queue != NULL && end->receive_queue != NULL, "a completion queue", name);
    end->buffers = ibv_create_srq(end->domain, &(struct ibv_srq_init_attr){.attr = {.max_wr = settings.receive_buffers, .max_sge = 1}});
    must(end->buffers != NULL, "a shared receive queue", name);
    end->pair = ibv_create_qp(end->domain, &(struct ibv_qp_init_attr){.send_cq = end->send_queue, .recv_cq = end->receive_queue,
            .srq = end->buffers, .qp_type = IBV_QPT_RC, .sq_sig_all = 1, .cap = {.max_send_wr = settings.window, .max_send_sge = 1}});
    must(end->pair != NULL, "a queue pair", name);
    for (uint32_t i = 0; i < settings.receive_buffers; i++) post_receive(end, i);
}

static uint32_t first_packet_number(const struct end *end) { return (uint32_t)seed_of(end->index, 0) & 0xffffff; }

static void connect_to(struct end *end, const struct end *other) {
    struct ibv_qp_attr init = {.qp_state = IBV_QPS_INIT, .port_num = PORT};
    struct ibv_qp_attr ready_to_receive = {.qp_state = IBV_QPS_RTR, .path_mtu = end->mtu, .dest_qp_num = other->pair->qp_num,
            .rq_psn = first_packet_number(other), .max_dest_rd_atomic = 1, .min_rnr_timer = RNR_TIMER,
            .ah_attr = {.is_global = 1, .port_num = PORT, .grh = {.dgid = other->gid.gid, .sgid_index = (uint8_t)end->gid.gid_index, .hop_limit = 64}}};
    struct ibv_qp_attr ready_to_send = {.qp_state = IBV_QPS_RTS, .timeout = (uint8_t)settings.ack_timeout, .retry_cnt = RETRIES, .rnr_retry = RNR_RETRIES,
            .sq_psn = first_packet_number(end), .max_rd_atomic = 1};
    must_be_zero(ibv_modify_qp(end->pair, &init, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS), "INIT", end->name);
    must_be_zero(ibv_modify_qp(end->pair, &ready_to_receive, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN
            | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER), "RTR", end->name);
    must_be_zero(ibv_modify_qp(end->pair, &ready_to_send, IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY
            | IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC), "RTS", end->name);
}

// ---- the stream ----

// Posts as many messages as the window has room for, in one chain of at most LONGEST_CHAIN.
static void post_sends(struct end *end) {
    struct ibv_send_wr requests[LONGEST_CHAIN], *bad;
    struct ibv_sge parts[LONGEST_CHAIN];
    uint32_t room = settings.window - (end->posted - end->completed), left = settings.messages - end->posted;
    uint32_t count = room < left ? room : left;
    if (count > LONGEST_CHAIN) count = LONGEST_CHAIN;
    if (count == 0) return;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t number = end->posted + i;
        fill(send_slot(end, number), end->index, number);
        parts[i] = (struct ibv_sge){(uintptr_t)send_slot(end, number), length_of(end->index, number), end->region->lkey};
        requests[i] = (struct ibv_send_wr){.wr_id = number, .next = i + 1 < count ? &requests[i + 1] : NULL, .sg_list = &parts[i],
                .num_sge = 1, .opcode = IBV_WR_SEND_WITH_IMM, .imm_data = htonl(number)};
    }
    must_be_zero(ibv_post_send(end->pair, requests, &bad), "posting sends", end->name);
    end->posted += count;
}

static int poll_queue(struct end *end, struct ibv_cq *queue, struct ibv_wc *completions) {
    int count = ibv_poll_cq(queue, POLL_BATCH, completions);
    must(count >= 0, "polling", end->name);
    for (int i = 0; i < count; i++)
        if (completions[i].status != IBV_WC_SUCCESS)
            quit(GAVE_UP, "the connection broke: %s: completion with status %d (%s) after %u sent, %u received", end->name, completions[i].status,
                    ibv_wc_status_str(completions[i].status), end->completed, end->received);
    return count;
}

static int take_send_completions(struct end *end) {
    struct ibv_wc completions[POLL_BATCH];
    int count = poll_queue(end, end->send_queue, completions);
    for (int i = 0; i < count; i++) {
        if (completions[i].wr_id != end->completed)
            report_wrong("wrong: %s: send %lu completed when %u was due", end->name, (unsigned long)completions[i].wr_id, end->completed);
        end->completed++;
    }
    return count;
}

static void compare(struct end *end, const struct ibv_wc *completion, const uint8_t *content) {
    static uint8_t *expected;
    int sender = 1 - end->index;
    uint32_t number = ntohl(completion->imm_data), due = end->received, length = length_of(sender, due);
    if (expected == NULL) expected = malloc(settings.largest);
    if (number != due) {
        report_wrong("wrong: %s: message %u arrived when %u was due", end->name, number, due);
        return;
    }
    fill(expected, sender, due);
    if (completion->byte_len != length)
        report_wrong("wrong: %s: message %u has %u bytes instead of %u", end->name, due, completion->byte_len, length);
    else if (memcmp(content, expected, length) != 0)
        report_wrong("wrong: %s: message %u of %u bytes arrived changed", end->name, due, length);
}

static int take_messages(struct end *end) {
    struct ibv_wc completions[POLL_BATCH];
    int count = poll_queue(end, end->receive_queue, completions);
    for (int i = 0; i < count; i++) {
        if (end->received == settings.messages) report_wrong("wrong: %s: a message after the last one", end->name);
        else compare(end, &completions[i], receive_buffer(end, completions[i].wr_id));
        // Counts what was due, not what came: one lost message is then reported for every later one, but at most five times.
        if (end->received < settings.messages) end->received++;
        post_receive(end, completions[i].wr_id);
    }
    return count;
}

static bool done(const struct end *end) { return end->completed == settings.messages && end->received == settings.messages; }

static void stream(struct end ends[2]) {
    double last_move = now_s();
    while (!done(&ends[0]) || !done(&ends[1])) {
        int moved = 0;
        for (int i = 0; i < 2; i++) {
            post_sends(&ends[i]);
            moved += take_send_completions(&ends[i]);
            moved += take_messages(&ends[i]);
        }
        if (moved > 0) last_move = now_s();
        else if (now_s() - last_move > STUCK_AFTER_S)
            quit(wrong > 0 ? WRONG : STUCK, "stuck: nothing moved for %d s, no error reported; %s: %u of %u sent, %u received; %s: %u sent, %u received", STUCK_AFTER_S,
                    ends[0].name, ends[0].completed, settings.messages, ends[0].received, ends[1].name, ends[1].completed, ends[1].received);
    }
    for (double end = now_s() + LISTEN_AFTER_MS / 1e3; now_s() < end;)
        for (int i = 0; i < 2; i++) take_messages(&ends[i]);
}

// ---- what the kernel counted ----

static uint64_t read_counter(const char *folder, const char *device, const char *rest) {
    char path[256];
    unsigned long long value = 0;
    snprintf(path, sizeof path, "%s/%s/%s", folder, device, rest);
    FILE *file = fopen(path, "r");
    if (file == NULL) return 0;
    if (fscanf(file, "%llu", &value) != 1) value = 0;
    fclose(file);
    return value;
}

static uint64_t packets_sent(const struct end *end) {
    char interface[IF_NAMESIZE] = "";
    if_indextoname(end->gid.ndev_ifindex, interface);
    return read_counter("/sys/class/net", interface, "statistics/tx_packets");
}

static const char *const counters[] = {"duplicate_request", "out_of_seq_request", "rcvd_seq_err", "send_rnr_err", "completer_retry_err"};
enum { COUNTERS = sizeof counters / sizeof *counters };

// Of both devices together.
static uint64_t read_hardware_counter(struct end ends[2], int index) {
    char path[64];
    snprintf(path, sizeof path, "ports/1/hw_counters/%s", counters[index]);
    return read_counter("/sys/class/infiniband", ends[0].name, path) + read_counter("/sys/class/infiniband", ends[1].name, path);
}

static void read_arguments(int count, char **words) {
    uint32_t *const numbers[] = {&settings.messages, &settings.largest, &settings.window, &settings.receive_buffers, &settings.ack_timeout};
    if (count < 3 || count > 8) quit(CANNOT_RUN, "usage: check DEVICE1 DEVICE2 [messages [largest_bytes [window [receive_buffers [ack_timeout]]]]]");
    for (int i = 3; i < count; i++) {
        *numbers[i - 3] = (uint32_t)strtoul(words[i], NULL, 10);
        if (*numbers[i - 3] == 0) quit(CANNOT_RUN, "cannot run: '%s' is no positive number", words[i]);
    }
}

int main(int count, char **words) {
    struct end ends[2] = {0};
    setvbuf(stdout, NULL, _IOLBF, 0);
    read_arguments(count, words);
    for (int i = 0; i < 2; i++) open_end(&ends[i], words[1 + i], i);
    for (int i = 0; i < 2; i++) connect_to(&ends[i], &ends[1 - i]);
    for (int i = 0; i < 2; i++) ends[i].packets_before = packets_sent(&ends[i]);
    uint64_t counted[COUNTERS];
    for (int i = 0; i < COUNTERS; i++) counted[i] = read_hardware_counter(ends, i);
    double begin = now_s();
    stream(ends);
    double seconds = now_s() - begin - LISTEN_AFTER_MS / 1e3;
    for (int i = 0; i < 2; i++)
        if (packets_sent(&ends[i]) - ends[i].packets_before < settings.messages)
            quit(CANNOT_RUN, "cannot run: the messages did not travel over the interface of %s, so this shows nothing", ends[i].name);
    for (int i = 0; i < COUNTERS; i++)
        printf("%s%s %lu", i == 0 ? "" : ", ", counters[i], (unsigned long)(read_hardware_counter(ends, i) - counted[i]));
    putchar('\n');
    if (wrong > 0) quit(WRONG, "WRONG: %u messages were lost, repeated, reordered or changed", wrong);
    quit(EXACT, "exact: 2 x %u messages of 1..%u bytes in %.1f s (%.0f per second)", settings.messages, settings.largest, seconds,
            2 * settings.messages / seconds);
}
