package io.dxnet.tools.verbs.jib;

import io.dxnet.tools.cli.ToolException;
import java.util.ArrayList;
import java.util.List;

/** Executes the client's commands until {@link Control.Command#CLOSE}. Used by one thread. */
final class Server {
    private final Control control;
    private final EndOptions end;

    Server(Control control, EndOptions end) {
        this.control = control;
        this.end = end;
    }

    void run() {
        try (Session session = Session.server(control, end)) {
            while (true) {
                switch (control.command()) {
                    case RUN -> follow(session);
                    case PERFTEST -> perftest(session);
                    case CLOSE -> {
                        return;
                    }
                }
            }
        }
    }

    private void follow(Session session) {
        RunSpec spec = Control.io(() -> RunSpec.read(control.in()));
        DataEnd data = session.data(spec.point().transfer());
        data.prepare(spec, false);
        control.signal();
        Outcome outcome = data.run(null);
        control.await();
        Outcome whole = outcome.plus(data.afterwards());
        Control.io(() -> {
            whole.write(control.out());
            control.out().flush();
            return null;
        });
    }

    /** Starts the server of a perftest program, and ends it when the client's end has ended. */
    private void perftest(Session session) {
        int tcpPort = Control.io(() -> control.in().readInt());
        List<String> words = new ArrayList<>();
        int count = Control.io(() -> control.in().readInt());
        for (int i = 0; i < count; i++) {
            words.add(Control.io(() -> control.in().readUTF()));
        }
        words.addAll(PerftestProgram.deviceArguments(end, session.gidIndex()));
        String failure = null;
        try (PerftestProcess process = new PerftestProcess(words)) {
            process.awaitListening(tcpPort);
            answer(null);
            control.await();
            process.awaitEnd();
        } catch (ToolException e) {
            failure = e.getMessage();
        }
        answer(failure);
    }

    private void answer(String failure) {
        Control.io(() -> {
            control.out().writeBoolean(failure == null);
            if (failure != null) {
                control.out().writeUTF(failure);
            }
            control.out().flush();
            return null;
        });
    }
}
