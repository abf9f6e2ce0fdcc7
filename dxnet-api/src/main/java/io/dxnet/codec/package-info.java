/**
 * Derives codecs from records; not for applications, which use {@link io.dxnet.Codec}.
 *
 * <p>{@link io.dxnet.codec.Derivation} walks over a type and builds a tree of
 * {@link io.dxnet.codec.ValueCodec}s. For each record, {@link io.dxnet.codec.RecordClass} defines a
 * hidden class whose methods invoke one constant method handle per component; the just-in-time
 * compiler inlines them into what a programmer would write by hand.
 *
 * <pre>
 *   primitive                       fixed width, as Exporter writes it
 *   String, array of primitives     as Exporter writes them: length -1 is null
 *   enum                            compact ordinal; -1 is null
 *   BigInteger                      compact number of bytes; two's complement, high byte first; -1 is null
 *   UUID                            high long | low long
 *   Instant, Duration               seconds, long | nanoseconds, int
 *   boxed primitive                 as the primitive
 *   record                          its components in order, nothing else
 *   sealed interface                compact index of the case | the case; -1 is null
 *   List, Set, array                compact number of elements | elements; -1 is null
 *   Map                             compact number of entries | key, value, key, value ...; -1 is null
 *   Optional                        its content where a value may be null; null is empty
 *   what may be null, above no -1   byte 0: null; byte 1: the value follows
 *   element that may take no byte   byte 1 before it, so that a count can be compared with the bytes that are left
 * </pre>
 */
@NullMarked
package io.dxnet.codec;

import org.jspecify.annotations.NullMarked;
