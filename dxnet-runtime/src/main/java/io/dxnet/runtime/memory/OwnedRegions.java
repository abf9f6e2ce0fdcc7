package io.dxnet.runtime.memory;

import io.dxnet.ConnectionLostException;
import io.dxnet.DXNetException;
import io.dxnet.NetClosedException;
import io.dxnet.Response;
import io.dxnet.memory.Right;
import io.dxnet.runtime.handle.TypeRegistry;
import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.runtime.request.ServiceRequest;
import io.dxnet.runtime.wire.HeaderDescriptor;
import io.dxnet.spi.MessageAccess;
import io.dxnet.transport.memory.ExposedMemory;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The regions that this node shares, and its peers' attachments to them. Carries out what peers
 * ask for, on message handler threads: a copy, or an atomic, and no callback but a
 * notification's. Any thread.
 */
final class OwnedRegions {
    /** Attachments of one peer to one region; a further one is refused. */
    static final int ATTACHMENTS_MAX = 64;
    /** Revoked attachments that are remembered: their peers get that reason. */
    private static final int REVOKED_MAX = 4096;

    private static final MessageAccess ACCESS = MessageAccess.get();

    private final Services services;
    private final int pieceMax;
    private final SecureRandom random = new SecureRandom();
    private final Map<String, OwnedRegion> byName = new ConcurrentHashMap<>();
    private final AttachmentTable attachments = new AttachmentTable();
    private final Map<Long, Boolean> revoked = new LinkedHashMap<>(); // under the monitor

    /**
     * None yet.
     *
     * @param pieceMax the most bytes of one message
     */
    OwnedRegions(Services services, int pieceMax) {
        this.services = services;
        this.pieceMax = pieceMax;
    }

    /** Registers what peers send. Before anything arrives. */
    void register(TypeRegistry types) {
        types.registerService(AttachRequest.TYPE, AttachRequest::new, (AttachRequest request) -> attach(request));
        types.registerService(ReadRequest.TYPE, ReadRequest::new, (ReadRequest request) -> read(request));
        types.registerService(
                WriteRequest.TYPE, () -> new WriteRequest(this), (WriteRequest request) -> written(request));
        types.registerService(AtomicRequest.TYPE, AtomicRequest::new, (AtomicRequest request) -> change(request));
        types.registerService(StatusRequest.TYPE, StatusRequest::new, (StatusRequest request) -> {
            Attachment granted = find(request.attachment(), origin(request));
            Status status =
                    granted == null ? Status.UNKNOWN_ATTACHMENT : granted.region() == null ? Status.REVOKED : Status.OK;
            respond(request.reply().with(status, 0), request);
        });
        types.registerService(Notice.DETACHED, Notice::new, (Notice notice) -> detach(notice));
    }

    long nextId() {
        return random.nextLong();
    }

    /**
     * Shares a region under its name.
     *
     * @throws IllegalStateException when another one has it
     */
    void add(OwnedRegion region) {
        if (byName.putIfAbsent(region.name(), region) != null) {
            throw new IllegalStateException("a region of the name " + region.name() + " is shared already");
        }
    }

    /**
     * A region is closed: no peer attaches any more, and the accesses of its peers are revoked.
     * They are to be {@link #ended} after that.
     *
     * @return the attachments it had
     */
    List<Attachment> remove(OwnedRegion region) {
        byName.remove(region.name(), region);
        List<Attachment> had = new ArrayList<>();
        for (Attachment each : attachments.all()) {
            if (each.region() == region) {
                revoke(each);
                had.add(each);
            }
        }
        return had;
    }

    private void revoke(Attachment attachment) {
        attachment.revoke();
        synchronized (this) {
            revoked.put(attachment.id, true);
            if (revoked.size() > REVOKED_MAX) {
                Iterator<Long> oldest = revoked.keySet().iterator();
                attachments.remove(oldest.next());
                oldest.remove();
            }
        }
    }

    /** The memory of their region is closed to them: informs the peers. */
    void ended(List<Attachment> had) {
        for (Attachment each : had) {
            end(each);
            Notice.trySend(services, each.node, Notice.REVOKED, each.id); // else its next operation is refused
        }
    }

    /** One that can't be ended holds up no other; that of a region, its memory reports. */
    private void end(Attachment attachment) {
        try {
            attachment.end();
        } catch (IllegalStateException e) {
            services.errors().error("the access of node " + attachment.node + " does not end", e);
        }
    }

    /** Informs all attached nodes that their regions are about to be closed. */
    void announceEnd() {
        attachments.all().forEach(each -> Notice.trySend(services, each.node, Notice.REVOKED, each.id));
    }

    /** Closes all regions. */
    void close() {
        for (OwnedRegion each : new ArrayList<>(byName.values())) {
            try {
                each.close();
            } catch (IllegalStateException e) { // the others, and the node, end all the same
                services.errors().error("closing region " + each.name() + " failed", e);
            }
        }
    }

    /** {@return the attachment, where it is this peer's and its incarnation's; null: it is not} */
    @Nullable
    Attachment find(long id, PeerConnection from) {
        Attachment attachment = attachments.find(id);
        return attachment != null
                        && attachment.node == from.nodeId()
                        && attachment.incarnation == from.peerIncarnation()
                ? attachment
                : null;
    }

    // ---------------------------------------------------------------- attachments

    /** {@return how many attachments are valid, or remembered as revoked} */
    int attachments() {
        return attachments.size();
    }

    /** An attachment is granted. */
    void put(Attachment granted) {
        attachments.put(granted);
    }

