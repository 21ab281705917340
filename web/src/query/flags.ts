import { allFlags, type Flag, flagNamed, flagsOf, hasValue, isSearchFlag, modeFlags } from '@cadastre/query/browser';
import { attributeType, objectType } from '@cadastre/rpsl';
import type { Question } from './question.js';

/** What flags can choose. */
export type Filters = Pick<Question, 'types' | 'source' | 'inverse' | 'level' | 'flags'>;

/** A question with flags of the RIPE query line, such as `-rBG -T route -i origin AS64500`. */
export interface FlaggedText {
  /** The text without flags. */
  readonly text: string;
  /** The meaning of the flags. */
  readonly filters: Filters;
  /** Flags that are unknown, or that are for query lines only, as the user wrote them. */
  readonly ignored: readonly string[];
  /** The type whose template the flags request. */
  readonly template?: string;
}

const levels: readonly Flag[] = modeFlags;
const switches = allFlags.filter(isSearchFlag).filter((flag) => !levels.includes(flag));
/** Flags that narrow a search by their value. */
const filters: readonly Flag[] = ['select-types', 'sources', 'inverse'];

/** Separates the flags of a text from its term; undefined for a text without flags. */
export function readFlags(text: string): FlaggedText | undefined {
  if (!/(^|\s)-(-?[a-z])/i.test(text)) return undefined;
  const words: string[] = [];
  const ignored: string[] = [];
  const values: { [flag in Flag]?: string[] } = {};
  let template: string | undefined;
  const tokens = text.trim().split(/\s+/);
  for (let token = tokens.shift(); token !== undefined; token = tokens.shift()) {
    if (!/^--?[a-z]/i.test(token)) {
      words.push(token);
      continue;
    }
    for (const { flag, written, attached } of flagsOf(token)) {
      const value = flag && hasValue(flag) ? attached || tokens.shift() : undefined;
      const type = flag === 'template' || flag === 'verbose' ? objectType(value ?? '') : undefined;
      if (type) template ??= type.name;
      else if (flag && (isSearchFlag(flag) || filters.includes(flag)))
        values[flag] = [...(values[flag] ?? []), ...(value ?? '').split(',').filter(Boolean)];
      else ignored.push([written, value].filter(Boolean).join(' '));
    }
  }
  return {
    text: words.join(' '),
    filters: {
      types: (values['select-types'] ?? []).map((name) => objectType(name)?.name ?? name),
      source: (values.sources ?? []).join(','),
      inverse: (values.inverse ?? []).map((name) => attributeType(name)?.name ?? name),
      level: modeFlags.findLast((flag) => flag in values) ?? '',
      flags: switches.filter((flag) => flag in values),
    },
    ignored,
    ...(template && { template }),
  };
}

/** The meaning of values of the parameter `flags` of the REST interface: long names, or letters. */
export function filtersOfFlags(values: readonly string[]): Filters | undefined {
  return readFlags(values.map((value) => (flagNamed(value) ? `--${value}` : `-${value}`)).join(' '))?.filters;
}
