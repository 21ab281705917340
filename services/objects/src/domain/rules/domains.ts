import { firstValueOf, formatPrefix, type Message, messages, type RpslObject } from '@cadastre/rpsl';
import { addressesOf } from '../numbers.js';
import { type ValuePlace, valuePlaces } from '../places.js';
import type { Rule } from './rule.js';

/** Each address is delegated once: no reverse domain encloses another. */
export const domainUnique: Rule = {
  id: 'G-DOMAIN-UNIQUE',
  types: ['domain'],
  actions: ['create'],
  check: (_change, { relatedRanges }) => [
    ...first(relatedRanges.enclosing, messages.lessSpecificDomain),
    ...first(relatedRanges.contained, messages.moreSpecificDomain),
  ],
};

function first(domains: readonly RpslObject[], message: (prefix: string) => Message): Message[] {
  return domains.slice(0, 1).map((domain) => message(formatPrefix(addressesOf(domain)!)));
}

/** The address ranges of reverse domains (0-31.2.0.192.in-addr.arpa) do not overlap in part. */
export const domainOverlap: Rule = {
  id: 'G-DOMAIN-OVERLAP',
  types: ['domain'],
  actions: ['create'],
  check: (_change, { relatedRanges }) =>
    relatedRanges.overlapping.slice(0, 1).map((other) => messages.domainOverlaps(firstValueOf(other, 'domain')!)),
};

/** A name server inside the domain needs a glue address; one outside must not have any. */
export const nameServerGlue: Rule = {
  id: 'G-NSERVER-GLUE',
  types: ['domain'],
  actions: ['create', 'modify'],
  check: ({ object, key }) => valuePlaces(object, 'nserver').flatMap((place) => checkServer(place, key.folded)),
};

function checkServer(place: ValuePlace, domain: string): Message[] {
  const [host = '', glue] = place.value.split(' ');
  if (isInside(host.toLowerCase(), domain)) return glue === undefined ? [messages.glueMandatory(domain, place)] : [];
  if (glue === undefined) return [];
  return [
    domain.endsWith('e164.arpa') ? messages.enumGlueInvalid(glue, place) : messages.glueNotAllowed(domain, place),
  ];
}

/** A host is inside `a-b.parent` when its label before the parent is a number from a to b. */
function isInside(host: string, domain: string): boolean {
  const dash = /^(\d+)-(\d+)(\..+)$/.exec(domain);
  if (dash === null) return host === domain || host.endsWith(`.${domain}`);
  const [, first, last, parent = ''] = dash;
  const label = host.endsWith(parent) ? host.slice(0, -parent.length).split('.').at(-1)! : '';
  return /^\d+$/.test(label) && Number(first) <= Number(label) && Number(label) <= Number(last);
}
