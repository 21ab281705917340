import { parseIpv4 } from '../../ipv4.js';
import { parseIpv6 } from '../../ipv6.js';
import { rangeOperatorAt } from './lex-range-operator.js';
import { matchAt } from './match.js';
import type { Token } from './token.js';

const ipv4 = /\d+\.\d+\.\d+\.\d+/y;
const ipv6 = /[0-9a-f]*:[0-9a-f:]+/iy;
const longestIpv6 = 39;
const prefixLength = /\/\d+/y;

/** An address, a prefix or a prefix with a range operator, of either family. Ignores host bits. */
export function readAddress(text: string, at: number): Token | undefined {
  return readIpv6(text, at) ?? readIpv4(text, at);
}

export function readIpv6(text: string, at: number): Token | undefined {
  const address = matchAt(ipv6, text, at);
  if (address === '' || address.length > longestIpv6 || parseIpv6(address) === undefined) return undefined;
  const suffix = prefixSuffixAt(text, at + address.length, 128);
  if (suffix === undefined) return undefined;
  return { type: suffix === '' ? 'ipv6' : 'prefix6', text: address + suffix };
}

function readIpv4(text: string, at: number): Token | undefined {
  const address = matchAt(ipv4, text, at);
  if (address === '' || parseIpv4(address) === undefined) return undefined;
  const suffix = prefixSuffixAt(text, at + address.length, 32);
  if (suffix === undefined) return undefined;
  return { type: suffix === '' ? 'ipv4' : 'prefix4', text: address + suffix };
}

/** The length and range operator after an address: empty when there are none, undefined when out of range. */
function prefixSuffixAt(text: string, at: number, maxLength: number): string | undefined {
  const length = matchAt(prefixLength, text, at);
  if (length === '') return '';
  if (Number(length.slice(1)) > maxLength) return undefined;
  const operator = rangeOperatorAt(text, at + length.length, maxLength);
  return operator === undefined ? undefined : length + operator;
}
