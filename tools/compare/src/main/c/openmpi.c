// Open MPI as a peer of ./dxnet compare: rank 1 sends, rank 0 receives, or echoes.
//
// usage: mpirun -np 2 openmpi CONTROL ONE_WAY|ROUND_TRIP SIZE THREADS true|false
//
// CONTROL is a file that both ranks map. Rank 0 reads the commands of the comparison from standard
// input, a line each: side, command, arguments; it answers on standard output. Sizes, sequence
// numbers and bytes are those of harness.Payload.
#include <fcntl.h>
#include <inttypes.h>
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum {
    THREADS_MAX = 64,
    WINDOW = 64, // open sends, and posted receives, of each sending thread
    TAG = 1,
    HEADER = 16, // sequence and thread
    FINISH_SECONDS = 10,
    // Times: 1024 buckets for each power of two above 2048 ns, one for each nanosecond below.
    EXACT = 2048,
    PART_BITS = 10,
    BUCKETS = EXACT + (26 << PART_BITS),
};

enum state { WAITING, RUNNING, STOPPED };

// What both ranks share. Each counter is alone on its cache lines.
struct counter {
    _Atomic int64_t value;
    char padding[120];
};

struct control {
    _Atomic int state;         // written by rank 0
    _Atomic int64_t warmup_ns; // written by rank 0, before it starts round trips
    _Atomic int64_t ns;
    _Atomic int done;          // of rank 1: senders that have ended
    _Atomic int ended;         // of rank 0: everything of every sender has arrived
    _Atomic int64_t reordered; // of rank 0, as is the next one
    _Atomic int64_t corrupted;
    _Atomic int64_t corrupted_echoes; // of rank 1, as are the times
    uint64_t times[BUCKETS];
    struct counter sent[THREADS_MAX];     // written by the sending thread, when it ends
    struct counter received[THREADS_MAX]; // written by rank 0's main thread
};

static struct control *control;
static bool one_way, verify;
static int size, threads, rank;
static MPI_Comm comms[THREADS_MAX]; // one for each sending thread

static int64_t now_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static void nap(void) {
    nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
}

