package io.dxnet.tools.ledger.book;

import java.nio.file.Path;

/**
 * The books of one run of a node.
 *
 * @param sent what it sent
 * @param handled what it handled
 * @param events what else it saw
 */
public record Books(SentBook sent, HandledBook handled, EventBook events) implements AutoCloseable {
    /**
     * Makes new books.
     *
     * @param directory of all books of a round
     * @param run of the node
     * @return the books
     */
    public static Books create(Path directory, int run) {
        return new Books(
                SentBook.create(sentFile(directory, run)),
                HandledBook.create(handledFile(directory, run)),
                EventBook.create(eventFile(directory, run)));
    }

    /**
     * The file of what a run sent.
     *
     * @param directory of all books of a round
     * @param run of the node
     * @return the file
     */
    public static Path sentFile(Path directory, int run) {
        return directory.resolve("run-" + run + ".sent");
    }

    /**
     * The file of what a run handled.
     *
     * @param directory of all books of a round
     * @param run of the node
     * @return the file
     */
    public static Path handledFile(Path directory, int run) {
        return directory.resolve("run-" + run + ".handled");
    }

    /**
     * The file of what a run saw.
     *
     * @param directory of all books of a round
     * @param run of the node
     * @return the file
     */
    public static Path eventFile(Path directory, int run) {
        return directory.resolve("run-" + run + ".events");
    }

    @Override
    public void close() {
        sent.close();
        handled.close();
        events.close();
    }
}
