import type { Mode, Range, SearchKey } from '@cadastre/query';
import { foldKey, type ObjectTypeName } from '@cadastre/rpsl';
import { addressTypes, type TypeQuery } from '../index-port.js';

/** The parameters of a direct lookup. */
export interface Direct {
  readonly key: SearchKey;
  readonly mode: Mode;
  /** Flag `d`: searches addresses, routes and reverse domains for an address or reverse domain. */
  readonly bothDirections: boolean;
}

/** The search of a direct lookup in one type; undefined when nothing of the type can match. */
export function directQuery(type: ObjectTypeName, direct: Direct): TypeQuery | undefined {
  const { key } = direct;
  if (type === 'domain') return domainQuery(direct);
  if (addressTypes.has(type) && key.kind !== 'text') return addressQuery(type, direct);
  if (key.kind === 'address' || key.kind === 'route') return undefined;
  if (type === 'as-block') return key.kind === 'text' ? asBlockQuery(key.asRange) : undefined;
  if (type === 'inetnum' || type === 'inet6num') {
    return { kind: 'terms', type, anyOf: [[`netname=${key.text.toLowerCase()}`]], order: 'address' };
  }
  return { kind: 'terms', type, anyOf: alternatives(type, key.text), order: 'key' };
}

function addressQuery(type: ObjectTypeName, { key, mode, bothDirections }: Direct): TypeQuery | undefined {
  if (key.kind === 'text' || (key.kind === 'reverse-domain' && !bothDirections)) return undefined;
  const space = type === 'inetnum' || type === 'route' ? 'ipv4' : 'ipv6';
  if (key.range.space !== space) return undefined;
  if (key.kind !== 'route') return { kind: 'range', type, range: key.range, mode };
  const exact = mode === 'default' ? 'exact' : mode;
  return { kind: 'range', type, range: key.range, mode: exact, origin: key.origin };
}

function domainQuery({ key, mode, bothDirections }: Direct): TypeQuery | undefined {
  if (key.kind === 'reverse-domain' || (key.kind === 'address' && bothDirections)) {
    return { kind: 'range', type: 'domain', range: key.range, mode };
  }
  // ENUM, the roots, and delegations of other registries that are not ranges.
  if (key.kind === 'text' && /\.arpa\.?$/i.test(key.text)) {
    return { kind: 'terms', type: 'domain', anyOf: [[`key=${foldKey('domain', key.text)}`]], order: 'key' };
  }
  return undefined;
}

function asBlockQuery(range: Range | undefined): TypeQuery | undefined {
  return range && { kind: 'covering', type: 'as-block', range };
}

/** The terms by which an object of a type may match a text: its key, the words of its name, its e-mail address. */
function alternatives(type: ObjectTypeName, text: string): string[][] {
  const byKey = [`key=${foldKey(type, text)}`];
  const byMail = [`e-mail=${text.toLowerCase()}`];
  const words = new Set(text.toLowerCase().split(' '));
  const byName = [...words].map((word) => `word=${word}`);
  switch (type) {
    case 'person':
    case 'role':
      return [byKey, byName, byMail];
    case 'organisation':
      return text.includes(' ') ? [byName, byMail] : [byKey, byName, byMail];
    case 'irt':
      return [byKey, byMail];
    default:
      return [byKey];
  }
}
