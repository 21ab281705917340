import type { Message } from '@cadastre/proto/registry';
import { type Flag, flagNamed, flagsOf, hasValue, shownFlag } from './flags.js';
import { type Outcome, ok, refused } from './outcome.js';
import { queryMessages } from './query-messages.js';

/** The value of a flag. */
interface Given {
  readonly value: string;
  /** Whether the flag was given by its letter. */
  readonly byLetter: boolean;
}

/** The flags of a line, and its other words. */
export interface LineWords {
  readonly flags: ReadonlySet<Flag>;
  readonly values: ReadonlyMap<Flag, readonly Given[]>;
  /** The words that are not flags, with one space between them. */
  readonly term: string;
  /** What is wrong with a flag. */
  readonly problem?: Message;
}

/** Reads a line that has only characters of objects. */
export function readWords(line: string): LineWords {
  const words = line.split(/[ \t\r\n]+/).filter((word) => word !== '');
  const values = new Map<Flag, Given[]>();
  const term: string[] = [];
  const unknown = words.find(isUnknownName);
  const problems = unknown === undefined ? [] : [queryMessages.invalidOption(`Invalid option: ${unknown}`)];
  const rest = [...words].reverse();
  for (let word = rest.pop(); word !== undefined; word = rest.pop()) {
    if (word === '--') {
      term.push(...rest.reverse());
      break;
    }
    if (!isOption(word)) {
      term.push(word);
      continue;
    }
    for (const { flag, attached } of flagsOf(word)) {
      if (flag === undefined) {
        problems.push(queryMessages.invalidOption());
        break;
      }
      const given = values.get(flag) ?? [];
      values.set(flag, given);
      if (!hasValue(flag)) continue;
      const value = attached || rest.pop();
      if (value === undefined) problems.push(queryMessages.invalidOption(`${shownFlag(flag)} needs a value`));
      else if (isOption(value)) problems.push(queryMessages.invalidOption(`--${flag} has a flag argument`));
      else given.push({ value, byLetter: !word.startsWith('--') });
    }
  }
  const [problem] = problems;
  return { flags: new Set(values.keys()), values, term: term.join(' '), ...(problem && { problem }) };
}

/** Whether a word has an unknown flag name after two dashes, or a known one after a single dash, at any position. */
function isUnknownName(word: string): boolean {
  const [, dashes, name = ''] = /^(--?)([^-][^=]*)/.exec(word) ?? [];
  return dashes !== undefined && (flagNamed(name.toLowerCase()) === undefined) === (dashes === '--');
}

function isOption(word: string): boolean {
  return word.startsWith('-') && word.length > 1;
}

/** The value of a flag that may be given once; undefined without the flag. */
export function onlyValue({ values }: LineWords, flag: Flag): Outcome<string | undefined> {
  const given = values.get(flag) ?? [];
  if (given.length < 2) return ok(given[0]?.value);
  const [byLetter, byName] = shownFlag(flag).split(', ') as [string, string?];
  const isByLetter = byName === undefined || given.filter((one) => one.byLetter).length > 1;
  return refused(queryMessages.repeatedFlag(isByLetter ? byLetter : byName));
}

/** The values of a flag as given, which may be lists. */
export function valuesOf({ values }: LineWords, flag: Flag): string[] {
  return (values.get(flag) ?? []).map(({ value }) => value);
}

/** The items of the lists that a flag has. */
export function listOf(words: LineWords, flag: Flag): string[] {
  return valuesOf(words, flag)
    .flatMap((value) => value.split(','))
    .filter((value) => value !== '');
}
