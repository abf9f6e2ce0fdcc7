package io.dxnet.tools.compare.peers;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The calls of MPJ Express that the comparison needs, found by name: no registry for Maven has the
 * library, so that nothing here can be compiled against it. Messages are arrays of bytes between
 * the two ranks of {@code COMM_WORLD}; any thread.
 */
final class MpjCalls {
    /** Where Debian's package has the library, and what it needs. */
    private static final Path FOLDER = Path.of("/usr/share/java");

    private static final String[] JARS = {"mpj.jar", "log4j-1.2.jar", "commons-io.jar"};

    private final int other;
    private final MethodHandle isend;
    private final MethodHandle irecv;
    private final MethodHandle await;
    private final MethodHandle count;

    private MpjCalls(ClassLoader loader, int rank) throws ReflectiveOperationException {
        Lookup lookup = MethodHandles.publicLookup();
        Class<?> mpi = loader.loadClass("mpi.MPI");
        Class<?> comm = loader.loadClass("mpi.Comm");
        Class<?> type = loader.loadClass("mpi.Datatype");
        Class<?> request = loader.loadClass("mpi.Request");
        Class<?> status = loader.loadClass("mpi.Status");
        Object world = mpi.getField("COMM_WORLD").get(null);
        Object bytes = mpi.getField("BYTE").get(null);
        MethodType transfer =
                MethodType.methodType(request, Object.class, int.class, int.class, type, int.class, int.class);
        MethodType erased =
                MethodType.methodType(Object.class, Object.class, int.class, int.class, int.class, int.class);
        other = 1 - rank;
        isend = MethodHandles.insertArguments(
                        lookup.findVirtual(comm, "Isend", transfer).bindTo(world), 3, bytes)
                .asType(erased);
        irecv = MethodHandles.insertArguments(
                        lookup.findVirtual(comm, "Irecv", transfer).bindTo(world), 3, bytes)
                .asType(erased);
        await = lookup.findVirtual(request, "Wait", MethodType.methodType(status))
                .asType(MethodType.methodType(Object.class, Object.class));
        count = MethodHandles.insertArguments(
                        lookup.findVirtual(status, "Get_count", MethodType.methodType(int.class, type)), 1, bytes)
                .asType(MethodType.methodType(int.class, Object.class));
    }

    /** The library's classes. */
    static ClassLoader load() throws IOException {
        URL[] urls = new URL[JARS.length];
        for (int i = 0; i < urls.length; i++) {
            Path jar = FOLDER.resolve(JARS[i]);
            if (!Files.isReadable(jar)) {
                throw new IOException("there is no " + jar);
            }
            urls[i] = jar.toUri().toURL();
        }
        return new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
    }

    /**
     * Connects both ranks; returns when the other one has done the same.
     *
     * @param rank 0 or 1
     * @param port of {@link MpjRendezvous}
     */
    static MpjCalls connect(int rank, int port) throws IOException {
        try {
            ClassLoader loader = load();
            String[] arguments = {Integer.toString(rank), MpjRendezvous.configuration(port), "niodev"};
            loader.loadClass("mpi.MPI").getMethod("Init", String[].class).invoke(null, (Object) arguments);
            return new MpjCalls(loader, rank);
        } catch (ReflectiveOperationException e) {
            throw new IOException("MPJ Express does not start", e);
        }
    }

    /** Begins to send a message; returns the request. */
    Object isend(byte[] message, int length, int tag) throws IOException {
        try {
            return isend.invokeExact((Object) message, 0, length, other, tag);
        } catch (Throwable e) {
            throw new IOException("Isend", e);
        }
    }

    /** Posts a receive; returns the request. */
    Object irecv(byte[] message, int tag) throws IOException {
        try {
            return irecv.invokeExact((Object) message, 0, message.length, other, tag);
        } catch (Throwable e) {
            throw new IOException("Irecv", e);
        }
    }

    /** Waits for a request of {@link #irecv}; returns the length of the message. */
    int received(Object request) throws IOException {
        try {
            return (int) count.invokeExact((Object) await.invokeExact(request));
        } catch (Throwable e) {
            throw new IOException("Wait", e);
        }
    }

    /** Waits for a request of {@link #isend}. */
    void sent(Object request) throws IOException {
        try {
            Object ignored = await.invokeExact(request);
        } catch (Throwable e) {
            throw new IOException("Wait", e);
        }
    }
}
