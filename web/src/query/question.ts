import type { modeFlags } from '@cadastre/query/browser';
import type { Query } from '../api/search.js';
import { momentOf, pastText } from '../past/past.js';

/** The part of the address tree around the term; empty for the best match. */
export type Level = '' | (typeof modeFlags)[number];

/** The objects that each level finds. */
export const levelNames: Readonly<Record<Level, string>> = {
  '': 'Best match',
  exact: 'Exact match',
  'one-less': 'Smallest enclosing range',
  'all-less': 'Exact match and all enclosing ranges',
  'one-more': 'The first level inside',
  'all-more': 'Everything inside',
};

/** The effects of the flags of the search form. */
export const flagNames: Readonly<Record<string, string>> = {
  'no-referenced': 'Without contacts and organisations',
  'no-personal': 'Without persons and roles',
  'reverse-domain': 'With reverse domains',
  irt: 'With incident response teams',
  'no-filtering': 'With e-mail addresses',
  'no-grouping': 'Contacts at the end',
  resource: 'In all mirrored registries',
};

/** The fields of the search form, and the parameters in the URL of a result. */
export interface Question {
  readonly text: string;
  readonly types: readonly string[];
  /** One source or several, separated by commas; empty for the registry's own. */
  readonly source: string;
  readonly inverse: readonly string[];
  readonly level: Level;
  /** Other flags of the query interface by their long names. */
  readonly flags: readonly string[];
  readonly offset: number;
  /** A moment of the past: a serial, a date or a time; empty for now. */
  readonly asOf: string;
  /** `words` searches in names, descriptions, remarks and addresses; empty searches keys and whole names. */
  readonly by: '' | 'words';
  /** The start of a page of a search for words: the cursor of the page before; empty for the first page. */
  readonly after: string;
}

export const emptyQuestion: Question = {
  text: '',
  types: [],
  source: '',
  inverse: [],
  level: '',
  flags: [],
  offset: 0,
  asOf: '',
  by: '',
  after: '',
};

/** Number of objects on a page of a result. */
export const pageSize = 50;

/** Reads a query from URL parameters. */
export function readQuestion(parameters: URLSearchParams): Question {
  return {
    text: parameters.get('q') ?? '',
    types: parameters.getAll('type'),
    source: parameters.get('source') ?? '',
    inverse: parameters.getAll('inverse'),
    level: (parameters.get('level') ?? '') as Level,
    flags: parameters.getAll('flag'),
    offset: Math.max(0, Number(parameters.get('offset')) || 0),
    asOf: parameters.get('as-of') ?? '',
    by: parameters.get('by') === 'words' ? 'words' : '',
    after: parameters.get('after') ?? '',
  };
}

/** The URL parameters of a query, without empty ones. */
export function writeQuestion(question: Question): URLSearchParams {
  const { text, types, source, inverse, level, flags, offset, asOf, by, after } = question;
  const parameters = new URLSearchParams({ q: text });
  for (const type of types) parameters.append('type', type);
  if (source !== '') parameters.set('source', source);
  for (const attribute of inverse) parameters.append('inverse', attribute);
  if (level !== '') parameters.set('level', level);
  for (const flag of flags) parameters.append('flag', flag);
  if (offset > 0) parameters.set('offset', String(offset));
  if (asOf !== '') parameters.set('as-of', asOf);
  if (by !== '') parameters.set('by', by);
  if (after !== '') parameters.set('after', after);
  return parameters;
}

/** The query in the form of the registry. */
export function queryOf({ text, types, source, inverse, level, flags, offset, asOf }: Question): Query {
  return {
    text,
    types,
    sources: source === '' ? [] : source.split(','),
    inverse,
    flags: level === '' ? flags : [level, ...flags],
    limit: pageSize,
    offset,
    byAddress: inverse.length > 0,
    asOf,
  };
}

export interface UsedFilter {
  /** As users read it. */
  readonly label: string;
  /** What the question is without it. */
  readonly without: Partial<Question>;
}

/** The filters of a question, in the order of the form. */
export function usedFilters({ types, level, inverse, source, asOf, flags }: Question): UsedFilter[] {
  const moment = momentOf(asOf);
  const filter = (label: string, without: Partial<Question>) => ({ label, without });
  return [
    ...types.map((type) => filter(type, { types: types.filter((other) => other !== type) })),
    ...(level === '' ? [] : [filter(levelNames[level] ?? level, { level: '' })]),
    ...inverse.map((name) => filter(`by ${name}`, { inverse: inverse.filter((other) => other !== name) })),
    ...(source === '' ? [] : [filter(`in ${source.replaceAll(',', ', ')}`, { source: '' })]),
    ...(moment ? [filter(`as of ${pastText(moment)}`, { asOf: '' })] : []),
    ...flags.map((flag) => filter(flagNames[flag] ?? flag, { flags: flags.filter((other) => other !== flag) })),
  ];
}

/** What a question without filters has. */
export const noFilters: Partial<Question> = { types: [], level: '', inverse: [], source: '', asOf: '', flags: [] };
