package io.dxnet.transport.handshake;

import io.dxnet.DXNetConfig;
import io.dxnet.SecurityMode;
import io.dxnet.tools.fuzz.FuzzTarget;
import io.dxnet.transport.security.KeySecurity;
import io.dxnet.transport.security.NodeSecurity;
import java.io.EOFException;
import java.io.IOException;
import java.util.List;

/**
 * The handshake with proofs, as either side reads it: whatever bytes come, they prove nothing,
 * because both sides' nonces are fresh.
 */
public final class ProofTarget implements FuzzTarget {
    private final KeySecurity security = (KeySecurity) NodeSecurity.of(DXNetConfig.builder()
            .security(SecurityMode.KEY)
            .keySource(() -> List.of(new byte[32]))
            .build());

    /** Creates the target. */
    public ProofTarget() {}

    @Override
    public String name() {
        return "proof";
    }

    @Override
    public List<byte[]> seeds() {
        ActiveProof active = new ActiveProof(security);
        byte[] challenge = active.challenge();
        PassiveProof passive = new PassiveProof(security);
        byte[] answer = passive.answer(challenge);
        try {
            active.readAnswer(source(answer));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        byte[] hello = active.seal(Hello.of(DXNetConfig.builder().build(), "nio", 2, 1, 77, 5, 3, new byte[36]))
                .array();
        return List.of(
                ActiveProof.join(challenge, hello),
                answer,
                passive.seal(Reply.refusing("none")).array(),
                ActiveProof.join(
                        answer, Reply.accepting(8, 9, new byte[36]).encode().array()));
    }

    @Override
    public void run(byte[] input) {
        listen(input);
        open(input);
    }

    private void listen(byte[] input) {
        HelloReader reader = new HelloReader(HandshakeDescriptor.MODE_KEY);
        PassiveProof proof = new PassiveProof(security);
        HelloReader.State state = reader.check();
        int at = 0;
        while (at < input.length && (state == HelloReader.State.INCOMPLETE || state == HelloReader.State.CHALLENGE)) {
            if (state == HelloReader.State.CHALLENGE) {
                proof.answer(reader.challenge());
                reader.expectHello();
            }
            int bytes = Math.min(reader.bytes().remaining(), input.length - at);
            if (bytes == 0) {
                throw new AssertionError("it is incomplete and accepts no byte");
            }
            reader.bytes().put(input, at, bytes);
            at += bytes;
            state = reader.check();
        }
        if (state == HelloReader.State.COMPLETE && proof.accept(reader.helloBytes(), reader.proof())) {
            throw new AssertionError("a proof without the listener's nonce was accepted");
        }
        byte[] told = proof.seal(Reply.refusing("the reason")).array();
        if (told.length
                != HandshakeDescriptor.REPLY_FIXED_BYTES
                        + PassiveProof.REFUSED.length()
                        + HandshakeDescriptor.PROOF_BYTES) {
            throw new AssertionError("a node that has proved nothing gets more than a refusal");
        }
    }

    private void open(byte[] input) {
        try {
            Reply refusal = new ActiveProof(security).readAnswer(source(input));
            if (refusal == null || refusal.accepted()) {
                throw new AssertionError("an answer without the opening node's nonce was accepted");
            }
        } catch (IOException e) {
            // as documented
        }
    }

    private static Reply.Source source(byte[] input) {
        int[] at = {0};
        return part -> {
            if (part.length > input.length - at[0]) {
                throw new EOFException();
            }
            System.arraycopy(input, at[0], part, 0, part.length);
            at[0] += part.length;
        };
    }
}
