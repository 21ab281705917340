import { constants, type Http2SecureServer, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';

/**
 * Limits of one HTTP/2 connection. Resets streams with more than `headerBytes` of headers, counted as in RFC 9113
 * section 6.5.2.
 */
export function sessionLimits(headerBytes: number) {
  return {
    settings: { maxConcurrentStreams: 100, maxHeaderListSize: headerBytes },
    maxSessionInvalidFrames: 100,
    // In MB. A connection whose client does not read gets no more streams beyond it.
    maxSessionMemory: 4,
    // Beyond its own limit of resets Node leaves connections open without a response; `limitResets` closes them.
    streamResetBurst: 1_000_000,
    streamResetRate: 1_000_000,
  } as const;
}

/**
 * Limits the time of HTTP/2 requests, as Node does for HTTP/1.1: cancels streams whose body takes longer than
 * `requestTimeout`, and those without traffic for `idleTimeout`.
 */
export function limitStreams(server: Http2SecureServer, requestTimeout: number, idleTimeout: number): void {
  server.on('stream', (stream, _headers, flags) => {
    stream.setTimeout(idleTimeout, () => stream.close(constants.NGHTTP2_CANCEL));
    if ((flags & constants.NGHTTP2_FLAG_END_STREAM) === 0) limitBody(stream, requestTimeout);
  });
}

function limitBody(stream: ServerHttp2Stream, requestTimeout: number): void {
  const late = setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), requestTimeout);
  const finished = () => clearTimeout(late);
  stream.once('end', finished).once('close', finished);
  // After an early response, discards the rest of the body until the timeout. A reset would get lost.
  stream.once('finish', () => stream.resume());
}

/** Maximum resets of one connection: a burst, and then a rate. */
const resetBurst = 200;
const resetsPerSecond = 20;
/** Interval of checks for streams that ended before their headers were complete. */
const lookMs = 500;

/** The observer of `limitResets`. */
interface ResetObserver {
  /** Whether the limit applies to connections from this address. */
  isBounded(address: string | undefined): boolean;
  /** `count` streams of a connection were reset before their headers were complete, so they became no requests. */
  onLostRequests(address: string | undefined, count: number): void;
  /** The connection was closed because too many of its streams were reset. */
  onClose(): void;
}

/**
 * Closes HTTP/2 connections with too many reset streams (CVE-2023-44487), and those that have had `maxRequests` (0: any
 * number) after the responses, as Node does for HTTP/1.1. Node emits no event for streams that it resets because of
 * their headers; the number of the last stream reveals them.
 */
export function limitResets(server: Http2SecureServer, maxRequests: number, observer: ResetObserver): void {
  const looks = new Set<() => void>();
  server.on('session', (session) => {
    const look = watchSession(session, maxRequests, observer);
    looks.add(look);
    session.once('close', () => looks.delete(look));
  });
  const timer = setInterval(() => {
    for (const look of looks) look();
  }, lookMs).unref();
  server.once('close', () => clearInterval(timer));
}

/** Observes one connection. Returns a function that checks for streams that became no requests. */
function watchSession(session: ServerHttp2Session, maxRequests: number, observer: ResetObserver): () => void {
  const { remoteAddress } = session.socket;
  const isBounded = observer.isBounded(remoteAddress);
  let allowed = resetBurst;
  let refilled = performance.now();
  let requests = 0;
  let isClosing = false;
  const countResets = (resets: number) => {
    const now = performance.now();
    allowed = Math.min(resetBurst, allowed + ((now - refilled) / 1000) * resetsPerSecond) - resets;
    refilled = now;
    if (allowed >= 0 || !isBounded || isClosing) return;
    isClosing = true;
    observer.onClose();
    session.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM);
    setImmediate(() => session.destroy());
  };
  session.on('stream', (stream) => {
    requests++;
    if (requests === maxRequests) session.close();
    stream.once('close', () => {
      if (stream.rstCode !== constants.NGHTTP2_NO_ERROR) countResets(1);
    });
  });
  return () => {
    const streams = Math.ceil((session.state.lastProcStreamID ?? 0) / 2);
    const lost = streams - requests;
    if (lost <= 0) return;
    requests = streams;
    observer.onLostRequests(remoteAddress, lost);
    countResets(lost);
  };
}
