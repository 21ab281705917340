import { formatIpv4, formatIpv6, parseAsNumber, parseIpv4, parseIpv6Prefix, type Resource } from '@cadastre/rpsl';
import { specialSpaceOf } from './special-space.js';

/** A resource in a text: an address, a prefix or an AS number. */
export interface FoundResource {
  /** In its usual spelling; a prefix without host bits. */
  readonly text: string;
  readonly count: number;
  /** Sorts as a text: IPv4, IPv6, AS numbers, each by number, larger prefixes first. */
  readonly order: string;
  /** Its reserved purpose, if any. */
  readonly special: string | undefined;
}

/** The resources of a text. */
export interface FoundResources {
  /** Each once, in the order of the text. */
  readonly resources: readonly FoundResource[];
  /** Whether different resources beyond the maximum were omitted. */
  readonly isCut: boolean;
}

/** Longer words contain no resources. */
const maxWordLength = 200;

/*
 * Times ("10:00:01") and hardware addresses look like the beginning of an IPv6 address, so matches are parsed. A fifth
 * number after an IPv4 address is a port in the notation of tcpdump; more are an object identifier.
 */
const ipv4 = String.raw`(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?:\/\d{1,2})?`;
const ipv6 = String.raw`(?<![\w.:])[\da-f]{0,4}(?::[\da-f]{0,4}){2,8}(?:(?<=:)\d{1,3}(?:\.\d{1,3}){3})?(?:\/\d{1,3})?`;
const asNumber = String.raw`(?<![\w.-])asn? ?\d{1,10}`;
const candidates = new RegExp(String.raw`(?:${asNumber}|${ipv6}|${ipv4})(?!\w|(?:\.\d+){2})`, 'gi');

const maxResources = 50_000;

/** Finds resources in the pieces of log lines, lists, mails and the like, which may write "192[.]0[.]2[.]1". */
export function createScanner(max = maxResources) {
  const found = new Map<string, FoundResource>();
  let isCut = false;
  let rest = '';
  const scan = (text: string) => {
    const plain = refanged(text);
    for (const { 0: candidate, index } of plain.matchAll(candidates)) {
      const resource = readResource(candidate, plain.slice(index - 2, index) === '//');
      const known = resource && found.get(resource.text);
      if (known) found.set(known.text, { ...known, count: known.count + 1 });
      else if (resource && found.size < max) found.set(resource.text, resource);
      else if (resource) isCut = true;
    }
  };
  return {
    add(piece: string) {
      const text = rest + piece;
      // The last word may continue in the next piece.
      const cut = endOfWord(text, Math.max(text.lastIndexOf('\n') + 1, text.length - maxWordLength));
      scan(text.slice(0, cut));
      rest = text.slice(cut);
    },
    end(): FoundResources {
      scan(rest);
      rest = '';
      return { resources: [...found.values()], isCut };
    },
  };
}

/** The nearest position at or before this one where no resource is cut, also none like "AS 64500". */
function endOfWord(text: string, at: number): number {
  for (let end = at; end > Math.max(0, at - maxWordLength); end--) {
    if (/[^\w.:/[\](){}-]/.test(text[end - 1]!) && !/\basn? $/i.test(text.slice(end - 5, end))) return end;
  }
  return at;
}

/** The resources of a whole text. */
export function findResources(text: string, max = maxResources): FoundResources {
  const scanner = createScanner(max);
  scanner.add(text);
  return scanner.end();
}

/** Undoes the notations that keep addresses from being clicked. */
function refanged(text: string): string {
  return text.replace(/\[\.\]|\(\.\)|\[dot\]/gi, '.').replaceAll('[:]', ':');
}

function readResource(candidate: string, isInUrl: boolean): FoundResource | undefined {
  if (/^as/i.test(candidate)) return readAsNumber(candidate);
  const text = isInUrl ? candidate.replace(/\/.*/, '') : candidate;
  const quad = /\d+\.\d+\.\d+\.\d+(?:\/\d+)?$/.exec(text)?.[0];
  if (quad !== undefined) return readIpv4(quad);
  return isIpv6(text) ? readIpv6(text.replace(/(?<!:):(?=\/|$)/, '')) : undefined;
}

/** In prose, "as 5" is not an AS number. */
function readAsNumber(text: string): FoundResource | undefined {
  if (text.includes(' ') && !text.startsWith('AS')) return undefined;
  const number = parseAsNumber(text.replace(/^asn? ?0*(?=\d)/i, 'AS'));
  return number === undefined ? undefined : resourceOf(`AS${number}`, { as: { first: number, last: number } });
}

function readIpv4(text: string): FoundResource | undefined {
  const [address = '', length = '32'] = text.split('/');
  const bits = parseIpv4(address);
  if (bits === undefined || Number(length) > 32) return undefined;
  const size = 2 ** (32 - Number(length));
  const first = bits - (bits % size);
  const shown = formatIpv4(first);
  const range = { family: 4, first: BigInt(first), last: BigInt(first + size - 1) } as const;
  return resourceOf(size === 1 ? shown : `${shown}/${Number(length)}`, range);
}

/** Names such as "a::b", and hardware addresses, are not IPv6 addresses. */
function isIpv6(text: string): boolean {
  return /\d/.test(text) && !/^(?:[\da-f]{2}:){7}[\da-f]{2}$/i.test(text);
}

function readIpv6(text: string): FoundResource | undefined {
  const range = parseIpv6Prefix(text);
  if (range === undefined) return undefined;
  const { first, last } = range;
  const length = text.split('/')[1];
  const shown = formatIpv6(first);
  return resourceOf(first === last ? shown : `${shown}/${Number(length)}`, range);
}

function resourceOf(text: string, resource: Resource): FoundResource {
  const { first, last } = 'as' in resource ? resource.as : resource;
  const space = 'as' in resource ? 9 : resource.family;
  const size = (1n << 128n) - BigInt(last) + BigInt(first);
  return { text, count: 1, order: `${space}${hex(first)}${hex(size)}`, special: specialSpaceOf(resource) };
}

function hex(number: number | bigint): string {
  return number.toString(16).padStart(33, '0');
}
