package io.dxnet;

/**
 * An object that can be read from a received message (DXNet §V): the
 * mirror image of {@link Exportable}.
 */
public interface Importable {
    /**
     * Reads this object's items in the order in which {@link Exportable#exportObject} wrote them.
     * Called once per message, top to bottom, on a message handler thread. The message is complete
     * when this is called: the importer never waits.
     *
     * @param importer where to read from; valid during this call only
     */
    void importObject(Importer importer);
}