    private void attach(AttachRequest request) throws DXNetException {
        PeerConnection from = origin(request);
        OwnedRegion region = byName.get(request.name());
        endEarlierIncarnations(from);
        if (region == null) {
            respond(new AttachReply(request, Status.NO_REGION), request);
        } else if (!region.admits(from.nodeId()) || count(region, from.nodeId()) >= ATTACHMENTS_MAX) {
            respond(new AttachReply(request, Status.NO_RIGHT), request);
        } else {
            deliver(region, from.nodeId());
            Attachment granted =
                    new Attachment(nextId(), from.nodeId(), from.peerIncarnation(), region, grant(region, request));
            put(granted);
            if (region.gate().isClosed()) { // its removal may not have found this one
                revoke(granted);
                ended(List.of(granted));
                respond(new AttachReply(request, Status.NO_REGION), request);
            } else {
                respondOrEnd(granted, new AttachReply(request, granted, region, pieceMax), request);
            }
        }
    }

    /** A grant whose peer does not learn its number ends: no notice ever names it. */
    private void respondOrEnd(Attachment granted, AttachReply reply, AttachRequest request) throws DXNetException {
        boolean isSent = false;
        try {
            isSent = respond(reply, request);
        } finally {
            if (!isSent && attachments.remove(granted.id) != null) {
                end(granted);
            }
        }
    }

    private ExposedMemory.@Nullable Grant grant(OwnedRegion region, AttachRequest request) {
        ExposedMemory exposed = region.exposed();
        if (exposed == null || request.device().length == 0) {
            return null;
        }
        try {
            return exposed.grant(request.source(), region.rights(), request.device());
        } catch (DXNetException | RuntimeException e) {
            services.errors()
                    .error(
                            "node " + request.source() + " gets no one-sided access to region " + region.name()
                                    + ": messages carry its operations",
                            e);
            return null;
        }
    }

    private int count(OwnedRegion region, int node) {
        int count = 0;
        for (Attachment each : attachments.all()) {
            if (each.node == node && each.region() == region) {
                count++;
            }
        }
        return count;
    }

    /** What a broken access has brought comes before what the one in its place brings. */
    private void deliver(OwnedRegion region, int node) {
        for (Attachment each : attachments.all()) {
            if (each.region() == region && each.node == node) {
                each.deliver();
            }
        }
    }

    /** What a peer's earlier incarnations had is of no use any more. */
    private void endEarlierIncarnations(PeerConnection from) {
        List<Attachment> earlier = new ArrayList<>();
        for (Attachment each : attachments.all()) {
            if (each.node == from.nodeId() && each.incarnation != from.peerIncarnation()) {
                earlier.add(each);
            }
        }
        for (Attachment each : earlier) {
            if (attachments.remove(each.id) != null) {
                each.deliver();
                end(each);
            }
        }
    }

    private void detach(Notice notice) {
        Attachment attachment = find(notice.attachment(), origin(notice));
        if (attachment != null && attachments.remove(attachment.id) != null) {
            attachment.deliver();
            end(attachment);
        }
    }

    // ---------------------------------------------------------------- operations

    private void read(ReadRequest request) throws DXNetException {
        Attachment granted = find(request.attachment(), origin(request));
        Status status = granted == null
                ? Status.UNKNOWN_ATTACHMENT
                : request.length() > pieceMax
                        ? Status.OUT_OF_BOUNDS
                        : granted.check(Right.READ, request.offset(), request.length());
        OwnedRegion region = granted == null ? null : granted.region();
        ReadReply reply = request.reply();
        if (status == Status.OK && region != null) {
            reply.carry(region);
        } else {
            reply.refuse(status == Status.OK ? Status.REVOKED : status);
        }
        try {
            respond(reply, request);
        } finally {
            reply.forget();
        }
    }

    private void written(WriteRequest request) throws DXNetException {
        try {
            respond(request.reply().with(request.status(), 0), request);
            notifyListener(request);
        } finally {
            request.forget();
        }
    }

    private void notifyListener(WriteRequest written) {
        OwnedRegion region = written.region();
        if (region != null && written.notifies()) {
            try {
                written.notify(region);
            } catch (RuntimeException | Error e) {
                services.errors().error("the listener of region " + region.name() + " failed", e);
            }
        }
    }

    private void change(AtomicRequest request) throws DXNetException {
        Attachment granted = find(request.attachment(), origin(request));
        Status status =
                granted == null ? Status.UNKNOWN_ATTACHMENT : granted.check(Right.ATOMIC, request.offset(), Long.BYTES);
        OwnedRegion region = granted == null ? null : granted.region();
        if (status == Status.OK && !Segments.isAligned(request.offset())) {
            status = Status.MISALIGNED;
        }
        long before = 0;
        if (status == Status.OK) {
            if (region != null && region.gate().enter()) {
                try {
                    before = request.carryOut(region);
                } finally {
                    region.gate().exit();
                }
            } else {
                status = Status.REVOKED;
            }
        }
        respond(request.reply().with(status, before), request);
    }

    private static PeerConnection origin(io.dxnet.Message message) {
        return (PeerConnection) java.util.Objects.requireNonNull(ACCESS.origin(message));
    }

    /** {@return whether it was sent: false where the connection of the request has ended} */
    private boolean respond(Response response, ServiceRequest<?> request) throws DXNetException {
        try {
            services.sender()
                    .respond(
                            response,
                            origin(request),
                            ACCESS.id(request),
                            HeaderDescriptor.RESPONSE | HeaderDescriptor.SERVICE);
            return true;
        } catch (ConnectionLostException | NetClosedException e) {
            return false; // the end of the connection has failed the request
        }
    }
}
