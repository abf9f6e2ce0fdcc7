package io.dxnet.tools.ycsb;

/** What answered a get by memory: the memory, or a message because of one of the other reasons. */
enum GetAnswer {
    MEMORY("from memory"),
    NO_SLOT("no slot has the key"),
    LARGE_ROW("larger than a slot"),
    TIMED_OUT("not consistent, or no answer in time"),
    NOT_ATTACHED("not attached");

    private final String text;

    GetAnswer(String text) {
        this.text = text;
    }

    /** {@return for people} */
    String text() {
        return text;
    }
}
