package io.dxnet.transport.tls;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLSession;

/** An engine whose results a test chooses, also those that the JDK's does not have. */
final class ScriptedEngine extends SSLEngine {
    private final SSLSession session;
    /** The results of the calls of wrap, in their order; the last one is that of further calls. */
    final Queue<SSLEngineResult> wraps = new ArrayDeque<>();
    /** The same of unwrap. */
    final Queue<SSLEngineResult> unwraps = new ArrayDeque<>();

    HandshakeStatus status = HandshakeStatus.NOT_HANDSHAKING;
    boolean outboundDone;
    int calls;

    ScriptedEngine(SSLSession session) {
        this.session = session;
    }

    static SSLEngineResult result(Status status, HandshakeStatus handshake, int consumed, int produced) {
        return new SSLEngineResult(status, handshake, consumed, produced);
    }

    private SSLEngineResult next(Queue<SSLEngineResult> results) {
        if (++calls > 1000) {
            throw new AssertionError("it is called again and again");
        }
        return results.size() > 1 ? results.poll() : results.element();
    }

    @Override
    public SSLEngineResult wrap(ByteBuffer[] sources, int offset, int length, ByteBuffer target) {
        SSLEngineResult result = next(wraps);
        ByteBuffer source = sources[offset];
        source.position(source.position() + result.bytesConsumed());
        target.put(new byte[result.bytesProduced()]);
        return result;
    }

    @Override
    public SSLEngineResult unwrap(ByteBuffer source, ByteBuffer[] targets, int offset, int length) {
        return next(unwraps);
    }

    @Override
    public Runnable getDelegatedTask() {
        return null;
    }

    @Override
    public void closeInbound() {}

    @Override
    public boolean isInboundDone() {
        return false;
    }

    @Override
    public void closeOutbound() {}

    @Override
    public boolean isOutboundDone() {
        return outboundDone;
    }

    @Override
    public String[] getSupportedCipherSuites() {
        return new String[0];
    }

    @Override
    public String[] getEnabledCipherSuites() {
        return new String[0];
    }

    @Override
    public void setEnabledCipherSuites(String[] suites) {}

    @Override
    public String[] getSupportedProtocols() {
        return new String[0];
    }

    @Override
    public String[] getEnabledProtocols() {
        return new String[0];
    }

    @Override
    public void setEnabledProtocols(String[] protocols) {}

    @Override
    public SSLSession getSession() {
        return session;
    }

    @Override
    public void beginHandshake() {}

    @Override
    public HandshakeStatus getHandshakeStatus() {
        return status;
    }

    @Override
    public void setUseClientMode(boolean mode) {}

    @Override
    public boolean getUseClientMode() {
        return true;
    }

    @Override
    public void setNeedClientAuth(boolean need) {}

    @Override
    public boolean getNeedClientAuth() {
        return false;
    }

    @Override
    public void setWantClientAuth(boolean want) {}

    @Override
    public boolean getWantClientAuth() {
        return false;
    }

    @Override
    public void setEnableSessionCreation(boolean flag) {}

    @Override
    public boolean getEnableSessionCreation() {
        return true;
    }
}
