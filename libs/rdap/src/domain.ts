import { asciiLowerCase, checkSyntax, isNameServer, parseIpv4, parseIpv6 } from '@cadastre/rpsl';
import { addressText } from './addresses.js';
import type { Domain, DsData, IpNetwork, Nameserver } from './documents.js';
import { documentLinks, domainPath } from './links.js';
import { nestedPaths } from './redaction.js';
import type { Nested, Registry, Related, Relation, Requested, Stored } from './registry.js';
import { sharedMembers } from './shared-members.js';
import { filledValues } from './values.js';

/** What the document of a domain contains in addition to its object. */
export interface DomainParts {
  /** Without it the document has no `entities`. */
  readonly related?: Related;
  /** The relations to link: only those that exist. */
  readonly relations?: readonly Relation[];
  /** The network of its addresses. */
  readonly network?: Nested<IpNetwork>;
}

/** The document of a `domain`; `undefined` for other types. */
export function domain(
  registry: Registry,
  requested: Requested,
  stored: Stored,
  { related, relations, network }: DomainParts = {},
): Nested<Domain> | undefined {
  if (stored.object.type !== 'domain') return undefined;
  const shared = sharedMembers(registry, requested, stored, related);
  const nameservers = nameserversOf(stored);
  const dsData = dsDataOf(stored);
  return {
    ...shared,
    document: {
      objectClassName: 'domain',
      handle: stored.key,
      ldhName: withoutDot(stored.key),
      ...(nameservers.length > 0 && { nameservers }),
      ...(dsData.length > 0 && { secureDNS: { delegationSigned: true, dsData } }),
      ...(network !== undefined && { network: network.document }),
      ...shared.document,
      links: documentLinks(registry, requested, stored, domainPath(stored.key), relations),
    },
    redacted: [...shared.redacted, ...nestedPaths(network?.redacted ?? [], '$.network')],
    filtered: shared.filtered || network?.filtered === true,
  };
}

/** A host and its addresses. */
interface Glue {
  readonly ldhName: string;
  readonly v4: Set<string>;
  readonly v6: Set<string>;
}

/** The name servers in their order; several lines of one host are one name server. */
function nameserversOf(stored: Stored): Nameserver[] {
  const hosts = new Map<string, Glue>();
  for (const value of filledValues(stored, 'nserver')) {
    if (!isNameServer(value)) continue;
    const [name = '', address] = value.split(' ');
    const ldhName = withoutDot(name);
    const host = hosts.get(asciiLowerCase(ldhName)) ?? { ldhName, v4: new Set(), v6: new Set() };
    hosts.set(asciiLowerCase(ldhName), host);
    if (address !== undefined) addGlue(host, address);
  }
  return [...hosts.values()].map(nameserver);
}

function addGlue(host: Glue, address: string): void {
  const v4 = parseIpv4(address);
  if (v4 !== undefined) {
    host.v4.add(addressText(4, BigInt(v4)));
    return;
  }
  const v6 = parseIpv6(address);
  if (v6 !== undefined) host.v6.add(addressText(6, v6));
}

function nameserver({ ldhName, v4, v6 }: Glue): Nameserver {
  const ipAddresses = { ...(v4.size > 0 && { v4: [...v4] }), ...(v6.size > 0 && { v6: [...v6] }) };
  return { objectClassName: 'nameserver', ldhName, ...(v4.size + v6.size > 0 && { ipAddresses }) };
}

function dsDataOf(stored: Stored): DsData[] {
  return filledValues(stored, 'ds-rdata')
    .filter((value) => checkSyntax('ds-rdata', 'domain', value))
    .map((value) => {
      const [keyTag, algorithm, digestType, ...digits] = value.split(' ');
      const digest = digits.join('').replace('(', '').replace(')', '').toUpperCase();
      return { keyTag: Number(keyTag), algorithm: Number(algorithm), digestType: Number(digestType), digest };
    });
}

function withoutDot(name: string): string {
  return name.endsWith('.') ? name.slice(0, -1) : name;
}
