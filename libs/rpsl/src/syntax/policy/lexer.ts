import { readAddress } from './lex-address.js';
import { readName } from './lex-name.js';
import { rangeOperatorAt } from './lex-range-operator.js';
import { matchAt } from './match.js';
import type { PolicySymbol, Token, Vocabulary } from './token.js';

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
  if (isDigit(first) || first === ':') return readAddress(text, at) ?? readNumber(text, at);
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
