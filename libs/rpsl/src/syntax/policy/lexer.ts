import { parseAsNumber } from '../../as-number.js';
import { parseIpv4 } from '../../ipv4.js';
import { parseIpv6 } from '../../ipv6.js';
import { isRangeOperator } from '../range-operator.js';
import type { Keyword, PolicySymbol, SetKind, Token, TokenType, Vocabulary } from './token.js';

const maxNesting = 200;
const maxRangeLength = 32;

const whitespace = /[ \t\r\n]+/y;
const symbol = /==|\.=|~[*+]|[(){}[\]<>,;=.|*?+^$]/y;
const repeat = /\{INT(?:,(?:INT)?)?\}/iy;
const communityNumber = /\d+:\d+/y;
const integer = /\d+/y;

/**
 * Splits policy text into tokens; the longest match wins; ignores letter case. Undefined when some text is not a token,
 * a number is out of range, or parentheses nest deeper than 200.
 */
export function tokenize(text: string, vocabulary: Vocabulary): Token[] | undefined {
  const tokens: Token[] = [];
  let nesting = 0;
  let at = matchAt(whitespace, text, 0).length;
  while (at < text.length) {
    const token = readToken(text, at, vocabulary);
    if (token === undefined) return undefined;
    if (token.type === '(') nesting++;
    else if (token.type === ')') nesting--;
    if (nesting > maxNesting) return undefined;
    tokens.push(token);
    at += token.text.length;
    at += matchAt(whitespace, text, at).length;
  }
  return tokens;
}

function readToken(text: string, at: number, vocabulary: Vocabulary): Token | undefined {
  const first = text[at]!;
  if (isLetter(first)) return readName(text, at, vocabulary);
  if (isDigit(first) || first === ':') return readIpv6(text, at) ?? readIpv4(text, at) ?? readNumber(text, at);
  return readSymbol(text, at);
}

function readNumber(text: string, at: number): Token | undefined {
  const community = matchAt(communityNumber, text, at);
  if (community !== '') {
    return community.split(':').every((part) => Number(part) <= 0xffff)
      ? { type: 'community-number', text: community }
      : undefined;
  }
  const digits = matchAt(integer, text, at);
  return digits === '' ? undefined : { type: 'integer', text: digits };
}

function readSymbol(text: string, at: number): Token | undefined {
  if (text[at] === '^') {
    const operator = rangeOperatorAt(text, at, maxRangeLength);
    if (operator !== '') return operator === undefined ? undefined : { type: 'range-operator', text: operator };
  }
  const repetition = text[at] === '{' ? matchAt(repeat, text, at) : '';
  if (repetition !== '') return { type: 'repeat', text: repetition };
  const found = matchAt(symbol, text, at);
  return found === '' ? undefined : { type: found as PolicySymbol, text: found };
}

function isLetter(char: string): boolean {
  return (char >= 'a' && char <= 'z') || (char >= 'A' && char <= 'Z');
}

function isDigit(char: string): boolean {
  return char >= '0' && char <= '9';
}

const word = /[a-z][a-z0-9_-]*/iy;
const colonName = /[a-z][a-z0-9_:-]*/iy;
const asRange = /AS\d+[ \t\r\n]*-[ \t\r\n]*AS\d+/iy;
const label = /^[a-z0-9-]{0,62}[a-z0-9]$/i;
const setName = /^(AS|RS|FLTR|PRNG|RTRS)-[A-Z0-9_-]*[A-Z0-9]$/i;

const setKinds: Readonly<Record<string, SetKind>> = {
  AS: 'as-set',
  RS: 'route-set',
  FLTR: 'filter-set',
  PRNG: 'peering-set',
  RTRS: 'rtr-set',
};

/** A token that starts with a letter: keyword, AS number or range, set name, DNS label, or an IPv6 address such as fe80::1. */
function readName(text: string, at: number, vocabulary: Vocabulary): Token | undefined {
  const found = matchAt(word, text, at);
  if (text[at + found.length] === ':') return readIpv6(text, at) ?? readColonName(text, at, vocabulary);
  const range = matchAt(asRange, text, at);
  if (range.length >= found.length && isOrderedAsRange(range)) return { type: 'as-range', text: range };
  const type = wordType(found, vocabulary);
  return type && { type, text: found };
}

function readColonName(text: string, at: number, vocabulary: Vocabulary): Token | undefined {
  const name = matchAt(colonName, text, at);
  const type = setType(name, vocabulary);
  return type && { type, text: name };
}

function wordType(text: string, vocabulary: Vocabulary): TokenType | undefined {
  const upper = text.toUpperCase() as Keyword;
  if (vocabulary.keywords.has(upper)) return upper;
  if (parseAsNumber(text) !== undefined) return 'asn';
  return setType(text, vocabulary) ?? (label.test(text) ? 'label' : undefined);
}

/** The kind of a set name. Components must be AS numbers, PEERAS or names of that kind, with at least one such name. */
function setType(name: string, vocabulary: Vocabulary): SetKind | undefined {
  let kind: SetKind | undefined;
  for (const component of name.split(':')) {
    const prefix = setName.exec(component)?.[1];
    if (prefix === undefined) {
      if (parseAsNumber(component) === undefined && component.toUpperCase() !== 'PEERAS') return undefined;
    } else {
      const found = setKinds[prefix.toUpperCase()];
      if (kind !== undefined && kind !== found) return undefined;
      kind = found;
    }
  }
  return kind === 'rtr-set' && !vocabulary.routerSets ? undefined : kind;
}

function isOrderedAsRange(text: string): boolean {
  const [first, last] = text.split('-').map((end) => parseAsNumber(end.trim()));
  return first !== undefined && last !== undefined && first <= last;
}

const ipv4 = /\d+\.\d+\.\d+\.\d+/y;
const ipv6 = /[0-9a-f]*:[0-9a-f:]+/iy;
const maxIpv6Length = 39;
const prefixLength = /\/\d+/y;

function readIpv6(text: string, at: number): Token | undefined {
  const address = matchAt(ipv6, text, at);
  if (address === '' || address.length > maxIpv6Length || parseIpv6(address) === undefined) return undefined;
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

const rangeOperator = /\^(?:[+-]|\d+(?:-\d+)?)/y;

/** The range operator at this position: empty when there is none, undefined when its lengths are invalid. */
function rangeOperatorAt(text: string, at: number, maxLength: number): string | undefined {
  const operator = matchAt(rangeOperator, text, at);
  return operator === '' || isRangeOperator(operator, maxLength) ? operator : undefined;
}

/** The match of the sticky expression at this position; empty when there is none. */
function matchAt(sticky: RegExp, text: string, at: number): string {
  sticky.lastIndex = at;
  return sticky.exec(text)?.[0] ?? '';
}
