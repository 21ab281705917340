/** Size of a message of an exchange above which the next one begins, in bytes. */
export const messageBytes = 256 * 1024;

/**
 * Maximum size of a message that the server accepts, in bytes: a message may hold tens of thousands of calls that cost
 * little to send.
 */
export const maxMessageBytes = 2 * messageBytes;

/** Maximum size of a request in an exchange, in bytes; larger ones are calls of their own. */
export const maxRequestBytes = 64 * 1024;

/** Maximum size of a part of an answer, in bytes: other answers wait only this long. */
export const partBytes = 32 * 1024;

/** Maximum bytes of an answer that the server sends before the client has read them. */
export const windowBytes = 128 * 1024;

/** Number of bytes read after which the client reports: a fraction of the window, so that the server need not wait. */
export const reportBytes = 32 * 1024;
