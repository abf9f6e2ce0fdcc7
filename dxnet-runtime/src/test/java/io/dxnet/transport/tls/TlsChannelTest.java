package io.dxnet.transport.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.contract.TestKeys;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.util.Arrays;
import java.util.Random;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS over a channel that an attacker holds. */
@Timeout(120)
class TlsChannelTest {
    private static final int TURNS_MAX = 200_000;
    /** Bytes that one handshake may need less than another: an ECDSA signature is 8 to 72 bytes. */
    private static final int SIGNATURE_VARIES = 16;

    @TempDir
    static Path folder;

    private static TestKeys keys;
    private static TlsContext one;
    private static TlsContext two;

    @BeforeAll
    static void make() throws Exception {
        keys = new TestKeys(folder);
        keys.authority("ca");
        keys.trust("trust", "ca");
        keys.node("one", "ca", 1);
        keys.node("two", "ca", 2);
        one = load("one", "trust");
        two = load("two", "trust");
    }

    private static TlsContext load(String store, String trust) throws Exception {
        return TlsContext.load(keys.store(store), keys.store(trust), TestKeys.PASSWORD.toCharArray());
    }

    /** Two nodes. */
    private static final class Pair {
        final MemoryLink link = new MemoryLink();
        final SSLEngine clientEngine;
        final TlsChannel client;
        final TlsChannel server;
        TlsChannel.Step clientStep = TlsChannel.Step.READ;
        TlsChannel.Step serverStep = TlsChannel.Step.READ;
        long neededThere; // bytes until the listener was done
        long neededBack; // bytes until the opening node was done

        Pair(SSLEngine client, SSLEngine server) {
            this.clientEngine = client;
            this.client = new TlsChannel(link.near(), client);
            this.server = new TlsChannel(link.far(), server);
        }

        static Pair of(TlsContext client, TlsContext server) {
            return new Pair(client.connecting(2), server.accepting());
        }

        Pair handshake() throws IOException {
            for (int i = 0; i < TURNS_MAX && !isDone(); i++) {
                stepClient();
                stepServer();
            }
            assertThat(isDone()).isTrue();
            assertThat(client.read(ByteBuffer.allocate(1))).isZero(); // the ticket, for the next handshake
            return this;
        }

        boolean isDone() {
            return clientStep == TlsChannel.Step.DONE && serverStep == TlsChannel.Step.DONE;
        }

        void stepClient() throws IOException {
            if (clientStep != TlsChannel.Step.DONE) {
                clientStep = client.handshake();
                neededBack = link.back.passed();
            }
        }

        void stepServer() throws IOException {
            if (serverStep != TlsChannel.Step.DONE) {
                serverStep = server.handshake();
                neededThere = link.there.passed();
            }
        }
    }

    private static byte[] random(int bytes, long seed) {
        byte[] result = new byte[bytes];
        new Random(seed).nextBytes(result);
        return result;
    }

    /** Sends all, and returns what came out at the other end. */
    private static byte[] transfer(TlsChannel from, TlsChannel to, byte[] bytes, int piece, int target)
            throws IOException {
        ByteBuffer source = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
        ByteBuffer result = ByteBuffer.allocate(bytes.length);
        ByteBuffer some = ByteBuffer.allocateDirect(target);
        for (int i = 0; i < TURNS_MAX && result.hasRemaining(); i++) {
            int end = source.limit();
            source.limit(Math.min(end, source.position() + piece));
            from.write(source);
            source.limit(end);
            from.flush();
            while (to.read(some.clear()) > 0) {
                result.put(some.flip());
            }
        }
        assertThat(to.hasBuffered()).isFalse();
        return Arrays.copyOf(result.array(), result.position());
    }

    @Test
    void shouldProveBothCertificatesWhenDone() throws Exception {
        Pair pair = Pair.of(one, two).handshake();
        assertThat(pair.client.session().getProtocol()).isEqualTo("TLSv1.3");
        NodeCertificate.check(pair.client.session(), "dxnet", 2);
        NodeCertificate.check(pair.server.session(), "dxnet", 1);
        assertThatThrownBy(() -> NodeCertificate.check(pair.server.session(), "dxnet", 2))
                .isInstanceOf(CertificateException.class)
                .hasMessage("its certificate does not name node 2 of this cluster");
        assertThatThrownBy(() -> NodeCertificate.check(pair.server.session(), "other", 1))
                .isInstanceOf(CertificateException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 1000, 300_000})
    void shouldPassEveryByteWhenChannelAndBuffersHaveAnySize(int step) throws Exception {
        Pair pair = Pair.of(one, two);
        pair.link.there.step = step;
        pair.link.back.step = step;
        pair.handshake();
        byte[] bytes = random(step == 1 ? 40_000 : 700_000, step);
        for (int target : new int[] {100, 8192, 300_000}) {
            assertThat(transfer(pair.client, pair.server, bytes, 200_000, target))
                    .isEqualTo(bytes);
            assertThat(transfer(pair.server, pair.client, bytes, 30_000, target))
                    .isEqualTo(bytes);
        }
    }

