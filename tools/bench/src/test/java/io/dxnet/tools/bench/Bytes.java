package io.dxnet.tools.bench;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Proxy;
import java.util.Arrays;

/**
 * An exporter into and an importer from a byte array, with the methods
 * that the benchmark's payloads use.
 */
final class Bytes {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    Exporter exporter() {
        return (Exporter) Proxy.newProxyInstance(
                Bytes.class.getClassLoader(), new Class<?>[] {Exporter.class}, (proxy, method, args) -> {
                    if (method.getName().equals("writeBytes") && args.length == 3) {
                        out.write((byte[]) args[0], (int) args[1], (int) args[2]);
                        return null;
                    }
                    throw new UnsupportedOperationException(method.toString());
                });
    }

    byte[] written() {
        return out.toByteArray();
    }

    static Importer importer(byte[] bytes) {
        int[] position = {0};
        return (Importer) Proxy.newProxyInstance(
                Bytes.class.getClassLoader(), new Class<?>[] {Importer.class}, (proxy, method, args) -> {
                    if (method.getName().equals("remaining")) {
                        return bytes.length - position[0];
                    }
                    if (method.getName().equals("readBytes") && args.length == 3) {
                        int length = (int) args[2];
                        byte[] from = Arrays.copyOfRange(bytes, position[0], position[0] + length);
                        System.arraycopy(from, 0, (byte[]) args[0], (int) args[1], length);
                        position[0] += length;
                        return null;
                    }
                    throw new UnsupportedOperationException(method.toString());
                });
    }
}
