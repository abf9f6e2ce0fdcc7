/*
 * The C side of the benchmarks: what JNI calls, the same calls made by C itself, and a verbs provider that does no work. The
 * section "verbs" is also the JNI code of whole systems, ./dxnet bench --binding jni and --binding upcall.
 * Compiled when a benchmark needs it, never part of the library.
 *
 *   cc -O2 -shared -fPIC -I$JAVA_HOME/include -I$JAVA_HOME/include/linux -pthread -o libbenchmarks.so benchmarks.c
 */
#include <errno.h>
#include <jni.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- libibverbs' structures, as far as a provider reads them */

struct element {
    uint64_t address;
    uint32_t length;
    uint32_t key;
};

struct send_request {
    uint64_t id;
    struct send_request *next;
    struct element *elements;
    int count;
    int opcode;
    unsigned int flags;
    uint32_t immediate;
};

struct receive_request {
    uint64_t id;
    struct receive_request *next;
    struct element *elements;
    int count;
};

struct completion {
    uint64_t id;
    int status;
    int opcode;
    uint32_t vendor_error;
    uint32_t byte_length;
    uint32_t immediate;
    uint32_t qp_number;
    uint32_t source_qp;
    unsigned int flags;
    uint16_t pkey_index;
    uint16_t slid;
    uint8_t sl;
    uint8_t path_bits;
};

#if defined(__has_include)
#if __has_include(<infiniband/verbs.h>)
#include <infiniband/verbs.h>
_Static_assert(sizeof(struct element) == sizeof(struct ibv_sge), "ibv_sge");
_Static_assert(offsetof(struct send_request, immediate) == offsetof(struct ibv_send_wr, imm_data), "ibv_send_wr");
_Static_assert(offsetof(struct receive_request, count) == offsetof(struct ibv_recv_wr, num_sge), "ibv_recv_wr");
_Static_assert(sizeof(struct completion) == sizeof(struct ibv_wc), "ibv_wc");
_Static_assert(offsetof(struct completion, qp_number) == offsetof(struct ibv_wc, qp_num), "ibv_wc");
#endif
#endif

/* ---------------------------------------------------------------- a provider without a device */

/* What a driver of real hardware does in user space: it turns each request into a queue entry and rings a doorbell once. */
#define ENTRIES 1024

struct entry {
    uint64_t words[8];
};

static struct entry queue[ENTRIES];
static unsigned int next_entry;
static volatile uint64_t doorbell;

/* How many completions each poll finds. */
static volatile int ready;

void provider_ready(int completions) {
    ready = completions;
}

static struct entry *begin_entry(uint64_t id, const struct element *elements, int count) {
    struct entry *entry = &queue[next_entry++ % ENTRIES];
    entry->words[1] = id;
    for (int i = 0; i < count && i < 3; i++) {
        entry->words[2 + 2 * i] = elements[i].address;
        entry->words[3 + 2 * i] = (uint64_t) elements[i].length << 32 | elements[i].key;
    }
    return entry;
}

static int ring_doorbell(void) {
    __atomic_thread_fence(__ATOMIC_RELEASE);
    doorbell = next_entry;
    return 0;
}

int provider_post_send(void *pair, struct send_request *request, struct send_request **bad) {
    (void) pair;
    (void) bad;
    for (; request; request = request->next) {
        struct entry *entry = begin_entry(request->id, request->elements, request->count);
        entry->words[0] = (uint64_t) request->opcode << 32 | request->flags;
    }
    return ring_doorbell();
}

int provider_post_receive(void *receiver, struct receive_request *request, struct receive_request **bad) {
    (void) receiver;
    (void) bad;
    for (; request; request = request->next) {
        begin_entry(request->id, request->elements, request->count);
    }
    return ring_doorbell();
}

int provider_poll(void *completions, int entries, struct completion *into) {
    (void) completions;
    int count = ready < entries ? ready : entries;
    for (int i = 0; i < count; i++) {
        struct completion *one = &into[i];
        one->id = i;
        one->status = 0;
        one->opcode = 0;
        one->vendor_error = 0;
        one->byte_length = 64;
        one->qp_number = 1;
        one->flags = 0;
    }
    return count;
}

int provider_notify(void *completions, int solicited_only) {
    (void) completions;
    (void) solicited_only;
    return 0;
}

/* Operations of a context: their distance from it and their functions, to be written over those of the device that was opened. */
typedef void *(*open_function)(void *device);