static void die(const char *why) {
    fprintf(stderr, "openmpi, rank %d: %s\n", rank, why);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

// ---- payloads, as harness.Payload and SeededBytes make them ----

static const uint64_t GOLDEN = 0x9E3779B97F4A7C15;

static uint64_t mix(uint64_t value) {
    uint64_t z = (value ^ value >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
}

static uint64_t word(uint64_t seed, uint64_t place) {
    uint64_t z = (seed + place) * GOLDEN;
    return z ^ z >> 29;
}

static void fill(unsigned char *bytes, uint64_t thread, uint64_t sequence) {
    memcpy(bytes, &sequence, 8);
    memcpy(bytes + 8, &thread, 8);
    uint64_t seed = mix(thread * GOLDEN + sequence);
    for (int i = HEADER; i < size; i += 8) {
        uint64_t next = word(seed, (uint64_t)i);
        memcpy(bytes + i, &next, size - i < 8 ? (size_t)(size - i) : 8);
    }
}

static bool intact(const unsigned char *bytes, unsigned char *expected, uint64_t thread, uint64_t sequence) {
    fill(expected, thread, sequence);
    return memcmp(bytes, expected, (size_t)size) == 0;
}

// ---- rank 1 ----

static void await_start(void) {
    while (atomic_load(&control->state) == WAITING) {
        nap();
    }
}

static void *send_all(void *argument) {
    int thread = (int)(intptr_t)argument;
    MPI_Request requests[WINDOW];
    unsigned char *buffers = malloc((size_t)WINDOW * size), *payload = malloc((size_t)size);
    for (int i = 0; i < WINDOW; i++) {
        requests[i] = MPI_REQUEST_NULL;
    }
    fill(payload, thread, 0);
    await_start();
    int64_t sent = 0;
    while (atomic_load_explicit(&control->state, memory_order_relaxed) == RUNNING) {
        int slot = (int)(sent % WINDOW);
        MPI_Wait(&requests[slot], MPI_STATUS_IGNORE);
        // The application may change its payload when a send returns, as with every peer.
        unsigned char *copy = memcpy(buffers + (size_t)slot * size, payload, (size_t)size);
        MPI_Isend(copy, size, MPI_BYTE, 0, TAG, comms[thread], &requests[slot]);
        sent++;
        if (verify) {
            fill(payload, thread, (uint64_t)sent);
        }
    }
    MPI_Waitall(WINDOW, requests, MPI_STATUSES_IGNORE);
    atomic_store(&control->sent[thread].value, sent);
    atomic_fetch_add(&control->done, 1);
    MPI_Send(NULL, 0, MPI_BYTE, 0, TAG, comms[thread]); // no more will come
    free(buffers);
    free(payload);
    return NULL;
}

static void record(int64_t ns) {
    if (ns >= INT64_C(1) << 36) {
        ns = (INT64_C(1) << 36) - 1;
    }
    int shift = ns < EXACT ? 0 : 63 - __builtin_clzll((uint64_t)ns) - PART_BITS;
    int bucket = shift == 0 ? (int)ns : (shift << PART_BITS) + (int)(ns >> shift);
    control->times[bucket]++;
}

// The middle of a bucket.
static int64_t time_of(int bucket) {
    if (bucket < EXACT) {
        return bucket;
    }
    int shift = (bucket >> PART_BITS) - 1;
    return ((int64_t)(bucket - (shift << PART_BITS)) << shift) + (INT64_C(1) << shift) / 2;
}

static void ping(void) {
    unsigned char *payload = malloc((size_t)size), *echo = malloc((size_t)size);
    fill(payload, 0, 0);
    await_start();
    int64_t warm_end = now_ns() + control->warmup_ns, end = warm_end + control->ns, sent_ns;
    uint64_t sequence = 0;
    while ((sent_ns = now_ns()) < end && atomic_load_explicit(&control->state, memory_order_relaxed) == RUNNING) {
        MPI_Status status;
        int length;
        MPI_Send(payload, size, MPI_BYTE, 0, TAG, comms[0]);
        MPI_Recv(echo, size, MPI_BYTE, 0, TAG, comms[0], &status);
        if (sent_ns >= warm_end) {
            record(now_ns() - sent_ns);
        }
        MPI_Get_count(&status, MPI_BYTE, &length);
        if (length != size || (verify && memcmp(payload, echo, (size_t)size) != 0)) {
            atomic_fetch_add(&control->corrupted_echoes, 1);
        }
        if (verify) {
            fill(payload, 0, ++sequence);
        }
    }
    MPI_Send(NULL, 0, MPI_BYTE, 0, TAG, comms[0]);
    free(payload);
    free(echo);
    atomic_fetch_add(&control->done, 1);
}

static void client(void) {
    if (!one_way) {
        ping();
        return;
    }
    pthread_t others[THREADS_MAX];
    for (int i = 1; i < threads; i++) {
        if (pthread_create(&others[i], NULL, send_all, (void *)(intptr_t)i) != 0) {
            die("no thread");
        }
    }
    send_all((void *)0);
    for (int i = 1; i < threads; i++) {
        pthread_join(others[i], NULL);
    }
}

// ---- rank 0, main thread ----

// What comes of one sending thread; receives are posted in a ring, so that they complete in its order.
struct inbox {
    MPI_Request requests[WINDOW];
    unsigned char *buffers;
    int64_t received;
    uint64_t next;
    int slot;
    bool ended;
};

static void post(struct inbox *inbox, int thread, int slot) {
    MPI_Irecv(inbox->buffers + (size_t)slot * size, size, MPI_BYTE, 1, TAG, comms[thread], &inbox->requests[slot]);
}

static void check(struct inbox *inbox, const unsigned char *bytes, uint64_t thread, unsigned char *expected) {
    uint64_t sequence;
    memcpy(&sequence, bytes, 8);
    if (!intact(bytes, expected, thread, sequence)) {
        atomic_fetch_add(&control->corrupted, 1);
    } else if (sequence < inbox->next) {
        atomic_fetch_add(&control->reordered, 1);
    } else {
        inbox->next = sequence + 1;
    }
}

static void receive_all(void) {
    struct inbox *inboxes = calloc((size_t)threads, sizeof *inboxes);
    unsigned char *expected = malloc((size_t)size);
    for (int i = 0; i < threads; i++) {
        inboxes[i].buffers = malloc((size_t)WINDOW * size);
        for (int slot = 0; slot < WINDOW; slot++) {
            post(&inboxes[i], i, slot);
        }
    }
    for (int open = threads; open > 0;) {
        for (int i = 0; i < threads; i++) {
            struct inbox *inbox = &inboxes[i];
            MPI_Status status;
            int arrived, length;
            if (inbox->ended) {
                continue;
            }
            MPI_Test(&inbox->requests[inbox->slot], &arrived, &status);
            if (!arrived) {
                continue;
            }
            MPI_Get_count(&status, MPI_BYTE, &length);
            if (length == 0) {
                inbox->ended = true;
                open--;
                continue;
            }
            if (length != size) {
                atomic_fetch_add(&control->corrupted, 1);
            } else if (verify) {
                check(inbox, inbox->buffers + (size_t)inbox->slot * size, (uint64_t)i, expected);
            }
            atomic_store_explicit(&control->received[i].value, ++inbox->received, memory_order_release);
            post(inbox, i, inbox->slot);
            inbox->slot = (inbox->slot + 1) % WINDOW;
        }
    }
    atomic_store(&control->ended, 1);
    for (int i = 0; i < threads; i++) {
        for (int slot = 0; slot < WINDOW; slot++) {
            if (inboxes[i].requests[slot] != MPI_REQUEST_NULL) {
                MPI_Cancel(&inboxes[i].requests[slot]);
                MPI_Wait(&inboxes[i].requests[slot], MPI_STATUS_IGNORE);
            }
        }
        free(inboxes[i].buffers);
    }
    free(inboxes);
    free(expected);
}

static void echo_all(void) {
    unsigned char *payload = malloc((size_t)size);
    for (;;) {
        MPI_Status status;
        int length;
        MPI_Recv(payload, size, MPI_BYTE, 1, TAG, comms[0], &status);
        MPI_Get_count(&status, MPI_BYTE, &length);
        if (length == 0) {
            break;
        }
        MPI_Send(payload, length, MPI_BYTE, 1, TAG, comms[0]);
    }
    free(payload);
}

// ---- rank 0, commands; this thread never calls MPI but to abort ----

static int64_t sum(const struct counter *counters) {
    int64_t all = 0;
    for (int i = 0; i < threads; i++) {
        all += atomic_load(&counters[i].value);
    }
    return all;
}

static void answer_stop(void) {
    atomic_store(&control->state, STOPPED);
    while (atomic_load(&control->done) < threads) {
        nap();
    }
    for (int i = 0; i < threads; i++) {
        printf("%s%" PRId64, i == 0 ? "" : " ", atomic_load(&control->sent[i].value));
    }
}

static void answer_trips(const char *arguments) {
    int64_t warmup_ns, ns;
    if (sscanf(arguments, "%" SCNd64 " %" SCNd64, &warmup_ns, &ns) != 2) {
        die("trips without times");
    }
    atomic_store(&control->warmup_ns, warmup_ns);
    atomic_store(&control->ns, ns);
    atomic_store(&control->state, RUNNING);
    while (atomic_load(&control->done) == 0) {
        nap();
    }
    printf("%" PRId64, atomic_load(&control->corrupted_echoes));
    for (int i = 0; i < BUCKETS; i++) {
        if (control->times[i] != 0) {
            printf(" %" PRId64 ":%" PRIu64, time_of(i), control->times[i]);
        }
    }
}

// Lost, duplicated, reordered, corrupted.
static void answer_finish(void) {
    int64_t deadline = now_ns() + FINISH_SECONDS * INT64_C(1000000000);
    while (!atomic_load(&control->ended) && now_ns() < deadline) {
        nap();
    }
    int64_t missing = sum(control->sent) - sum(control->received);
    printf("%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64, missing > 0 ? missing : 0, missing < 0 ? -missing : 0,
           atomic_load(&control->reordered), atomic_load(&control->corrupted));
}

static void *obey(void *unused) {
    char line[256], side[16], command[16];
    int rest;
    while (fgets(line, sizeof line, stdin) != NULL && sscanf(line, "%15s %15s%n", side, command, &rest) == 2) {
        fputs("@dxnet ", stdout);
        if (strcmp(command, "start") == 0) {
            atomic_store(&control->state, RUNNING);
            fputs("ok", stdout);
        } else if (strcmp(command, "stop") == 0) {
            answer_stop();
        } else if (strcmp(command, "trips") == 0) {
            answer_trips(line + rest);
        } else if (strcmp(command, "count") == 0) {
            int64_t received = sum(control->received);
            printf("%" PRId64 " %" PRId64, received, now_ns());
        } else if (strcmp(command, "finish") == 0) {
            answer_finish();
        } else if (strcmp(command, "probe") == 0) {
            fputs("ok", stdout);
        } else {
            printf("failed %s: unknown command", command);
        }
        putchar('\n');
        fflush(stdout);
    }
    atomic_store(&control->state, STOPPED); // no more commands: the round is over
    return unused;
}

// The side that receives.
static void server(void) {
    pthread_t commands;
    if (pthread_create(&commands, NULL, obey, NULL) != 0) {
        die("no thread");
    }
    if (one_way) {
        receive_all();
    } else {
        echo_all();
    }
    pthread_join(commands, NULL);
}

int main(int count, char **words) {
    int provided, ranks;
    bool several = count == 6 && atoi(words[4]) > 1;
    // Rank 0 receives on one thread; only rank 1 sends on several.
    MPI_Init_thread(&count, &words, several ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (count != 6 || ranks != 2) {
        die("usage: mpirun -np 2 openmpi CONTROL ONE_WAY|ROUND_TRIP SIZE THREADS true|false");
    }
    one_way = strcmp(words[2], "ONE_WAY") == 0;
    size = atoi(words[3]);
    threads = atoi(words[4]);
    verify = strcmp(words[5], "true") == 0;
    if (size < HEADER || threads < 1 || threads > THREADS_MAX) {
        die("no such workload");
    }
    if (several && provided < MPI_THREAD_MULTIPLE) {
        die("this MPI has no MPI_THREAD_MULTIPLE");
    }
    int file = open(words[1], O_RDWR | O_CREAT, 0600);
    if (file < 0 || ftruncate(file, sizeof *control) != 0) {
        die("no control file");
    }
    control = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (control == MAP_FAILED) {
        die("no control file");
    }
    close(file);
    for (int i = 0; i < threads; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    }
    if (rank == 0) {
        server();
    } else {
        client();
    }
    MPI_Finalize();
    return 0;
}
