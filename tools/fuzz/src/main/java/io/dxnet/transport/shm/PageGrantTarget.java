package io.dxnet.transport.shm;

import io.dxnet.tools.fuzz.FuzzTarget;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * The shared memory that an owner grants, and the process that asks for it: no name leads to
 * another folder, no region leaves its file.
 */
public final class PageGrantTarget implements FuzzTarget {
    private static final String NAME = "4026531836-17-00112233445566778899aabbccddeeff";

    /** Creates the target. */
    public PageGrantTarget() {}

    @Override
    public String name() {
        return "page-grant";
    }

    @Override
    public List<byte[]> seeds() {
        return List.of(
                new PageGrant(1 << 20, 65536, 4096, 1, 0, 1, NAME).encode(),
                new PageGrant(65536, 65536, 0, 0, 1022, -1, NAME).encode(),
                new PageGrant(1 << 20, 65536, 4096, 1, 0, 1, "../" + NAME).encode(),
                new ProcessIdentity("4026531836", 17, 1_700_000_000_000L).encode());
    }

    @Override
    public void run(byte[] input) {
        ProcessIdentity process = ProcessIdentity.decode(input);
        if (process != null && (process.pid() < 0 || process.startTicks() < 0)) {
            throw new AssertionError("no process: " + process);
        }
        PageGrant grant;
        try {
            grant = PageGrant.decode(input);
        } catch (IOException e) {
            return; // as documented
        }
        if (!Arrays.equals(grant.encode(), input)) {
            throw new AssertionError("it encodes to other bytes: " + grant);
        }
        long end = Math.addExact(grant.offset(), grant.length());
        if (grant.name().contains("/")
                || grant.offset() < PageLayout.MEMORY_OFFSET
                || end > grant.fileBytes()
                || PageLayout.gate(grant.gate()) + PageLayout.GATE_BYTES > PageLayout.MEMORY_OFFSET) {
            throw new AssertionError("not inside: " + grant);
        }
    }
}
