package consumer;

import io.dxnet.DXNet;
import io.dxnet.DXNetConfig;
import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.NodeMap;
import io.dxnet.ObjectSize;
import io.dxnet.Request;
import io.dxnet.Response;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** A node asks another one with the interface of the DXNet paper. */
public final class Main {
    private static final int TYPE = 1;

    /** Asks for a text in capital letters. */
    public static final class Ask extends Request<Answer> {
        private static final int SUBTYPE = 1;

        private String text;

        /** For the receiver. */
        public Ask() {}

        private Ask(int destination, String text) {
            super(destination, TYPE, SUBTYPE);
            this.text = text;
        }

        @Override
        public void exportObject(Exporter exporter) {
            exporter.writeString(text);
        }

        @Override
        public void importObject(Importer importer) {
            text = importer.readString();
        }

        @Override
        public int sizeOfObject() {
            return ObjectSize.ofString(text);
        }
    }

    /** The text. */
    public static final class Answer extends Response {
        private static final int SUBTYPE = 2;

        private String text;

        /** For the receiver. */
        public Answer() {}

        private Answer(Ask ask, String text) {
            super(ask, TYPE, SUBTYPE);
            this.text = text;
        }

        @Override
        public void exportObject(Exporter exporter) {
            exporter.writeString(text);
        }

        @Override
        public void importObject(Importer importer) {
            text = importer.readString();
        }

        @Override
        public int sizeOfObject() {
            return ObjectSize.ofString(text);
        }
    }

    private Main() {}

    /**
     * Runs.
     *
     * @param arguments none
     * @throws Exception when the answer did not arrive
     */
    public static void main(String[] arguments) throws Exception {
        String[] addresses = {address(), address()};
        try (DXNet a = node(0, addresses);
                DXNet b = node(1, addresses)) {
            b.<Ask>register(TYPE, Ask.SUBTYPE, ask -> b.sendMessage(new Answer(ask, ask.text.toUpperCase())));
            Answer answer = a.sendSync(new Ask(1, "hello"));
            System.out.println(b.describe());
            if (!answer.text.equals("HELLO")) {
                throw new IllegalStateException("the answer is " + answer.text);
            }
        }
        System.out.println("consumer: ok");
    }

    private static DXNet node(int id, String[] addresses) {
        NodeMap nodes = new NodeMap(id).put(0, addresses[0]).put(1, addresses[1]);
        DXNet node = new DXNet(DXNetConfig.builder().transport("nio").build(), nodes);
        node.registerMessageType(TYPE, Ask.SUBTYPE, Ask::new);
        node.registerMessageType(TYPE, Answer.SUBTYPE, Answer::new);
        return node;
    }

    private static String address() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return "127.0.0.1:" + free.getLocalPort();
        }
    }
}
