package io.dxnet.tools.verbs.jib;

import io.dxnet.tools.report.Sizes;

/** One point of a figure. */
record Case(Pattern pattern, Transfer transfer, int size) {
    @Override
    public String toString() {
        return pattern + " " + transfer + " " + Sizes.format(size);
    }
}