static open_function real_open;
static const int64_t *operation_offsets;
static void *const operations[] = {
    (void *) provider_poll, (void *) provider_notify, (void *) provider_post_receive,
    (void *) provider_post_send, (void *) provider_post_receive
};

/* offsets: of poll_cq, req_notify_cq, post_srq_recv, post_send, post_recv in ibv_context; stays valid. */
void provider_install(void *open, const int64_t *offsets) {
    real_open = (open_function) open;
    operation_offsets = offsets;
}

void *provider_open(void *device) {
    char *context = real_open(device);
    if (context) {
        for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++) {
            memcpy(context + operation_offsets[i], &operations[i], sizeof(void *));
        }
    }
    return context;
}

/* ---------------------------------------------------------------- verbs: one call through JNI, and many calls made by C */

typedef int (*post_function)(void *queue, void *request, void **bad);
typedef int (*poll_function)(void *queue, int entries, void *completions);
typedef int (*notify_function)(void *queue, int solicited_only);

#define JAVA(type, name, ...) JNIEXPORT type JNICALL Java_io_dxnet_jmh_Jni_##name(JNIEnv *env, jclass class, ##__VA_ARGS__)
#define UNUSED ((void) env, (void) class)
#define POINTER(address) ((void *) (uintptr_t) (address))

JAVA(jint, post, jlong function, jlong pair, jlong request, jlong bad) {
    UNUSED;
    return ((post_function) (uintptr_t) function)(POINTER(pair), POINTER(request), POINTER(bad));
}

JAVA(jint, poll, jlong function, jlong completions, jint entries, jlong into) {
    UNUSED;
    return ((poll_function) (uintptr_t) function)(POINTER(completions), entries, POINTER(into));
}

/* What pollWithUpcall calls. Preparing again while other threads poll stores what is there, a reference to the same class. */
static jclass upcall_class;
static jmethodID upcall;

JAVA(void, prepareUpcall, jclass receiver) {
    (void) class;
    jmethodID found = (*env)->GetStaticMethodID(env, receiver, "received", "(JI)I");
    if (found) { /* else an error is pending, which the caller gets */
        upcall_class = (*env)->NewGlobalRef(env, receiver);
        upcall = found;
    }
}

/* The crossing of Ibdxnet's receive thread: completions are reported by a call of Java. What that throws, the caller gets. */
JAVA(jint, pollWithUpcall, jlong function, jlong completions, jint entries, jlong into) {
    (void) class;
    int count = ((poll_function) (uintptr_t) function)(POINTER(completions), entries, POINTER(into));
    return count > 0 ? (*env)->CallStaticIntMethod(env, upcall_class, upcall, into, (jint) count) : count;
}

JAVA(jint, requestNotification, jlong function, jlong completions, jint solicited_only) {
    UNUSED;
    return ((notify_function) (uintptr_t) function)(POINTER(completions), solicited_only);
}

/*
 * Any other verb: on amd64 and aarch64, six integers and pointers are in registers of 64 bits, and the callee reads the bits of
 * its own types.
 */
static int64_t call_any(uintptr_t f, const uint64_t *a, int count) {
    switch (count) {
        case 0:
            return ((int64_t (*)(void)) f)();
        case 1:
            return ((int64_t (*)(uint64_t)) f)(a[0]);
        case 2:
            return ((int64_t (*)(uint64_t, uint64_t)) f)(a[0], a[1]);
        case 3:
            return ((int64_t (*)(uint64_t, uint64_t, uint64_t)) f)(a[0], a[1], a[2]);
        case 4:
            return ((int64_t (*)(uint64_t, uint64_t, uint64_t, uint64_t)) f)(a[0], a[1], a[2], a[3]);
        case 5:
            return ((int64_t (*)(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t)) f)(a[0], a[1], a[2], a[3], a[4]);
        case 6:
            return ((int64_t (*)(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t)) f)(a[0], a[1], a[2], a[3], a[4], a[5]);
        default:
            errno = E2BIG;
            return -1;
    }
}

JAVA(jlong, call, jlong function, jlong arguments, jint count, jlong error) {
    UNUSED;
    int64_t result = call_any((uintptr_t) function, POINTER(arguments), count);
    *(int *) POINTER(error) = errno;
    return result;
}

/* The function pointers of the loops are volatile: each call loads it and cannot be inlined, as with context->ops. */

