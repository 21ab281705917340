import { isDelegationRoot, reverseDomainRange } from '../domain-name.js';
import { isAddress } from './addresses.js';
import type { Checker } from './checker.js';

const maxNameLength = 254;
const label = /^[A-Z0-9](?:[A-Z0-9-]*[A-Z0-9])?$/i;
const routerLabel = /^[A-Z0-9](?:[A-Z0-9_-]*[A-Z0-9])?$/i;
const telephoneDomain = /^[0-9](?:\.[0-9])*\.e164\.arpa\.?$/i;
const dsRecord = /^([0-9]+) +([0-9]+) +([0-9]+) +(?:\( *([0-9A-F][0-9A-F ]*)\)|([0-9A-F][0-9A-F ]*))$/i;

/** Number of hex digits by digest type; other types are not checked. */
const digestLengths: Readonly<Record<string, number>> = { 1: 40, 2: 64, 3: 64, 4: 96 };

/** Labels joined by dots; a trailing dot is allowed. */
export function isHostName(value: string): boolean {
  return hasLabels(value, label);
}

function hasLabels(value: string, labelPattern: RegExp): boolean {
  const name = value.endsWith('.') ? value.slice(0, -1) : value;
  return name.split('.').every((part) => labelPattern.test(part));
}

/** A delegation under in-addr.arpa, ip6.arpa or e164.arpa, or one of these. */
function isReverseDomain(value: string): boolean {
  if (value.length > maxNameLength) return false;
  return reverseDomainRange(value) !== undefined || telephoneDomain.test(value) || isDelegationRoot(value);
}

/** The syntax of `nserver`: a host, optionally followed by its glue address. */
export function isNameServer(value: string): boolean {
  const space = value.indexOf(' ');
  if (space < 0) return isHostName(value);
  return isHostName(value.slice(0, space)) && isAddress(value.slice(space + 1));
}

/** Key tag, algorithm, digest type and digest; the digest may be in parentheses and contain spaces. */
function isDsRecord(value: string): boolean {
  const match = dsRecord.exec(value);
  if (match === null) return false;
  const [, keyTag, algorithm, digestType, inParentheses, bare] = match;
  if (Number(keyTag) > 0xffff || Number(algorithm) > 0xff || Number(digestType) > 0xff) return false;
  const digits = (inParentheses ?? bare!).replaceAll(' ', '').length;
  return digits === (digestLengths[Number(digestType)] ?? digits);
}

/** DNS names and delegations. */
export const dnsSyntaxes = {
  alias: (value) => value.length <= maxNameLength && isHostName(value),
  domain: isReverseDomain,
  'ds-rdata': isDsRecord,
  'inet-rtr': (value) => value.length <= maxNameLength && hasLabels(value, routerLabel),
  nserver: isNameServer,
} satisfies Record<string, Checker>;
