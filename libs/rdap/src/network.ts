import { type AddressRange, rangeOf } from '@cadastre/rpsl';
import { addressText, prefixesOf } from './addresses.js';
import type { IpNetwork } from './documents.js';
import { documentLinks, geofeedLink, networkPath } from './links.js';
import { statusOf } from './policy.js';
import { withheldValues } from './redaction.js';
import type { Nested, Registry, Related, Relation, Requested, Stored } from './registry.js';
import { descriptionOf, sharedMembers } from './shared-members.js';
import { filledValues } from './values.js';

/** What the document of a network contains in addition to its object. */
export interface NetworkParts {
  /** Without it the document has no `entities`, as inside other documents. */
  readonly related?: Related;
  /** Key of the nearest network that encloses it. */
  readonly parentKey?: string;
  /** The relations to link: only those that exist. */
  readonly relations?: readonly Relation[];
}

/** The addresses of an `inetnum` or `inet6num`. */
function networkRange({ object }: Stored): AddressRange | undefined {
  if (object.type !== 'inetnum' && object.type !== 'inet6num') return undefined;
  const range = rangeOf(object);
  return range !== undefined && 'family' in range ? range : undefined;
}

/** The document of an `inetnum` or `inet6num`; `undefined` for other types, and for an invalid key. */
export function ipNetwork(
  registry: Registry,
  requested: Requested,
  stored: Stored,
  { related, parentKey, relations }: NetworkParts = {},
): Nested<IpNetwork> | undefined {
  const range = networkRange(stored);
  if (range === undefined) return undefined;
  const { family, first, last } = range;
  const shared = sharedMembers(registry, requested, stored, related);
  const [name] = filledValues(stored, 'netname');
  const [type] = filledValues(stored, 'status');
  const [country] = filledValues(stored, 'country');
  const links = documentLinks(registry, requested, stored, networkPath(range), relations);
  const geofeed = geofeedOf(stored);
  if (geofeed !== undefined) links.push(geofeedLink(requested, geofeed));
  return {
    ...shared,
    document: {
      objectClassName: 'ip network',
      handle: stored.key,
      startAddress: addressText(family, first),
      endAddress: addressText(family, last),
      ipVersion: family === 4 ? 'v4' : 'v6',
      ...(name !== undefined && { name }),
      ...(type !== undefined && { type }),
      ...(country !== undefined && { country }),
      ...(parentKey !== undefined && { parentHandle: parentKey }),
      status: [statusOf(registry.policy, range)],
      cidr0_cidrs: prefixesOf(range).map((prefix) => {
        const address = addressText(family, prefix.first);
        return { ...(family === 4 ? { v4prefix: address } : { v6prefix: address }), length: prefix.length };
      }),
      ...shared.document,
      links,
    },
    redacted: [...shared.redacted, ...withheldValues(stored, 'country', 'country')],
  };
}

const geofeedLine = /^geofeed (\S+)/i;
const httpsUrl = /^https:\/\/[!-~]+$/;

/** The file with the locations of a network (RFC 9632): from `geofeed`, else from the first remark that names one. */
function geofeedOf(stored: Stored): string | undefined {
  const [geofeed] = filledValues(stored, 'geofeed');
  const url = geofeed ?? firstMatch(descriptionOf(stored), geofeedLine);
  return url !== undefined && httpsUrl.test(url) && URL.canParse(url) ? url : undefined;
}

function firstMatch(lines: readonly string[], pattern: RegExp): string | undefined {
  for (const line of lines) {
    const match = pattern.exec(line);
    if (match !== null) return match[1];
  }
  return undefined;
}