    @Test
    void shouldReturnTheRestWhenTheTargetIsSmallerThanTheRecord() throws Exception {
        Pair pair = Pair.of(one, two).handshake();
        pair.client.write(ByteBuffer.wrap(new byte[20_000]));
        ByteBuffer small = ByteBuffer.allocate(10);
        int sum = 0;
        while (sum < 20_000) {
            assertThat(pair.server.read(small.clear())).isEqualTo(10);
            sum += 10;
            assertThat(pair.server.hasBuffered()).isEqualTo(sum < 20_000);
        }
        assertThat(pair.server.read(small.clear())).isZero();
    }

    @Test
    void shouldKeepWhatIsAcceptedWhenTheChannelIsFull() throws Exception {
        Pair pair = Pair.of(one, two).handshake();
        pair.link.there.room = 1000;
        byte[] bytes = random(500_000, 1);
        ByteBuffer source = ByteBuffer.wrap(bytes);
        int first = pair.client.write(source);
        assertThat(first).isBetween(1, TlsChannel.RECORDS_MAX << 14);
        assertThat(pair.client.isFlushed()).isFalse();
        assertThat(pair.client.write(source)).isZero();
        ByteBuffer result = ByteBuffer.allocate(bytes.length);
        while (result.hasRemaining()) {
            pair.server.read(result);
            pair.client.write(source);
            pair.client.flush();
        }
        assertThat(result.array()).isEqualTo(bytes);
        assertThat(pair.client.isFlushed()).isTrue();
    }

    @Test
    void shouldEndEachDirectionAloneWhenClosedInOrder() throws Exception {
        Pair pair = Pair.of(one, two).handshake();
        pair.client.write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        assertThat(pair.client.endOutput()).isTrue();
        assertThat(pair.client.endOutput()).isTrue();
        ByteBuffer target = ByteBuffer.allocate(100);
        assertThat(pair.server.read(target)).isEqualTo(3);
        assertThat(pair.server.hasBuffered()).isTrue();
        assertThat(pair.server.read(target)).isEqualTo(-1);
        assertThat(pair.server.write(ByteBuffer.wrap(new byte[] {4, 5}))).isEqualTo(2);
        assertThat(pair.client.read(target.clear())).isEqualTo(2);
        assertThat(pair.server.endOutput()).isTrue();
        assertThat(pair.client.read(target.clear())).isEqualTo(-1);
        assertThatThrownBy(() -> pair.client.write(ByteBuffer.wrap(new byte[1])))
                .isInstanceOf(IOException.class);
    }

    @Test
    void shouldFinishTheEndWhenTheChannelHasRoomAgain() throws Exception {
        Pair pair = Pair.of(one, two).handshake();
        pair.link.there.room = pair.link.there.waiting() + 5;
        assertThat(pair.client.endOutput()).isFalse();
        pair.link.there.room = MemoryLink.CAPACITY;
        assertThat(pair.client.endOutput()).isTrue();
        assertThat(pair.server.read(ByteBuffer.allocate(10))).isEqualTo(-1);
    }

    @Test
    void shouldFailEveryHandshakeThatIsCutAtAnyByte() throws Exception {
        Pair whole = Pair.of(load("one", "trust"), two).handshake();
        // Nothing is resumed: a failed handshake leaves nothing.
        TlsContext fresh = load("one", "trust");
        for (long cut = 0; cut < whole.neededThere - SIGNATURE_VARIES; cut += 5) {
            Pair pair = Pair.of(fresh, two);
            pair.link.there.cutAt = cut;
            assertThatThrownBy(pair::handshake).as("byte %d", cut).isInstanceOf(IOException.class);
            assertThat(pair.serverStep).isNotEqualTo(TlsChannel.Step.DONE);
        }
        for (long cut = 0; cut < whole.neededBack - SIGNATURE_VARIES; cut += 5) {
            Pair pair = Pair.of(fresh, two);
            pair.link.back.cutAt = cut;
            assertThatThrownBy(pair::handshake).as("byte %d", cut).isInstanceOf(IOException.class);
            assertThat(pair.clientStep).isNotEqualTo(TlsChannel.Step.DONE);
        }
    }

