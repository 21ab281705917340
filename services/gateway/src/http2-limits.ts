import { constants, type Http2SecureServer, type ServerHttp2Stream } from 'node:http2';

/**
 * Bounds on what one HTTP/2 connection may ask for at a time. A stream whose headers are larger than `headerBytes`
 * (counted as RFC 9113 section 6.5.2 says) is reset.
 */
export function sessionLimits(headerBytes: number) {
  return {
    settings: { maxConcurrentStreams: 100, maxHeaderListSize: headerBytes },
    maxSessionInvalidFrames: 100,
  } as const;
}

/**
 * Bounds the time of HTTP/2 requests as the server itself does for HTTP/1.1: a body that takes longer than
 * `requestTimeout` to come, and a stream on which nothing moves for `idleTimeout`, are cancelled.
 */
export function limitStreams(server: Http2SecureServer, requestTimeout: number, idleTimeout: number): void {
  server.on('stream', (stream, _headers, flags) => {
    stream.setTimeout(idleTimeout, () => stream.close(constants.NGHTTP2_CANCEL));
    if ((flags & constants.NGHTTP2_FLAG_END_STREAM) === 0) limitBody(stream, requestTimeout);
  });
}

function limitBody(stream: ServerHttp2Stream, requestTimeout: number): void {
  const late = setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), requestTimeout);
  const over = () => clearTimeout(late);
  stream.once('end', over).once('close', over);
  // Answered before the body was read: the rest of it is not wanted (RFC 9113 section 8.1).
  stream.once('finish', () => {
    if (!stream.readableEnded) stream.close(constants.NGHTTP2_NO_ERROR);
  });
}
