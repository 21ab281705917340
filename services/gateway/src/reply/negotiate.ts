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
      return acceptedType(jsonTypes, accept, extension) && 'json';
    case 'rdap':
      return acceptedType(rdapTypes, accept) && 'json';
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

const formatOfType = { 'application/xml': 'xml', 'application/json': 'json', 'text/plain': 'text' } as const;
const jsonTypes = ['application/json'] as const;
const writeTypes = ['application/xml', 'application/json'] as const;
const readTypes = [...writeTypes, 'text/plain'] as const;
const typeOfExtension = { xml: 'application/xml', json: 'application/json', txt: 'text/plain' } as const;

/** The media type of RDAP (RFC 7480 section 4.2). */
export const rdapMediaType = 'application/rdap+json';
const rdapTypes = [rdapMediaType, 'application/json'] as const;

/** The Content-Type of a reply. */
export const contentTypes: Record<Format, string> = {
  xml: 'application/xml',
  json: 'application/json',
  text: 'text/plain;charset=utf-8',
};

/**
 * The format by extension, else the best one of Accept, else XML (decisions F2, F3). `undefined` when none matches;
 * only reads offer text.
 */
export function negotiate(
  extension: Extension | undefined,
  accept: string | undefined,
  isRead: boolean,
): Format | undefined {
  const type = acceptedType(isRead ? readTypes : writeTypes, accept, extension);
  return type && formatOfType[type];
}

/** Clients send few different headers, so their results are kept. */
const remembered = new WeakMap<readonly string[], Map<string, string | undefined>>();
const rememberedMost = 256;
const rememberedLength = 256;

/**
 * The media type that the extension names, else the one that Accept prefers, the first of equals; `undefined` when it is
 * not offered. Parameter: a list that lasts, because it identifies the cached results.
 */
export function acceptedType<T extends string>(
  offered: readonly T[],
  accept?: string,
  extension?: Extension,
): T | undefined {
  if (extension !== undefined) return offered.find((type) => type === typeOfExtension[extension]);
  if (accept === undefined || accept === '' || accept === '*/*') return offered[0];
  const known = remembered.get(offered) ?? new Map<string, string | undefined>();
  remembered.set(offered, known);
  if (known.has(accept)) return known.get(accept) as T | undefined;
  const type = bestType(accept, offered);
  if (known.size < rememberedMost && accept.length <= rememberedLength) known.set(accept, type);
  return type;
}

/**
 * Not by the package negotiator: that distinguishes `application/json;charset=utf-8` from `application/json`, and allows
 * a quality of 2.
 */
function bestType<T extends string>(accept: string, types: readonly T[]): T | undefined {
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
