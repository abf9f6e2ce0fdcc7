package io.dxnet.softhca.roce;

/**
 * The answering half of a reliable connection: accepts each packet once and in order, reports a
 * missing one once, answers duplicates again without executing them, and acknowledges many packets
 * with one answer. One thread at a time drives it; answers are sent by {@link #answer} alone.
 */
public final class ResponderMachine {
    private static final int NOTHING = -1;

    /** The message whose packets come. */
    private enum Message {
        NONE,
        SEND,
        WRITE
    }

    private final RequestSink sink;
    private final Wire wire;
    private final Packet packet = new Packet();
    private final ResponderSettings settings;
    private final AnswerQueue answers;

    /** The number of the next packet. */
    private long expected;

    private int messages;
    private Message message = Message.NONE;
    private long offset;
    private long writeAddress;
    private int writeKey;
    private long writeLength;

    /** Whether an acknowledgement is to be sent, and a negative one: its syndrome, or nothing. */
    private boolean acknowledges;

    private int refusal = NOTHING;

    /** Whether a message's packet was accepted since the last answer, requested or not. */
    private boolean owes;

    /** Whether the requester knows that {@link #expected} did not come or was not accepted. */
    private boolean hasRefused;

    /** Whether a read's answer begins: its first packet is a "first" or "only". */
    private boolean readBegins = true;

    private boolean stopped;

    /**
     * Creates a responder that has received nothing.
     *
     * @param sink executes requests
     * @param wire the way to the requester
     * @param settings what it is set to
     */
    public ResponderMachine(RequestSink sink, Wire wire, ResponderSettings settings) {
        this.sink = sink;
        this.wire = wire;
        this.settings = settings;
        this.answers = new AnswerQueue(settings.maxReads());
        expected = settings.firstPsn();
    }

    /**
     * Processes a request's packet. {@link #answer} is to be called soon afterwards.
     *
     * @param request a packet of a reliable connection of which {@link Opcode#isResponse} does not
     *     hold
     */
    public void receive(Packet request) {
        if (stopped) {
            return;
        }
        long psn = Psn.counted(request.psn(), expected);
        if (psn < expected) {
            repeat(request, psn);
        } else if (psn > expected) {
            if (!hasRefused) {
                hasRefused = true;
                refusal = AethDescriptor.MISSING;
            }
        } else {
            accept(request);
        }
    }

    /** The number of the next packet, counted. */
    long expected() {
        return expected;
    }

    private void repeat(Packet request, long psn) {
        switch (request.opcode()) {
            case Opcode.READ_REQUEST ->
                answers.repeatRead(
                        psn,
                        settings.pathMtu(),
                        RethDescriptor.address(request.bytes()),
                        RethDescriptor.key(request.bytes()),
                        RethDescriptor.length(request.bytes()));
            case Opcode.COMPARE_SWAP, Opcode.FETCH_ADD -> answers.repeatAtomic(psn);
            default -> acknowledges = true;
        }
    }

    private void accept(Packet request) {
        int opcode = request.opcode();
        Answer answer;
        boolean isMessage = Opcode.isMessage(opcode);
        if (Opcode.isSend(opcode)) {
            answer = acceptSend(request, opcode);
        } else if (opcode <= Opcode.WRITE_ONLY_IMM) {
            answer = acceptWrite(request, opcode - Opcode.WRITE_FIRST, opcode);
        } else if (message != Message.NONE) {
            answer = invalid();
        } else if (answers.isFull()) {
            return;
        } else {
            answer = opcode == Opcode.READ_REQUEST ? acceptRead(request) : acceptAtomic(request, opcode);
        }
        if (answer == Answer.DONE) {
            hasRefused = false;
            // The answer to a read or an atomic operation acknowledges all earlier packets.
            acknowledges = isMessage && (acknowledges || request.wantsAcknowledgement());
            owes = isMessage;
        } else {
            refuse(answer);
        }
    }

