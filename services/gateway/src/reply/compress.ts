import { pipeline, type Readable, type Transform } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';

/*
 * Not @fastify/compress: it chooses the coding in a hook after the reply. Here the ETag, the headers of HEAD and the
 * key in the cache depend on the coding.
 */

/** The body of a reply: complete, or in pieces created during the transmission. */
export type Body = Buffer | AsyncIterable<string | Buffer>;

/** A content coding of replies (RFC 9110 section 8.4.1), the better one first. */
export type Coding = 'br' | 'gzip';
const codings: readonly Coding[] = ['br', 'gzip'];

/** No client needs a longer Accept-Encoding; parsing one would cost more than the reply. */
const maxAcceptedLength = 200;
/** Shorter bodies fit into one packet uncompressed. */
export const leastBytes = 1_400;
/** Maximum number of concurrent compressions, with up to 1 MB of memory each. Others are sent uncompressed. */
const maxAtOnce = 64;

// Cheap levels: 1 MB needs about 3 ms of a worker thread.
const gzipOptions = { level: 4 };
const brotliOptions = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 },
};
const encoders: Record<Coding, { whole(body: Buffer): Promise<Buffer>; stream(): Transform }> = {
  // Flush each piece of a stream, so that a client receives every page immediately.
  br: {
    whole: (body) => brotliCompressed(body, brotliOptions),
    stream: () => createBrotliCompress({ ...brotliOptions, flush: constants.BROTLI_OPERATION_FLUSH }),
  },
  gzip: {
    whole: (body) => gzipped(body, gzipOptions),
    stream: () => createGzip({ ...gzipOptions, flush: constants.Z_SYNC_FLUSH }),
  },
};
const brotliCompressed = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Compresses a bounded number of replies at a time, in worker threads. */
export interface Compressor {
  /**
   * The coding for a body, by the Accept-Encoding of its request; `undefined` to send it uncompressed: the client
   * prefers that, the body is short, or too many compressions are running.
   */
  codingFor(body: Body, accepted: string | undefined): Coding | undefined;
  compress(body: Buffer, coding: Coding): Promise<Buffer>;
  /** Compresses a stream; destroying the result destroys the body. */
  stream(body: Buffer | Readable, coding: Coding): Readable;
}

/** Makes a compressor. */
export function createCompressor(): Compressor {
  let underWay = 0;
  return {
    codingFor(body, accepted) {
      if (accepted === undefined || underWay >= maxAtOnce) return undefined;
      return Buffer.isBuffer(body) && body.length < leastBytes ? undefined : preferredCoding(accepted);
    },
    async compress(body, coding) {
      underWay++;
      try {
        return await encoders[coding].whole(body);
      } finally {
        underWay--;
      }
    },
    stream(body, coding) {
      const encoder = encoders[coding].stream();
      underWay++;
      encoder.once('close', () => underWay--);
      // The reader of the encoder receives the errors of both.
      pipeline(Buffer.isBuffer(body) ? [body] : body, encoder, () => {});
      return encoder;
    },
  };
}

const preferred = new Map<string | undefined, Coding | undefined>();
const maxPreferred = 256;

/** The coding that an Accept-Encoding prefers. Clients send few different ones, so the results are cached. */
export function preferredCoding(accepted: string | undefined): Coding | undefined {
  const known = preferred.get(accepted);
  if (known !== undefined || preferred.has(accepted)) return known;
  const coding = acceptedCoding(accepted, codings);
  const fits = preferred.size < maxPreferred && (accepted === undefined || accepted.length <= maxAcceptedLength);
  if (fits) preferred.set(accepted, coding);
  return coding;
}

/**
 * The coding that an Accept-Encoding prefers among the available ones, the first of equals (RFC 9110 section 12.5.3);
 * `undefined` when it accepts none or prefers no coding.
 */
export function acceptedCoding(accepted: string | undefined, offered: readonly Coding[]): Coding | undefined {
  if (accepted === undefined || accepted.length > maxAcceptedLength) return undefined;
  const qualities = new Map(accepted.split(',').map(parseCoding));
  const qualityOf = (coding: string) => qualities.get(coding) ?? qualities.get('*') ?? 0;
  const best = offered.toSorted((a, b) => qualityOf(b) - qualityOf(a))[0];
  const isLiked = best !== undefined && qualityOf(best) > 0 && qualityOf(best) >= (qualities.get('identity') ?? 0);
  return isLiked ? best : undefined;
}

function parseCoding(text: string): [coding: string, quality: number] {
  const [coding = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const written = parameters.find((parameter) => parameter.startsWith('q='));
  const quality = written === undefined ? 1 : Number(written.slice(2));
  return [coding, quality >= 0 && quality <= 1 ? quality : 0];
}
