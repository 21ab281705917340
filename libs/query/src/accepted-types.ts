import type { ObjectTypeName } from '@cadastre/rpsl';
import type { SearchKey } from './search-key.js';

const letter = /[a-z]/i;
const plainWord = /^[a-z0-9_-]+$/i;
const handle = /^[a-z0-9-]+$/i;
const mailbox = /.@./;
/** As for the RIPE Database, the first label may be empty. */
const hostName = /^[a-z0-9/-]*(?:\.[a-z0-9-]+)*\.?$/i;

type Space = 'ipv4' | 'ipv6';

/** The keys that can find a type: one of its lookup attributes accepts the form of the whole key. */
const accepts: Record<ObjectTypeName, (key: SearchKey) => boolean> = {
  inetnum: (key) => isAddress(key, 'ipv4') || isText(key, plainWord),
  inet6num: (key) => isAddress(key, 'ipv6') || isText(key, plainWord),
  'as-block': (key) => key.kind === 'text' && key.asRange !== undefined,
  'aut-num': (key) => isText(key, /^as[0-9]+$/i),
  'as-set': (key) => isText(key, setName('as')),
  route: (key) => isAddress(key, 'ipv4') || isRoute(key, 'ipv4'),
  route6: (key) => isAddress(key, 'ipv6') || isRoute(key, 'ipv6'),
  'route-set': (key) => isText(key, setName('rs')),
  'inet-rtr': (key) => isName(key, hostName),
  'filter-set': (key) => isText(key, setName('fltr')),
  'peering-set': (key) => isText(key, setName('prng')),
  'rtr-set': (key) => isText(key, setName('rtrs')),
  domain: (key) => key.kind === 'address' || isName(key, hostName),
  'poetic-form': (key) => isText(key, /^form-./i),
  poem: (key) => isText(key, /^poem-./i),
  mntner: isWord,
  irt: (key) => isText(key, /^irt-./i) || isText(key, mailbox),
  'key-cert': (key) => isText(key, /^(?:pgpkey-|x509)./i),
  organisation: isWord,
  role: (key) => isText(key, handle) || isWord(key),
  person: (key) => isText(key, handle) || isWord(key),
};

export function acceptsKey(type: ObjectTypeName, key: SearchKey): boolean {
  return accepts[type](key);
}

function isText(key: SearchKey, shape: RegExp): boolean {
  return key.kind === 'text' && shape.test(key.text);
}

function isName(key: SearchKey, shape: RegExp): boolean {
  return (key.kind === 'text' || key.kind === 'reverse-domain') && shape.test(key.text);
}

/** Names need a letter. IPv6 and route keys have letters: such types are searched, but hold no such name. */
function isWord(key: SearchKey): boolean {
  return letter.test(key.text);
}

function isAddress(key: SearchKey, space: Space): boolean {
  return key.kind === 'address' && key.range.space === space;
}

function isRoute(key: SearchKey, space: Space): boolean {
  return key.kind === 'route' && key.range.space === space;
}

function setName(prefix: string): RegExp {
  return new RegExp(`(?:^|:)${prefix}-[^:]`, 'i');
}
