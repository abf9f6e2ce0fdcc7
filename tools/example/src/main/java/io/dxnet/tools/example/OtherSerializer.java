package io.dxnet.tools.example;

import io.dxnet.Codec;
import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.MessageFormatException;
import io.dxnet.MessageType;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Properties;

/**
 * Another serializer behind a {@link Codec}: here {@link Properties} and its text format, in an
 * application Protobuf, Kryo or Fory.
 */
final class OtherSerializer {
    static final MessageType<Properties> SETTINGS =
            MessageType.of(1, "Settings", Codec.of(OtherSerializer::write, OtherSerializer::read));

    private OtherSerializer() {}

    private static void write(Properties settings, Exporter to) {
        StringWriter text = new StringWriter();
        try {
            settings.store(text, null);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        to.writeString(text.toString());
    }

    private static Properties read(Importer from) {
        Properties settings = new Properties();
        try {
            settings.load(new StringReader(from.readString()));
        } catch (IOException | IllegalArgumentException e) {
            throw new MessageFormatException("these are no settings: " + e.getMessage());
        }
        return settings;
    }
}
