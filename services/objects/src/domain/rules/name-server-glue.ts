import { type Message, messages } from '@cadastre/rpsl';
import { type ValuePlace, valuePlaces } from '../places.js';
import type { Rule } from './rule.js';

/** A name server inside the delegated domain needs an address, one outside must not bring one. */
export const nameServerGlue: Rule = {
  id: 'G-NSERVER-GLUE',
  types: ['domain'],
  actions: ['create', 'modify'],
  check: ({ object, key }) => valuePlaces(object, 'nserver').flatMap((place) => checkServer(place, key.folded)),
};

function checkServer(place: ValuePlace, domain: string): Message[] {
  const [host = '', glue] = place.value.split(' ');
  if (isInside(host.toLowerCase(), domain)) {
    return glue === undefined ? [messages.glueMandatory(domain, place)] : [];
  }
  if (glue === undefined) {
    return [];
  }
  return [
    domain.endsWith('e164.arpa') ? messages.enumGlueInvalid(glue, place) : messages.glueNotAllowed(domain, place),
  ];
}

/** Inside `a-b.parent` is a host whose label before the parent is a number of the range. */
function isInside(host: string, domain: string): boolean {
  const dash = /^(\d+)-(\d+)(\..+)$/.exec(domain);
  if (dash === null) {
    return host === domain || host.endsWith(`.${domain}`);
  }
  const [, first, last, parent = ''] = dash;
  const label = host.endsWith(parent) ? host.slice(0, -parent.length).split('.').at(-1)! : '';
  return /^\d+$/.test(label) && Number(first) <= Number(label) && Number(label) <= Number(last);
}
