package io.dxnet.tools.fuzz;

import io.dxnet.ConfigKey;
import io.dxnet.ConfigurationException;
import io.dxnet.DXNetConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Configuration files. */
final class ConfigTarget implements FuzzTarget {
    private final TextFile file = new TextFile();

    @Override
    public String name() {
        return "config";
    }

    /** One with all keys and a valid value each, and one for each key with a value that is none. */
    @Override
    public List<byte[]> seeds() {
        DXNetConfig config = DXNetConfig.builder().build();
        List<byte[]> seeds = new ArrayList<>();
        StringBuilder all = new StringBuilder("nio.lingerMs=20\ndxnet.ib.device=soft0\n");
        for (ConfigKey key : ConfigKey.values()) {
            all.append(key.key()).append('=').append(config.value(key)).append('\n');
            seeds.add((key.key() + "=-1G\n").getBytes(StandardCharsets.UTF_8));
        }
        seeds.add(all.toString().getBytes(StandardCharsets.UTF_8));
        seeds.add("clusterName=\\u00e".getBytes(StandardCharsets.US_ASCII));
        seeds.add(
                "ringBytes=4M\nhandlers=2\nincomingBytesMax=9223372036854775807K".getBytes(StandardCharsets.US_ASCII));
        return seeds;
    }

    @Override
    public void run(byte[] input) throws IOException {
        DXNetConfig config;
        try {
            config = DXNetConfig.builder().load(file.with(input)).build();
        } catch (ConfigurationException e) {
            return; // as documented
        } catch (UncheckedIOException e) {
            if (e.getCause() instanceof CharacterCodingException) {
                return; // as documented
            }
            throw e;
        }
        DXNetConfig again = DXNetConfig.builder().load(file.with(input)).build();
        if (!values(config).equals(values(again))) {
            throw new AssertionError(config + " became " + again);
        }
    }

    @Override
    public long allocationBytesMax(int inputBytes) {
        // The buffers of the JDK's readers, all keys in the text of an error, and what Jazzer
        // allocates to trace comparisons.
        return (4L << 20) + 1024L * inputBytes;
    }

    /** All but the error handler: the default one is made anew. */
    private static List<Object> values(DXNetConfig config) {
        List<Object> values = new ArrayList<>();
        for (ConfigKey key : ConfigKey.values()) {
            values.add(config.value(key));
        }
        values.add(config.transportOptions());
        return values;
    }
}