JAVA(jlong, postInC, jlong function, jlong pair, jlong request, jlong bad, jint times) {
    UNUSED;
    volatile post_function post = (post_function) (uintptr_t) function;
    jlong sum = 0;
    for (jint i = 0; i < times; i++) {
        sum += post(POINTER(pair), POINTER(request), POINTER(bad));
    }
    return sum;
}

JAVA(jlong, pollInC, jlong function, jlong completions, jint entries, jlong into, jint times) {
    UNUSED;
    volatile poll_function poll = (poll_function) (uintptr_t) function;
    jlong sum = 0;
    for (jint i = 0; i < times; i++) {
        sum += poll(POINTER(completions), entries, POINTER(into));
    }
    return sum;
}

/* Polls and reads what every consumer reads: id and status. */
JAVA(jlong, pollAndReadInC, jlong function, jlong completions, jint entries, jlong into, jint times) {
    UNUSED;
    volatile poll_function poll = (poll_function) (uintptr_t) function;
    jlong sum = 0;
    for (jint i = 0; i < times; i++) {
        int count = poll(POINTER(completions), entries, POINTER(into));
        for (int j = 0; j < count; j++) {
            volatile struct completion *one = (volatile struct completion *) POINTER(into) + j;
            sum += (jlong) one->id + one->status;
        }
    }
    return sum;
}

/* Fills a chain of sends of one element each, then posts it. */
JAVA(jlong, fillAndPostInC, jlong function, jlong pair, jlong chain, jint count, jint stride, jlong data, jint key, jlong bad, jint times) {
    UNUSED;
    volatile post_function post = (post_function) (uintptr_t) function;
    jlong sum = 0;
    for (jint i = 0; i < times; i++) {
        for (jint j = 0; j < count; j++) {
            struct send_request *request = POINTER(chain + (jlong) j * stride);
            struct element *element = request->elements;
            request->id = j;
            request->next = j + 1 < count ? POINTER(chain + (jlong) (j + 1) * stride) : NULL;
            request->count = 1;
            request->opcode = 2;
            request->flags = j + 1 < count ? 0 : 2;
            element->address = data + 64 * j;
            element->length = 64;
            element->key = key;
        }
        sum += post(POINTER(pair), POINTER(chain), POINTER(bad));
    }
    return sum;
}

/* One whole message exchange: receives, sends, one completion of the sender, as many of the receiver as there were sends. */
static int exchange(post_function post_receive, void *shared, void *receives, post_function post_send, void *pair, void *sends,
                    poll_function poll, void *sent, void *received, void *into, int count, void *bad) {
    int failures = post_receive(shared, receives, bad) + post_send(pair, sends, bad);
    while (poll(sent, 1, into) == 0) {
    }
    for (int got = 0; got < count;) {
        got += poll(received, count - got, into);
    }
    return failures;
}

/* functions and objects: post_srq_recv, srq, receives, post_send, qp, sends, poll_cq, send cq, receive cq, completions, bad. */
JAVA(jlong, exchangeInC, jlong arguments, jint count, jint times) {
    UNUSED;
    const uint64_t *a = POINTER(arguments);
    jlong sum = 0;
    for (jint i = 0; i < times; i++) {
        sum += exchange((post_function) a[0], POINTER(a[1]), POINTER(a[2]), (post_function) a[3], POINTER(a[4]), POINTER(a[5]),
                        (poll_function) a[6], POINTER(a[7]), POINTER(a[8]), POINTER(a[9]), count, POINTER(a[10]));
    }
    return sum;
}

/* ---------------------------------------------------------------- crossing */

int three_longs(int64_t a, int64_t b, int64_t c) {
    (void) a;
    (void) b;
    (void) c;
    return 0;
}

typedef int (*three_function)(int64_t, int64_t, int64_t);

JAVA(void, nothing) {
    UNUSED;
}

JAVA(jint, threeLongs, jlong a, jlong b, jlong c) {
    UNUSED;
    return three_longs(a, b, c);
}

JAVA(jlong, threeLongsInC, jint times) {
    UNUSED;
    volatile three_function function = three_longs;
    jlong sum = 0;
    for (jint i = 0; i < times; i++) {
        sum += function(i, i, i);
    }
    return sum;
}

static JavaVM *vm;
static jclass callee_class;
static jmethodID callee;

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *machine, void *reserved) {
    (void) reserved;
    vm = machine;
    return JNI_VERSION_10;
}

static jmethodID receiver;

/* Has to be called once before those below. */
JAVA(void, prepareCalls) {
    callee_class = (*env)->NewGlobalRef(env, class);
    callee = (*env)->GetStaticMethodID(env, class, "called", "(JJJ)V");
    receiver = (*env)->GetStaticMethodID(env, class, "received", "(JI)V");
}

