import type { Query } from '../api/search.js';

/** The part of the address tree around the term; empty for the best match. */
export type Level = '' | 'exact' | 'one-less' | 'all-less' | 'one-more' | 'all-more';

/** The fields of the search form, and the parameters in the URL of a result. */
export interface Question {
  readonly text: string;
  readonly types: readonly string[];
  readonly source: string;
  readonly inverse: readonly string[];
  readonly level: Level;
  /** Other flags of the query interface by their long names. */
  readonly flags: readonly string[];
  readonly offset: number;
  /** A moment of the past: a serial, a date or a time; empty for now. */
  readonly asOf: string;
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
  };
}

/** The URL parameters of a query, without empty ones. */
export function writeQuestion({ text, types, source, inverse, level, flags, offset, asOf }: Question): URLSearchParams {
  const parameters = new URLSearchParams({ q: text });
  for (const type of types) parameters.append('type', type);
  if (source !== '') parameters.set('source', source);
  for (const attribute of inverse) parameters.append('inverse', attribute);
  if (level !== '') parameters.set('level', level);
  for (const flag of flags) parameters.append('flag', flag);
  if (offset > 0) parameters.set('offset', String(offset));
  if (asOf !== '') parameters.set('as-of', asOf);
  return parameters;
}

/** The query in the form of the registry. */
export function queryOf({ text, types, source, inverse, level, flags, offset, asOf }: Question): Query {
  return {
    text,
    types,
    sources: source === '' ? [] : [source],
    inverse,
    flags: level === '' ? flags : [level, ...flags],
    limit: pageSize,
    offset,
    asOf,
  };
}
