import { firstValueOf, isWholeSpace, type Resource, type RpslObject, rangeOf } from '@cadastre/rpsl';
import { isAdministrative, type RdapPolicy } from '../policy.js';
import { printAsNumbers, printPrefixes, printReverseZones } from './entries.js';
import { type BootstrapName, printBootstrapFile } from './files.js';
import type { ServiceTable, SpanKind } from './service-table.js';
import { merged, type Span, without } from './spans.js';

/** The types of objects that define which numbers a registry answers for. */
export const bootstrapTypes = ['inetnum', 'inet6num', 'as-block'] as const;

export interface OwnSpaceOptions {
  /** Our base URL. */
  readonly base: string;
  readonly publication: Date;
  /** The tag that ends our handles, as in "AE1-TEST"; usually the name of the source. */
  readonly tag: string;
  readonly policy: RdapPolicy;
  /** Services of other registries. */
  readonly others: Pick<ServiceTable, 'ofOthers'>;
}

/**
 * The bootstrap files of one registry, as texts by their names, from its outermost objects of `bootstrapTypes`. Ignores
 * the root objects, which contain all numbers. As-blocks and administrative networks also contain numbers of other
 * registries: leaves out those for which other services answer.
 */
export function bootstrapFiles(
  outermost: Iterable<RpslObject>,
  { base, publication, tag, policy, others }: OwnSpaceOptions,
): Record<BootstrapName, string> {
  const spans: Record<SpanKind, { held: Span[]; divided: Span[] }> = {
    ipv4: { held: [], divided: [] },
    ipv6: { held: [], divided: [] },
    asn: { held: [], divided: [] },
  };
  for (const object of outermost) {
    const range = rangeOf(object);
    if (range === undefined || isWholeSpace(range)) continue;
    const { kind, span } = spanOf(range);
    const status = firstValueOf(object, 'status') ?? '';
    const isDivided = kind === 'asn' || isAdministrative(policy, { type: object.type, status });
    spans[kind][isDivided ? 'divided' : 'held'].push(span);
  }
  const own = (kind: SpanKind) => {
    const { held, divided } = spans[kind];
    return merged([...held, ...without(merged(divided), others.ofOthers(kind))]);
  };
  const [ipv4, ipv6] = [own('ipv4'), own('ipv6')];
  const entries: Record<BootstrapName, string[]> = {
    ipv4: ipv4.flatMap((span) => printPrefixes(4, span)),
    ipv6: ipv6.flatMap((span) => printPrefixes(6, span)),
    asn: own('asn').map(printAsNumbers),
    dns: [
      ...new Set([
        ...ipv4.flatMap((span) => printReverseZones({ family: 4, ...span })),
        ...ipv6.flatMap((span) => printReverseZones({ family: 6, ...span })),
      ]),
    ],
    'object-tags': [tag.toUpperCase()],
  };
  const urls = [`${base.replace(/\/+$/, '')}/`];
  const file = (name: BootstrapName) =>
    printBootstrapFile(name, {
      publication,
      services: entries[name].length === 0 ? [] : [{ entries: entries[name], urls }],
    });
  return {
    ipv4: file('ipv4'),
    ipv6: file('ipv6'),
    asn: file('asn'),
    dns: file('dns'),
    'object-tags': file('object-tags'),
  };
}

function spanOf(range: Resource): { kind: SpanKind; span: Span } {
  if ('as' in range) return { kind: 'asn', span: { first: BigInt(range.as.first), last: BigInt(range.as.last) } };
  return { kind: range.family === 4 ? 'ipv4' : 'ipv6', span: { first: range.first, last: range.last } };
}