    private void refuse(Answer answer) {
        hasRefused = true;
        refusal = switch (answer) {
            case NOT_READY -> AethDescriptor.NOT_READY | sink.notReadyTimer() & 0x1f;
            case ACCESS_ERROR -> AethDescriptor.ACCESS_ERROR;
            case OPERATION_ERROR -> AethDescriptor.OPERATION_ERROR;
            default -> AethDescriptor.INVALID_REQUEST;
        };
        stopped = answer != Answer.NOT_READY;
    }

    private Answer invalid() {
        sink.refuseInvalid();
        return Answer.INVALID_REQUEST;
    }

    /** Whether a packet is in its place, and has the payload that its place demands. */
    private boolean isInOrder(int place, Message kind, int payload) {
        boolean isFirst = place == 0 || place >= 4;
        boolean isLast = place >= 2;
        if (message != (isFirst ? Message.NONE : kind)) {
            return false;
        }
        return isLast ? payload <= settings.pathMtu() && (payload > 0 || isFirst) : payload == settings.pathMtu();
    }

    private Answer acceptSend(Packet request, int opcode) {
        int payload = request.payloadBytes();
        int place = switch (opcode) {
            case Opcode.SEND_LAST_INV -> Opcode.SEND_LAST;
            case Opcode.SEND_ONLY_INV -> Opcode.SEND_ONLY;
            default -> opcode;
        };
        if (!isInOrder(place, Message.SEND, payload)) {
            return invalid();
        }
        if (message == Message.NONE) {
            Answer begun = sink.beginReceive();
            if (begun != Answer.DONE) {
                return begun;
            }
            offset = 0;
        }
        Answer written = sink.receive(offset, request);
        if (written != Answer.DONE) {
            return written;
        }
        boolean isLast = place >= Opcode.SEND_LAST;
        Answer ended = isLast ? sink.endReceive(true, offset + payload, request) : Answer.DONE;
        if (ended != Answer.DONE) {
            return ended;
        }
        offset += payload;
        message = isLast ? Message.NONE : Message.SEND;
        expected++;
        messages += isLast ? 1 : 0;
        return Answer.DONE;
    }

    private Answer acceptWrite(Packet request, int place, int opcode) {
        int payload = request.payloadBytes();
        if (!isInOrder(place, Message.WRITE, payload)) {
            return invalid();
        }
        if (message == Message.NONE) {
            writeAddress = RethDescriptor.address(request.bytes());
            writeKey = RethDescriptor.key(request.bytes());
            writeLength = RethDescriptor.length(request.bytes());
            offset = 0;
        }
        boolean isLast = place >= 2;
        long left = writeLength - offset - payload;
        if (isLast ? left != 0 : left <= 0) {
            return invalid();
        }
        if (message == Message.NONE) {
            Answer allowed = sink.checkWrite(writeAddress, writeKey, writeLength);
            if (allowed != Answer.DONE) {
                return allowed;
            }
        }
        boolean hasImmediate = Opcode.hasImmediate(opcode);
        if (hasImmediate) {
            Answer begun = sink.beginReceive();
            if (begun != Answer.DONE) {
                return begun;
            }
        }
        Answer written = payload == 0 ? Answer.DONE : sink.write(writeAddress + offset, writeKey, request);
        if (written != Answer.DONE) {
            return written;
        }
        offset += payload;
        message = isLast ? Message.NONE : Message.WRITE;
        expected++;
        if (isLast) {
            messages++;
            if (hasImmediate) {
                sink.endReceive(false, writeLength, request);
            } else {
                sink.endWrite();
            }
        }
        return Answer.DONE;
    }

    private Answer acceptRead(Packet request) {
        long address = RethDescriptor.address(request.bytes());
        int key = RethDescriptor.key(request.bytes());
        long length = RethDescriptor.length(request.bytes());
        Answer allowed = sink.checkRead(address, key, length);
        if (allowed != Answer.DONE) {
            return allowed;
        }
        long packets = Math.max(1, (length + settings.pathMtu() - 1) / settings.pathMtu());
        if (packets > Psn.MASK / 2) {
            return invalid();
        }
        answers.addRead(expected, packets, address, key, length);
        expected += packets;
        messages++;
        return Answer.DONE;
    }

