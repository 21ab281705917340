import type { FastifyRequest } from 'fastify';
import type { Extension } from '../canonical-url.js';
import type { Format } from '../documents/whois-resources.js';
import { canonicalUrlOf, isRead } from '../request-context.js';

/** The format that a request accepts; `undefined` when the resource does not offer it. */
export function acceptedFormat(request: FastifyRequest): Format | undefined {
  const { extension } = canonicalUrlOf(request);
  const { accept } = request.headers;
  switch (request.facts.format) {
    case 'json':
      return acceptsJson(extension, accept) ? 'json' : undefined;
    case 'rdap':
      return acceptsRdap(accept) ? 'json' : undefined;
    case 'rows':
      return 'json';
    case 'text':
      return 'text';
    case 'events':
      // The stream has its own format, which its clients request; errors have one of the others.
      return negotiate(extension, accept, isRead(request)) ?? 'json';
    case 'negotiated':
      return negotiate(extension, accept, isRead(request));
  }
}

interface MediaRange {
  readonly type: string;
  readonly quality: number;
  /** 0 for any type, 1 for any subtype, 2 for a complete type. */
  readonly specificity: number;
  readonly position: number;
}

const formatTypes: readonly (readonly [Format, string])[] = [
  ['xml', 'application/xml'],
  ['json', 'application/json'],
  ['text', 'text/plain'],
];
const extensionFormats: Record<Extension, Format> = { xml: 'xml', json: 'json', txt: 'text' };

/** The media type of RDAP (RFC 7480 section 4.2). */
export const rdapMediaType = 'application/rdap+json';

/** The Content-Type of a reply. */
export const contentTypes: Record<Format, string> = {
  xml: 'application/xml',
  json: 'application/json',
  text: 'text/plain;charset=utf-8',
};

const remembered = { read: new Map<string, Format | undefined>(), write: new Map<string, Format | undefined>() };
const rememberedMost = 256;
const rememberedLength = 256;

/**
 * The format by extension, else the best one of Accept, else XML (decisions F2, F3). `undefined` when none matches;
 * only reads offer text.
 */
export function negotiate(
  extension: Extension | undefined,
  accept: string | undefined,
  isRead: boolean,
): Format | undefined {
  if (extension !== undefined) return offered(extensionFormats[extension], isRead);
  if (accept === undefined || accept === '') return 'xml';
  return acceptedFrom(accept, isRead);
}

/** Whether a client accepts JSON, where nothing else is offered. */
function acceptsJson(extension: Extension | undefined, accept: string | undefined): boolean {
  if (extension !== undefined) return extension === 'json';
  if (accept === undefined || accept === '') return true;
  return bestType(accept, ['application/json']) !== undefined;
}

const rdapTypes = [rdapMediaType, 'application/json'] as const;

/** Whether a client accepts a document of RDAP; its usual headers need no parsing. */
function acceptsRdap(accept: string | undefined): boolean {
  if (accept === undefined || accept === '' || accept === '*/*' || accept === rdapMediaType) return true;
  return bestType(accept, rdapTypes) !== undefined;
}

function offered(format: Format, isRead: boolean): Format | undefined {
  return format === 'text' && !isRead ? undefined : format;
}

/** Clients send few different headers, so the results are cached. */
function acceptedFrom(accept: string, isRead: boolean): Format | undefined {
  const known = remembered[isRead ? 'read' : 'write'];
  if (known.has(accept)) return known.get(accept);
  const format = bestFormat(accept, isRead);
  if (known.size < rememberedMost && accept.length <= rememberedLength) known.set(accept, format);
  return format;
}

function bestFormat(accept: string, isRead: boolean): Format | undefined {
  const available = formatTypes.filter(([format]) => offered(format, isRead) !== undefined);
  const best = bestType(
    accept,
    available.map(([, type]) => type),
  );
  return available.find(([, type]) => type === best)?.[0];
}

/**
 * The media type that an Accept prefers, the first of equals; `undefined` when it accepts none. Not by the package
 * negotiator: that distinguishes `application/json;charset=utf-8` from `application/json`, and allows a quality of 2.
 */
export function bestType<T extends string>(accept: string, types: readonly T[]): T | undefined {
  const ranges = accept.split(',').flatMap(parseRange);
  const candidates = types
    .map((type) => ({ type, range: rangeFor(type, ranges) }))
    .filter((candidate) => candidate.range !== undefined && candidate.range.quality > 0)
    .sort((a, b) => compareRanges(a.range!, b.range!));
  return candidates[0]?.type;
}

/** RFC 9110 section 12.5.1: the most specific matching range counts. */
function rangeFor(type: string, ranges: readonly MediaRange[]): MediaRange | undefined {
  const anySubtype = `${type.slice(0, type.indexOf('/'))}/*`;
  return ranges
    .filter((range) => range.type === type || range.type === anySubtype || range.type === '*/*')
    .sort((a, b) => b.specificity - a.specificity)[0];
}

/** Better first; preserves the order of equals. */
function compareRanges(a: MediaRange, b: MediaRange): number {
  return b.quality - a.quality || b.specificity - a.specificity || a.position - b.position;
}

function parseRange(text: string, position: number): MediaRange[] {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  if (!/^[^/\s]+\/[^/\s]+$/.test(type)) return [];
  const written = parameters.find((parameter) => parameter.startsWith('q='));
  const quality = written === undefined ? 1 : Number(written.slice(2));
  if (!(quality >= 0 && quality <= 1)) return [];
  return [{ type, quality, specificity: type === '*/*' ? 0 : type.endsWith('/*') ? 1 : 2, position }];
}
