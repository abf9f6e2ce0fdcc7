package io.dxnet.ibverbs;

import io.dxnet.ibverbs.raw.verbs_h;
import java.util.Map;

/** The error numbers of Linux that verbs return, as text. */
final class Errno {
    private record Text(String name, String meaning) {}

    private static final Map<Integer, Text> TEXTS = Map.ofEntries(
            entry(verbs_h.EPERM(), "EPERM", "operation not permitted"),
            entry(verbs_h.ENOENT(), "ENOENT", "no such entry"),
            entry(verbs_h.EINTR(), "EINTR", "interrupted"),
            entry(verbs_h.EIO(), "EIO", "input/output error"),
            entry(verbs_h.EBADF(), "EBADF", "bad descriptor"),
            entry(verbs_h.EAGAIN(), "EAGAIN", "nothing there now"),
            entry(verbs_h.ENOMEM(), "ENOMEM", "no memory or no room in the queue"),
            entry(verbs_h.EACCES(), "EACCES", "permission denied"),
            entry(verbs_h.EFAULT(), "EFAULT", "address not mapped"),
            entry(verbs_h.EBUSY(), "EBUSY", "still in use"),
            entry(verbs_h.EEXIST(), "EEXIST", "exists already"),
            entry(verbs_h.ENODEV(), "ENODEV", "no such device"),
            entry(verbs_h.EINVAL(), "EINVAL", "invalid argument"),
            entry(verbs_h.EMFILE(), "EMFILE", "too many open descriptors"),
            entry(verbs_h.ENOSPC(), "ENOSPC", "no space left"),
            entry(verbs_h.ERANGE(), "ERANGE", "out of range"),
            entry(verbs_h.ENOSYS(), "ENOSYS", "not implemented"),
            entry(verbs_h.ENODATA(), "ENODATA", "empty entry"),
            entry(verbs_h.ETIME(), "ETIME", "timer expired"),
            entry(verbs_h.EOPNOTSUPP(), "EOPNOTSUPP", "not supported by the device"),
            entry(verbs_h.ENETUNREACH(), "ENETUNREACH", "network unreachable"),
            entry(verbs_h.ETIMEDOUT(), "ETIMEDOUT", "timed out"),
            entry(verbs_h.EHOSTUNREACH(), "EHOSTUNREACH", "host unreachable"));

    private Errno() {}

    private static Map.Entry<Integer, Text> entry(int number, String name, String meaning) {
        return Map.entry(number, new Text(name, meaning));
    }

    /** {@code EINVAL (22, invalid argument)}. */
    static String describe(int errno) {
        Text text = TEXTS.get(errno);
        return text == null ? "errno " + errno : text.name() + " (" + errno + ", " + text.meaning() + ")";
    }
}
