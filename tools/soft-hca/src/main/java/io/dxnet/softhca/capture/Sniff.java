package io.dxnet.softhca.capture;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** {@code ./dxnet sniff}: prints the RoCEv2 packets of a capture, one line each. */
public final class Sniff {
    private static final String USAGE = """
            usage: ./dxnet sniff FILE
                   tcpdump -i INTERFACE -U -w - udp port 4791 | ./dxnet sniff -

            Prints one line for each RoCEv2 packet of a capture (pcap or pcapng): time (UTC), addresses, what it is, queue
            pair, packet sequence number (psn), the fields of its headers, payload bytes, and whether its invariant check
            sum (icrc) is right. The last line, on the standard error output, counts them.

            Exit code: 0, or 1 when a packet or the capture is damaged, or 2 when it cannot be read.

            A software device writes its own packets to FOLDER/soft@ADDRESS.pcap with
            -Dio.dxnet.softhca.capture=FOLDER in the options of its JVM; the folder has to exist.
            """;

    private static final int BUFFER_BYTES = 1 << 16;
    private static final int OK = 0;
    private static final int DAMAGED = 1;
    private static final int UNREADABLE = 2;

    private final InputStream in;
    private final PrintStream out;
    private final PrintStream err;
    private final Map<FrameDecoder.Outcome, Long> counts = new HashMap<>();
    private int unknownLink = -1;

    /**
     * Creates one.
     *
     * @param in the capture
     * @param out for packets
     * @param err for all else
     */
    Sniff(InputStream in, PrintStream out, PrintStream err) {
        this.in = in;
        this.out = out;
        this.err = err;
    }

    /**
     * Runs.
     *
     * @param arguments a file, or {@code -}
     */
    public static void main(String[] arguments) {
        PrintStream out = new PrintStream(
                new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), BUFFER_BYTES),
                false,
                StandardCharsets.UTF_8);
        int code = run(arguments, out);
        out.flush();
        System.exit(code);
    }

    private static int run(String[] arguments, PrintStream out) {
        if (arguments.length != 1 || arguments[0].startsWith("-") && arguments[0].length() > 1) {
            boolean isHelp = arguments.length == 1 && ("--help".equals(arguments[0]) || "-h".equals(arguments[0]));
            (isHelp ? out : System.err).print(USAGE);
            return isHelp ? OK : UNREADABLE;
        }
        boolean isInput = "-".equals(arguments[0]);
        try (InputStream file = isInput ? System.in : Files.newInputStream(Path.of(arguments[0]))) {
            return new Sniff(isInput ? file : new BufferedInputStream(file, BUFFER_BYTES), out, System.err)
                    .print(isInput);
        } catch (NoSuchFileException e) {
            System.err.println("sniff: there is no file " + arguments[0]);
        } catch (IOException | RuntimeException e) {
            System.err.println("sniff: " + arguments[0] + ": " + e.getMessage());
        }
        return UNREADABLE;
    }

    /**
     * Prints all.
     *
     * @param isLive whether each line is to be seen at once
     * @return the exit code
     * @throws IOException if the first bytes are not a capture's, or it cannot be read
     */
    int print(boolean isLive) throws IOException {
        FrameDecoder decoder = new FrameDecoder();
        CaptureReader reader = CaptureReader.open(in);
        boolean isDamaged = false;
        try {
            for (Frame frame = reader.next(); frame != null; frame = reader.next()) {
                FrameDecoder.Outcome outcome = decoder.decode(frame);
                counts.merge(outcome, 1L, Long::sum);
                if (!decoder.line().isEmpty()) {
                    out.println(decoder.line());
                } else if (outcome == FrameDecoder.Outcome.UNKNOWN_LINK) {
                    unknownLink = frame.linkType();
                }
                if (isLive) {
                    out.flush();
                }
            }
        } catch (CaptureException e) {
            isDamaged = true;
            out.flush();
            err.println("sniff: " + e.getMessage());
        }
        out.flush();
        err.println(summary());
        boolean isUnknown = count(FrameDecoder.Outcome.UNKNOWN_LINK) > 0;
        return isDamaged || isUnknown || count(FrameDecoder.Outcome.WRONG) > 0 ? DAMAGED : OK;
    }

    private long count(FrameDecoder.Outcome outcome) {
        return counts.getOrDefault(outcome, 0L);
    }

    private String summary() {
        long wrong = count(FrameDecoder.Outcome.WRONG);
        StringBuilder text = new StringBuilder("sniff: ")
                .append(count(FrameDecoder.Outcome.ROCE) + wrong)
                .append(" RoCEv2 packets, ")
                .append(wrong)
                .append(" of them damaged; ")
                .append(count(FrameDecoder.Outcome.FRAGMENT))
                .append(" fragments; ")
                .append(count(FrameDecoder.Outcome.OTHER))
                .append(" other packets");
        if (count(FrameDecoder.Outcome.UNKNOWN_LINK) > 0) {
            text.append("; ")
                    .append(count(FrameDecoder.Outcome.UNKNOWN_LINK))
                    .append(" of a network that is not decoded (link type ")
                    .append(unknownLink)
                    .append("), only Ethernet, Linux cooked captures, loopback and IP are");
        }
        return text.toString();
    }
}