    private Answer acceptAtomic(Packet request, int opcode) {
        Answer executed = sink.atomic(
                opcode == Opcode.COMPARE_SWAP,
                AtomicDescriptor.address(request.bytes()),
                AtomicDescriptor.key(request.bytes()),
                AtomicDescriptor.swapOrAdd(request.bytes()),
                AtomicDescriptor.compare(request.bytes()));
        if (executed != Answer.DONE) {
            return executed;
        }
        answers.addAtomic(expected, sink.atomicResult());
        expected++;
        messages++;
        return Answer.DONE;
    }

    /**
     * Sends what is to be answered: the answers to reads and atomic operations in order, then one
     * acknowledgement for everything.
     *
     * @param packetsMax how many packets it sends at most, beside an acknowledgement
     * @return whether more is left
     */
    public boolean answer(int packetsMax) {
        for (int i = 0; !answers.isEmpty(); i++) {
            if (i == packetsMax) {
                return true;
            }
            answerOne();
        }
        if (refusal != NOTHING) {
            acknowledge(wire, refusal, expected);
            refusal = NOTHING;
            acknowledges = false;
        } else {
            acknowledge(wire);
        }
        return false;
    }

    /**
     * Sends the acknowledgement that is due, unless something is to be sent before it.
     *
     * @param to the way to the requester, this machine's or another one's
     */
    public void acknowledge(Wire to) {
        if (acknowledges && answers.isEmpty() && refusal == NOTHING) {
            acknowledge(to, AethDescriptor.ACKNOWLEDGED, expected - 1);
            acknowledges = false;
        }
    }

    /**
     * Acknowledges all that was accepted, requested or not, unless answers to reads or atomic
     * operations wait: the application may have it, and no later packet will request it.
     */
    public void acknowledgeAll() {
        if (answers.isEmpty()) {
            acknowledges |= owes;
            answer(0);
        }
    }

    private void acknowledge(Wire to, int syndrome, long psn) {
        owes = false;
        packet.begin(Opcode.ACKNOWLEDGE, false, settings.peer(), false, psn);
        AethDescriptor.write(packet.bytes(), syndrome, messages);
        to.send(packet);
    }

    private void answerOne() {
        if (answers.isAtomic()) {
            packet.begin(Opcode.ATOMIC_ACKNOWLEDGE, false, settings.peer(), false, answers.psn());
            AethDescriptor.write(packet.bytes(), AethDescriptor.ACKNOWLEDGED, messages);
            AtomicAckDescriptor.write(packet.bytes(), answers.address());
            wire.send(packet);
            answers.sent(0);
            return;
        }
        boolean isLast = answers.isLastPacket();
        int opcode = readBegins
                ? isLast ? Opcode.READ_ONLY : Opcode.READ_FIRST
                : isLast ? Opcode.READ_LAST : Opcode.READ_MIDDLE;
        int bytes = (int) Math.min(settings.pathMtu(), answers.bytes());
        packet.begin(opcode, false, settings.peer(), false, answers.psn());
        if (opcode != Opcode.READ_MIDDLE) {
            AethDescriptor.write(packet.bytes(), AethDescriptor.ACKNOWLEDGED, messages);
        }
        Answer read = bytes == 0 ? Answer.DONE : sink.read(answers.address(), answers.key(), packet, bytes);
        if (read != Answer.DONE) {
            expected = answers.psn();
            answers.clear();
            readBegins = true;
            refuse(read);
            return;
        }
        packet.setPayload(bytes);
        wire.send(packet);
        readBegins = isLast;
        answers.sent(bytes);
    }

    /**
     * Ends the machine: it accepts nothing any more, and has nothing to answer. What was received
     * is acknowledged before: the application may have the receives that it acknowledges, and
     * the requester of a queue pair that is gone would never learn of them. Answers to reads and
     * atomic operations are dropped, and with them the acknowledgement behind them.
     */
    public void stop() {
        stopped = true;
        acknowledgeAll();
        answers.clear();
        acknowledges = false;
        refusal = NOTHING;
    }
}
