import { parseAsNumber } from '../../as-number.js';
import { readIpv6 } from './lex-address.js';
import { matchAt } from './match.js';
import type { Keyword, SetKind, Token, TokenType, Vocabulary } from './token.js';

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
export function readName(text: string, at: number, vocabulary: Vocabulary): Token | undefined {
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