JAVA(void, callJava, jint times) {
    (void) class;
    for (jint i = 0; i < times; i++) {
        (*env)->CallStaticVoidMethod(env, callee_class, callee, (jlong) i, (jlong) i, (jlong) i);
    }
}

JAVA(jint, callJavaChecked, jint times) {
    (void) class;
    jint failures = 0;
    for (jint i = 0; i < times; i++) {
        (*env)->CallStaticVoidMethod(env, callee_class, callee, (jlong) i, (jlong) i, (jlong) i);
        failures += (*env)->ExceptionCheck(env);
    }
    return failures;
}

static void *attach_and_call(void *times) {
    for (intptr_t i = (intptr_t) times; i > 0; i--) {
        JNIEnv *env;
        if ((*vm)->AttachCurrentThreadAsDaemon(vm, (void **) &env, NULL) != JNI_OK) {
            return "AttachCurrentThreadAsDaemon failed";
        }
        (*env)->CallStaticVoidMethod(env, callee_class, callee, (jlong) i, (jlong) i, (jlong) i);
        (*vm)->DetachCurrentThread(vm);
    }
    return NULL;
}

/* From a thread that the JVM does not know: attaches it, calls, detaches it, each time. Returns 0, or not. */
JAVA(jint, callJavaAttaching, jint times) {
    UNUSED;
    pthread_t thread;
    void *failure;
    if (pthread_create(&thread, NULL, attach_and_call, (void *) (intptr_t) times)) {
        return 1;
    }
    pthread_join(thread, &failure);
    return failure != NULL;
}

/* The receive thread of Ibdxnet: polls in C, and calls Java for what it found. Returns 0, or not. */
JAVA(jint, pollAndCallJava, jlong function, jlong completions, jint entries, jlong into, jint times) {
    (void) class;
    volatile poll_function poll = (poll_function) (uintptr_t) function;
    for (jint i = 0; i < times; i++) {
        int count = poll(POINTER(completions), entries, POINTER(into));
        if (count > 0) {
            (*env)->CallStaticVoidMethod(env, callee_class, receiver, into, (jint) count);
            if ((*env)->ExceptionCheck(env)) {
                return 1;
            }
        }
    }
    return 0;
}

typedef void (*receiver_function)(int64_t into, int count);

/* The same with an upcall stub of FFM. */
void poll_and_call(poll_function function, void *completions, int entries, void *into, receiver_function call, int times) {
    volatile poll_function poll = function;
    for (int i = 0; i < times; i++) {
        int count = poll(completions, entries, into);
        if (count > 0) {
            call((int64_t) (uintptr_t) into, count);
        }
    }
}

typedef void (*upcall_function)(int64_t, int64_t, int64_t);

void call_upcall(upcall_function function, int times) {
    volatile upcall_function call = function;
    for (int i = 0; i < times; i++) {
        call(i, i, i);
    }
}

/* ---------------------------------------------------------------- exchanging 64 bytes */

#define WORDS 8

int64_t sum_words(const int64_t *words) {
    int64_t sum = 0;
    for (int i = 0; i < WORDS; i++) {
        sum += words[i];
    }
    return sum;
}

JAVA(jlong, sumAddress, jlong address) {
    UNUSED;
    return sum_words(POINTER(address));
}

JAVA(jlong, sumBuffer, jobject buffer) {
    (void) class;
    return sum_words((*env)->GetDirectBufferAddress(env, buffer));
}

JAVA(jlong, sumArrayRegion, jbyteArray array) {
    (void) class;
    int64_t words[WORDS];
    (*env)->GetByteArrayRegion(env, array, 0, sizeof words, (jbyte *) words);
    return sum_words(words);
}

JAVA(jlong, sumArrayElements, jbyteArray array) {
    (void) class;
    jbyte *bytes = (*env)->GetByteArrayElements(env, array, NULL);
    jlong sum = sum_words((const int64_t *) bytes);
    (*env)->ReleaseByteArrayElements(env, array, bytes, JNI_ABORT);
    return sum;
}

JAVA(jlong, sumArrayCritical, jbyteArray array) {
    (void) class;
    void *words = (*env)->GetPrimitiveArrayCritical(env, array, NULL);
    jlong sum = sum_words(words);
    (*env)->ReleasePrimitiveArrayCritical(env, array, words, JNI_ABORT);
    return sum;
}
