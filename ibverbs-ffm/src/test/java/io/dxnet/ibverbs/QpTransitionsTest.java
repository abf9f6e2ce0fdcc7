package io.dxnet.ibverbs;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class QpTransitionsTest {
    private static final AddressVector PATH = AddressVector.of(1, 7);

    private static void allowed(QpType type, QpState from, QpAttributes attributes) {
        assertThatCode(() -> QpTransitions.check(type, from, attributes)).doesNotThrowAnyException();
    }

    private static void refused(QpType type, QpState from, QpAttributes attributes, String why) {
        assertThatThrownBy(() -> QpTransitions.check(type, from, attributes))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("ibv_modify_qp failed: EINVAL")
                .hasMessageContaining(why);
    }

    private static QpAttributes readyToReceive() {
        return QpAttributes.to(QpState.RTR)
                .path(PATH)
                .mtu(Mtu.MTU_1024)
                .destination(1)
                .receivePsn(1)
                .maxReadAtomicAsTarget(1)
                .minRnrTimer(12);
    }

    private static QpAttributes readyToSend() {
        return QpAttributes.to(QpState.RTS)
                .timeout(14)
                .retryCount(6)
                .rnrRetry(7)
                .sendPsn(1)
                .maxReadAtomic(1);
    }

    @Test
    @DisplayName("a reliable connection passes through its states with exactly their attributes")
    void shouldAllowReliableConnection() {
        allowed(
                QpType.RC,
                QpState.RESET,
                QpAttributes.to(QpState.INIT).pkeyIndex(0).port(1).access());
        allowed(QpType.RC, QpState.INIT, readyToReceive());
        allowed(QpType.RC, QpState.INIT, readyToReceive().access(Access.REMOTE_WRITE));
        allowed(QpType.RC, QpState.RTR, readyToSend());
        allowed(QpType.RC, QpState.RTS, QpAttributes.to(QpState.RTS).minRnrTimer(3));
        allowed(QpType.RC, QpState.RTS, QpAttributes.to(QpState.SQD));
        allowed(QpType.RC, QpState.SQD, QpAttributes.to(QpState.RTS));
    }

    @Test
    @DisplayName("a datagram queue pair needs a key and little else")
    void shouldAllowDatagrams() {
        allowed(
                QpType.UD,
                QpState.RESET,
                QpAttributes.to(QpState.INIT).pkeyIndex(0).port(1).qkey(5));
        allowed(QpType.UD, QpState.INIT, QpAttributes.to(QpState.RTR));
        allowed(QpType.UD, QpState.RTR, QpAttributes.to(QpState.RTS).sendPsn(1));
        refused(
                QpType.UD,
                QpState.RESET,
                QpAttributes.to(QpState.INIT).pkeyIndex(0).port(1).access(),
                "missing [qkey], not allowed [access]");
        refused(QpType.UD, QpState.INIT, readyToReceive(), "not allowed [path, mtu, destination");
    }

    @Test
    @DisplayName("what is missing or too much is named")
    void shouldNameWhatIsWrong() {
        refused(QpType.RC, QpState.RESET, QpAttributes.to(QpState.INIT).port(1), "missing [pkeyIndex, access]");
        refused(
                QpType.RC,
                QpState.INIT,
                QpAttributes.to(QpState.RTR).path(PATH),
                "missing [mtu, destination, receivePsn");
        refused(QpType.RC, QpState.RTR, readyToSend().mtu(Mtu.MTU_256), "not allowed [mtu]");
        refused(QpType.RC, QpState.RESET, QpAttributes.to(QpState.RTS), "cannot change from RESET to RTS");
        refused(QpType.RC, QpState.ERR, readyToSend(), "cannot change from ERR to RTS");
        refused(QpType.RC, QpState.SQE, QpAttributes.to(QpState.RTS), "cannot change from SQE to RTS");
    }

    @ParameterizedTest
    @EnumSource(QpState.class)
    @DisplayName("from every state a queue pair can be reset or put into error")
    void shouldAllowResetAndError(QpState from) {
        allowed(QpType.RC, from, QpAttributes.to(QpState.RESET));
        allowed(QpType.UD, from, QpAttributes.to(QpState.ERR));
    }
}
