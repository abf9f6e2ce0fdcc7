package io.dxnet;

/** Which threads drive the stages of the engine. Every layout keeps every guarantee. */
public enum ThreadingLayout {
    /**
     * {@link #FUSED} on up to four cores, else {@link #DEDICATED}.
     * {@link DXNet#describe()} names the choice.
     */
    AUTO,
    /**
     * The papers' layout: transport thread, message creation coordinator and each
     * message handler have a thread each.
     */
    DEDICATED,
    /**
     * Transport, message creation coordinator and one message handler share one thread: on few
     * cores a pipeline of threads loses more to switching than it wins. More handlers, where
     * configured, get threads of their own.
     */
    FUSED
}
