import { attributeType, objectType } from '@cadastre/rpsl';
import type { Level, Question } from './question.js';

/** A question with flags of the RIPE query line, such as `-rBG -T route -i origin AS64500`. */
export interface FlaggedText {
  /** The text without flags. */
  readonly text: string;
  /** The meaning of the flags. */
  readonly filters: Pick<Question, 'types' | 'source' | 'inverse' | 'level' | 'flags'>;
  /** Flags that are unknown, or that are for query lines only. */
  readonly ignored: readonly string[];
  /** The type whose template the flags request. */
  readonly template?: string;
}

/** Long names by letter. */
const letters: Readonly<Record<string, string>> = {
  x: 'exact',
  l: 'one-less',
  L: 'all-less',
  m: 'one-more',
  M: 'all-more',
  c: 'irt',
  C: 'no-irt',
  d: 'reverse-domain',
  G: 'no-grouping',
  B: 'no-filtering',
  r: 'no-referenced',
  i: 'inverse',
  T: 'select-types',
  s: 'sources',
  t: 'template',
  v: 'verbose',
  V: 'client',
  Z: 'charset',
  q: 'q',
};

const noFilters: FlaggedText['filters'] = { types: [], source: '', inverse: [], level: '', flags: [] };
const levels: readonly string[] = ['exact', 'one-less', 'all-less', 'one-more', 'all-more'];
const switches: readonly string[] = [
  ...['irt', 'no-irt', 'reverse-domain', 'no-grouping', 'no-filtering', 'no-referenced', 'no-personal'],
  ...['show-personal', 'valid-syntax', 'no-valid-syntax', 'resource'],
];
/** Flags that have a value. */
const valued: readonly string[] = [
  ...['inverse', 'select-types', 'sources', 'template', 'verbose', 'client', 'charset', 'q', 'show-version'],
  'diff-versions',
];

/** Separates the flags of a text from its term; undefined for a text without flags. */
export function readFlags(written: string): FlaggedText | undefined {
  if (!/(^|\s)-(-?[a-z])/i.test(written)) return undefined;
  const words: string[] = [];
  const ignored: string[] = [];
  const values: Record<string, string[]> = {};
  let template: string | undefined;
  const tokens = written.trim().split(/\s+/);
  for (let token = tokens.shift(); token !== undefined; token = tokens.shift()) {
    if (!/^--?[a-z]/i.test(token)) {
      words.push(token);
      continue;
    }
    for (const [name, attached] of flagsOf(token)) {
      const value = valued.includes(name) ? attached || tokens.shift() : undefined;
      if (name === 'template' || name === 'verbose') {
        template ??= objectType(value ?? '')?.name;
        if (template) continue;
      }
      if (levels.includes(name) || switches.includes(name) || ['inverse', 'select-types', 'sources'].includes(name)) {
        values[name] = [...(values[name] ?? []), ...(value ?? '').split(',').filter((one) => one !== '')];
      } else ignored.push([name.length === 1 ? `-${name}` : `--${name}`, value].filter(Boolean).join(' '));
    }
  }
  return {
    text: words.join(' '),
    filters: {
      types: (values['select-types'] ?? []).map((name) => objectType(name)?.name ?? name),
      source: (values.sources ?? []).join(','),
      inverse: (values.inverse ?? []).map((name) => attributeType(name)?.name ?? name),
      level: (levels.findLast((name) => name in values) ?? '') as Level,
      flags: switches.filter((name) => name in values),
    },
    ignored,
    ...(template && { template }),
  };
}

/** The meaning of values of the parameter `flags` of the REST interface: long names, or letters. */
export function filtersOfFlags(values: readonly string[]): FlaggedText['filters'] {
  const isName = (value: string) => levels.includes(value) || switches.includes(value);
  return readFlags(values.map((value) => (isName(value) ? `--${value}` : `-${value}`)).join(' '))?.filters ?? noFilters;
}

/** The flags of a word by their long names, the last one with the text attached to it. */
function flagsOf(token: string): [name: string, attached: string][] {
  const [, long, equal = ''] = /^--([^=]*)=?(.*)$/.exec(token) ?? [];
  if (long !== undefined) return [[long, equal]];
  const flags: [string, string][] = [];
  for (let at = 1; at < token.length; at++) {
    const name = letters[token[at]!] ?? token[at]!;
    const hasValue = valued.includes(name);
    flags.push([name, hasValue ? token.slice(at + 1) : '']);
    if (hasValue) break;
  }
  return flags;
}
