/** Size of a message of an exchange above which the next one begins, in bytes. */
export const messageBytes = 256 * 1024;

/** Size above which the server refuses a message, in bytes: it may hold tens of thousands of calls that cost little to send. */
export const maxMessageBytes = 2 * messageBytes;

/** Size of a request above which a call does not go through an exchange, in bytes. */
export const maxRequestBytes = 64 * 1024;

/** Size of a part of an answer, in bytes: nobody waits behind a larger one. */
export const partBytes = 32 * 1024;

/** Bytes of the answer to a call that the server sends before the client has taken them. */
export const windowBytes = 128 * 1024;

/** Bytes after which the client reports what it took: a fraction of the window, so that the server never waits for it. */
export const reportBytes = 32 * 1024;
