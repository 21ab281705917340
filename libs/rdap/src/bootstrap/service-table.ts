import { type AddressRange, type Resource, reverseDomainRange } from '@cadastre/rpsl';
import { readAsEntry, readPrefixEntry } from './entries.js';
import { type BootstrapName, bootstrapNames, readBootstrapFile } from './files.js';
import { bySpan, merged, type Span, without } from './spans.js';

/** What a client requests: numbers, a domain by its name, or an entity by its handle. */
export type Sought = Resource | { readonly domain: string } | { readonly handle: string };

/** Which service answers for what, according to bootstrap files. */
export interface ServiceTable {
  /**
   * Base URL, without a final slash, of the service that the most specific matching entry names. Undefined when none
   * matches, and when that service is our own.
   */
  serviceFor(sought: Sought): string | undefined;
  /** The numbers of other services, in ascending order. */
  ofOthers(kind: SpanKind): readonly Span[];
}

/** The kinds of numbers. */
export type SpanKind = 'ipv4' | 'ipv6' | 'asn';

/**
 * Makes the table of bootstrap files, each of which may be absent. Uses the first URL of a service with HTTPS. `isOurs`
 * returns whether a base URL is that of this registry. Throws an Error with the name of the file and the fault.
 */
export function createServiceTable(
  files: { readonly [name in BootstrapName]?: string },
  isOurs: (base: URL) => boolean,
): ServiceTable {
  const entriesOf = (name: BootstrapName) => (files[name] === undefined ? [] : entriesIn(name, files[name], isOurs));
  const [ipv4, ipv6, asn, dns, tags] = bootstrapNames.map(entriesOf) as [Entry[], Entry[], Entry[], Entry[], Entry[]];
  const spans = {
    ipv4: createSpanTable('ipv4', ipv4, (text) => readPrefixEntry(4, text)),
    ipv6: createSpanTable('ipv6', ipv6, (text) => readPrefixEntry(6, text)),
    asn: createSpanTable('asn', asn, readAsEntry),
  };
  const domains = new Map(dns.map(({ text, base }) => [text.toLowerCase().replace(/\.$/, ''), base]));
  const tagged = new Map(tags.map(({ text, base }) => [text.toUpperCase(), base]));
  const ofAddresses = (range: AddressRange) => spans[range.family === 4 ? 'ipv4' : 'ipv6'].find(range);
  const ofDomain = (name: string) => {
    const labels = domains.size === 0 ? [] : name.split('.');
    const listed = labels.map((_, at) => labels.slice(at).join('.')).find((suffix) => domains.has(suffix));
    if (listed !== undefined) return domains.get(listed);
    const range = reverseDomainRange(name);
    return range && ofAddresses(range);
  };
  return {
    serviceFor(sought) {
      if ('domain' in sought) return ofDomain(sought.domain.toLowerCase().replace(/\.$/, ''));
      if ('handle' in sought) return tagged.get(sought.handle.slice(sought.handle.lastIndexOf('-') + 1).toUpperCase());
      if ('family' in sought) return ofAddresses(sought);
      return spans.asn.find({ first: BigInt(sought.as.first), last: BigInt(sought.as.last) });
    },
    ofOthers: (kind) => spans[kind].ofOthers(),
  };
}

/** An entry of a file. */
interface Entry {
  readonly text: string;
  /** Undefined for our own service. */
  readonly base: string | undefined;
}

function entriesIn(name: BootstrapName, file: string, isOurs: (base: URL) => boolean): Entry[] {
  return readBootstrapFile(name, file).flatMap(({ entries, urls }) => {
    const text = urls.find((one) => one.startsWith('https:')) ?? urls[0] ?? '';
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url === undefined || !/^https?:$/.test(url.protocol) || /[?#@]/.test(text)) {
      throw new Error(`${name}.json: "${text}" is not a base URL`);
    }
    const base = isOurs(url) ? undefined : url.href.replace(/\/+$/, '');
    return entries.map((text) => ({ text, base }));
  });
}

interface SpanEntry extends Span {
  readonly base: string | undefined;
  /** The smallest larger entry around it. */
  readonly around: SpanEntry | undefined;
}

/** The entries in order; the spans are nested or disjoint. */
function createSpanTable(kind: SpanKind, entries: readonly Entry[], read: (text: string) => Span | undefined) {
  const spans = entries.map(({ text, base }) => {
    const span = read(text);
    if (span === undefined) throw new Error(`${kind}.json: "${text}" is not an entry`);
    return { first: span.first, last: span.last, text, base };
  });
  const sorted: SpanEntry[] = [];
  let inner: SpanEntry | undefined;
  for (const { text, ...span } of spans.sort(bySpan)) {
    while (inner !== undefined && inner.last < span.first) inner = inner.around;
    if (inner !== undefined && inner.last < span.last) throw new Error(`${kind}.json: "${text}" overlaps with another`);
    // Of several entries for the same numbers the first one applies.
    if (inner !== undefined && inner.first === span.first && inner.last === span.last) continue;
    inner = { ...span, around: inner };
    sorted.push(inner);
  }
  return {
    find({ first, last }: Span): string | undefined {
      let entry = lastFrom(sorted, first);
      while (entry !== undefined && entry.last < last) entry = entry.around;
      return entry?.base;
    },
    ofOthers(): Span[] {
      const ours = sorted.filter(({ base }) => base === undefined);
      return without(merged(sorted.filter(({ base }) => base !== undefined)), merged(ours));
    },
  };
}

/** The last entry that begins at or before a number. */
function lastFrom(sorted: readonly SpanEntry[], number: bigint): SpanEntry | undefined {
  let from = 0;
  let to = sorted.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (sorted[middle]!.first <= number) from = middle + 1;
    else to = middle;
  }
  return sorted[from - 1];
}
