package io.dxnet.runtime.wire;

import io.dxnet.Codec;
import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.ObjectSize;
import io.dxnet.jmh.NanosPerCall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;

/**
 * Codecs, value by value: nanoseconds for one record measured and written, or read, by its derived
 * codec; a codec written by hand beside it. A read allocates the record, and its array.
 */
@OperationsPerInvocation(StructureExporter.ITEMS)
public class StructureCodec extends NanosPerCall {
    private static final int ITEMS = StructureExporter.ITEMS;
    private static final int MEMORY_BYTES = StructureExporter.MEMORY_BYTES;

    /** A record of primitives. */
    record Tick(long time, int instrument, double price, boolean isBuy) {}

    /** A record with an array. */
    @SuppressWarnings("ArrayRecordComponent") // compared nowhere
    record Sample(byte[] payload) {}

    private static final class TickCodec implements Codec<Tick> {
        @Override
        public void write(Tick value, Exporter to) {
            to.writeLong(value.time());
            to.writeInt(value.instrument());
            to.writeDouble(value.price());
            to.writeBoolean(value.isBuy());
        }

        @Override
        public int size(Tick value) {
            return Long.BYTES + Integer.BYTES + Double.BYTES + Byte.BYTES;
        }

        @Override
        public Tick read(Importer from) {
            return new Tick(from.readLong(), from.readInt(), from.readDouble(), from.readBoolean());
        }
    }

    private static final class SampleCodec implements Codec<Sample> {
        @Override
        public void write(Sample value, Exporter to) {
            to.writeByteArray(value.payload());
        }

        @Override
        public int size(Sample value) {
            return ObjectSize.ofByteArray(value.payload());
        }

        @Override
        public Sample read(Importer from) {
            return new Sample(from.readByteArray());
        }
    }

    private static final Codec<Tick> TICKS = Codec.of(Tick.class, MethodHandles.lookup());
    private static final Codec<Sample> SAMPLES = Codec.of(Sample.class, MethodHandles.lookup());
    private static final Codec<Tick> TICKS_BY_HAND = new TickCodec();
    private static final Codec<Sample> SAMPLES_BY_HAND = new SampleCodec();

    private final Tick tick = new Tick(1, 2, 3.5, true);
    private final Sample sample = new Sample(new byte[64]);
    private final MemorySegment tickMemory = Arena.global().allocate(MEMORY_BYTES, Long.BYTES);
    private final MemorySegment sampleMemory = Arena.global().allocate(MEMORY_BYTES, Long.BYTES);
    private final StructureExporter.Out ticksOut = new StructureExporter.Out(tickMemory);
    private final StructureExporter.Out samplesOut = new StructureExporter.Out(sampleMemory);
    private final StructureImporter.In ticksIn = new StructureImporter.In(tickMemory);
    private final StructureImporter.In samplesIn = new StructureImporter.In(sampleMemory);

    /** Writes what the benchmarks that read find. */
    public StructureCodec() {
        write(TICKS, tick, ticksOut);
        write(SAMPLES, sample, samplesOut);
    }

    private static <T> int write(Codec<T> codec, T value, StructureExporter.Out out) {
        StructureExporter.Out to = out.begin();
        int bytes = 0;
        for (int i = 0; i < ITEMS; i++) {
            bytes += codec.size(value);
            codec.write(value, to);
        }
        return bytes;
    }

    @Benchmark
    public int writeRecord() {
        return write(TICKS, tick, ticksOut);
    }

    @Benchmark
    public int writeRecordByHand() {
        return write(TICKS_BY_HAND, tick, ticksOut);
    }

    @Benchmark
    public int writeArray() {
        return write(SAMPLES, sample, samplesOut);
    }

    @Benchmark
    public int writeArrayByHand() {
        return write(SAMPLES_BY_HAND, sample, samplesOut);
    }

    @Benchmark
    public long readRecord() {
        StructureImporter.In from = ticksIn.begin();
        long sum = 0;
        for (int i = 0; i < ITEMS; i++) {
            sum += TICKS.read(from).time();
        }
        return sum;
    }

    @Benchmark
    public long readRecordByHand() {
        StructureImporter.In from = ticksIn.begin();
        long sum = 0;
        for (int i = 0; i < ITEMS; i++) {
            sum += TICKS_BY_HAND.read(from).time();
        }
        return sum;
    }

    @Benchmark
    public long readArray() {
        StructureImporter.In from = samplesIn.begin();
        long sum = 0;
        for (int i = 0; i < ITEMS; i++) {
            sum += SAMPLES.read(from).payload().length;
        }
        return sum;
    }

    @Benchmark
    public long readArrayByHand() {
        StructureImporter.In from = samplesIn.begin();
        long sum = 0;
        for (int i = 0; i < ITEMS; i++) {
            sum += SAMPLES_BY_HAND.read(from).payload().length;
        }
        return sum;
    }
}