    @Test
    void shouldReportACutAtEveryByteOfAStreamAfterWhatCameBefore() throws Exception {
        Pair pair = Pair.of(one, two).handshake();
        pair.client.write(ByteBuffer.wrap(random(50, 1)));
        pair.client.write(ByteBuffer.wrap(random(50, 2)));
        int bytes = pair.link.there.waiting();
        for (int cut = 0; cut <= bytes; cut++) {
            Pair each = Pair.of(one, two).handshake();
            each.client.write(ByteBuffer.wrap(random(50, 1)));
            each.client.write(ByteBuffer.wrap(random(50, 2)));
            each.client.endOutput();
            each.link.there.cutAt = each.link.there.passed() + cut;
            ByteBuffer target = ByteBuffer.allocate(1000);
            int whole = cut / (bytes / 2) * 50;
            for (int i = 0; i < 3 && target.position() < whole; i++) {
                each.server.read(target);
            }
            assertThat(target.position()).isEqualTo(whole);
            assertThatThrownBy(() -> {
                        each.server.read(target);
                        each.server.read(target);
                    })
                    .hasMessageContaining("close_notify");
            assertThat(each.server.hasBuffered()).isTrue();
        }
    }

    @Test
    void shouldFailWhenAnyBitOfAStreamIsChanged() throws Exception {
        Pair sample = Pair.of(one, two).handshake();
        sample.client.write(ByteBuffer.wrap(random(20, 1)));
        int bytes = sample.link.there.waiting();
        for (int at = 0; at < bytes; at++) {
            Pair pair = Pair.of(one, two).handshake();
            int changed = at;
            pair.link.there.attacker = some -> {
                some[changed] ^= 1;
                return some;
            };
            pair.client.write(ByteBuffer.wrap(random(20, 1)));
            pair.link.there.cutAt = pair.link.there.passed() + bytes; // a record that claims to be longer
            assertThatThrownBy(() -> {
                        pair.server.read(ByteBuffer.allocate(1000));
                        pair.server.read(ByteBuffer.allocate(1000));
                    })
                    .as("byte %d", at)
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void shouldReturnNothingOfAChangedRecordThatIsLongerThanTheTarget() throws Exception {
        Pair pair = Pair.of(one, two).handshake();
        ByteBuffer target = ByteBuffer.allocate(1000);
        transfer(pair.client, pair.server, random(16_000, 1), 16_000, 1000); // through the buffer of a whole record
        byte[] before = random(10, 2);
        pair.client.write(ByteBuffer.wrap(before));
        int bytes = pair.link.there.waiting();
        pair.link.there.attacker = some -> {
            some[some.length - 1] ^= 1;
            return some;
        };
        pair.client.write(ByteBuffer.wrap(random(16_000, 3)));
        assertThat(pair.link.there.waiting()).isGreaterThan(bytes + 16_000);
        assertThat(pair.server.read(target)).isEqualTo(before.length);
        assertThat(Arrays.copyOf(target.array(), before.length)).isEqualTo(before);
        assertThatThrownBy(() -> pair.server.read(target.clear())).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> pair.server.read(target.clear())).isInstanceOf(IOException.class);
    }

    @Test
    void shouldFailWhenGarbageFollowsTheHandshake() throws Exception {
        for (int length = 1; length < 200; length += 3) {
            Pair pair = Pair.of(one, two).handshake();
            pair.link.there.put(random(length, length));
            pair.link.there.cutAt = pair.link.there.passed() + length;
            assertThatThrownBy(() -> {
                        pair.server.read(ByteBuffer.allocate(1000));
                        pair.server.read(ByteBuffer.allocate(1000));
                    })
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void shouldRefuseGarbageInsteadOfTheHandshakeWithinBounds() {
        Random random = new Random(7);
        for (int i = 0; i < 2000; i++) {
            MemoryLink link = new MemoryLink();
            TlsChannel server = new TlsChannel(link.far(), two.accepting());
            byte[] garbage = random(random.nextInt(1, 300), i);
            if (i % 2 == 0 && garbage.length > 5) { // looks like a handshake record
                garbage[0] = 22;
                garbage[1] = 3;
                garbage[2] = 3;
            }
            link.there.put(garbage);
            link.there.cutAt = garbage.length;
            assertThatThrownBy(() -> {
                        for (int turn = 0; turn < 10; turn++) {
                            server.handshake();
                        }
                    })
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void shouldRefuseAHandshakeThatHasNoEnd() {
        MemoryLink link = new MemoryLink();
        TlsChannel server = new TlsChannel(link.far(), two.accepting());
        // A client hello of 16 MB, in pieces: the engine collects them.
        byte[] record = new byte[5 + 1000];
        record[0] = 22;
        record[1] = 3;
        record[2] = 1;
        record[3] = (byte) (1000 >> 8);
        record[4] = (byte) 1000;
        record[5] = 1;
        record[6] = (byte) 0xFF;
        assertThatThrownBy(() -> {
                    for (int turn = 0; turn < 100; turn++) {
                        link.there.put(record);
                        server.handshake();
                    }
                })
                .isInstanceOf(IOException.class);
        assertThat(link.there.passed()).isLessThanOrEqualTo(TlsChannel.HANDSHAKE_BYTES_MAX + 1005);
    }

    @Test
    void shouldContinueWhenTheKeyIsUpdatedAgainAndAgain() throws Exception {
        Pair pair = Pair.of(one, two).handshake();
        byte[] bytes = random(100_000, 3);
        for (int i = 0; i < 20; i++) {
            pair.clientEngine.beginHandshake(); // in TLS 1.3: a new key, and a request for the same
            assertThat(transfer(pair.client, pair.server, bytes, 50_000, 8192)).isEqualTo(bytes);
            assertThat(transfer(pair.server, pair.client, bytes, 50_000, 8192)).isEqualTo(bytes);
        }
    }

    @Test
    void shouldEndTheChannelWhenRecordsHaveNoContent() throws Exception {
        Pair pair = Pair.of(one, two).handshake();
        ByteBuffer target = ByteBuffer.allocate(100);
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 10_000; i++) {
                        pair.clientEngine.beginHandshake(); // a new key for nothing
                        pair.client.handshake();
                        pair.server.read(target.clear());
                        pair.client.read(target.clear());
                    }
                })
                .hasMessageContaining("records without content");
    }

    @Test
    void shouldRefuseTls12AndNodesWithoutACertificate() throws Exception {
        SSLEngine old = one.connecting(2);
        old.setEnabledProtocols(new String[] {"TLSv1.2"});
        old.setEnabledCipherSuites(new String[] {"TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"});
        assertThatThrownBy(new Pair(old, two.accepting())::handshake).isInstanceOf(IOException.class);

        SSLContext anonymous = SSLContext.getInstance("TLSv1.3");
        anonymous.init(null, new TrustManager[] {new TrustAll()}, null);
        SSLEngine engine = anonymous.createSSLEngine();
        engine.setUseClientMode(true);
        Pair pair = new Pair(engine, two.accepting());
        assertThatThrownBy(pair::handshake).isInstanceOf(IOException.class);
        assertThat(pair.serverStep).isNotEqualTo(TlsChannel.Step.DONE);
    }

    @Test
    void shouldRefuseCertificatesOfOtherAuthoritiesAndTimes() throws Exception {
        keys.authority("stranger", "ca");
        keys.node("foreign", "stranger", 1);
        keys.node("expired", "ca", "-10d", 2, 1);
        keys.node("early", "ca", "+2d", 2, 1);
        for (String each : new String[] {"foreign", "expired", "early"}) {
            Pair asClient = Pair.of(load(each, "trust"), two);
            assertThatThrownBy(asClient::handshake).as(each).isInstanceOf(IOException.class);
            assertThat(asClient.serverStep).isNotEqualTo(TlsChannel.Step.DONE);
            Pair asServer = Pair.of(one, load(each, "trust"));
            assertThatThrownBy(asServer::handshake).as(each).isInstanceOf(IOException.class);
            assertThat(asServer.clientStep).isNotEqualTo(TlsChannel.Step.DONE);
        }
    }

    @Test
    void shouldResumeSessionsUntilTheStoresAreReadAgain() throws Exception {
        TlsContext client = load("one", "trust");
        TlsContext server = load("two", "trust");
        long full = bytes(client, server);
        long resumed = bytes(client, server);
        assertThat(resumed).isLessThan(full);
        assertThat(bytes(client, load("two", "trust"))).isGreaterThan(resumed);
    }

    /** What the listener sends: its certificate is the larger part, and is not sent again. */
    private static long bytes(TlsContext client, TlsContext server) throws IOException {
        Pair pair = Pair.of(client, server).handshake();
        transfer(pair.server, pair.client, new byte[1], 1, 10); // with it, the ticket is read
        checkNames(pair);
        return pair.link.back.passed();
    }

    private static void checkNames(Pair pair) {
        try {
            NodeCertificate.check(pair.server.session(), "dxnet", 1);
            NodeCertificate.check(pair.client.session(), "dxnet", 2);
        } catch (CertificateException e) {
            throw new AssertionError(e);
        }
    }
}
