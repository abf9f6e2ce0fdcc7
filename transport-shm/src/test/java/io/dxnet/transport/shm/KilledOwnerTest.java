package io.dxnet.transport.shm;

import io.dxnet.contract.KilledOwnerContract;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;

/** The killed owner of a region over shared memory. */
class KilledOwnerTest extends KilledOwnerContract {
    @AfterAll
    static void removeMemoryOfTheKilled() {
        RingFolder.open(Path.of("/dev/shm"));
    }

    @Override
    protected String transport() {
        return "shm";
    }
}
