import { isIP } from 'node:net';
import type { Message } from '@cadastre/proto/registry';
import type { SearchRequest } from '@cadastre/proto/search';
import { type AttributeName, type ObjectTypeName, parseAsNumber } from '@cadastre/rpsl';
import { conflictOf, modeConflictOf } from './conflicts.js';
import { type Flag, isSearchFlag, type SearchFlag } from './flags.js';
import { isCredential, readAttributes, unsearchable } from './inverse.js';
import { type LineWords, listOf, onlyValue, readWords, valuesOf } from './line-words.js';
import { maxRevision } from './numbers.js';
import { type Outcome, ok, refused } from './outcome.js';
import { queryMessages } from './query-messages.js';
import { classify, hasTooManyWords, plainText, type SearchKey } from './search-key.js';
import { acceptingTypes, candidateTypes, isTooWide } from './searched-types.js';
import { readTypes, typeNamed } from './types.js';
import { uselessFlagWarnings } from './useless-flags.js';

/** A character set of answers, by its name in Node.js. */
export type Charset = 'latin1' | 'utf8' | 'ascii';

/** Names of character sets. Objects have only characters that latin-1 and windows-1252 write as the same bytes. */
const charsetNames: Readonly<Record<Charset, readonly string[]>> = {
  latin1: ['latin-1', 'latin1', 'l1', 'iso-8859-1', 'iso8859-1', 'windows-1252', 'cp1252'],
  utf8: ['utf-8', 'utf8'],
  ascii: ['us-ascii', 'ascii'],
};

const charsets: ReadonlyMap<string, Charset> = new Map(
  (['latin1', 'utf8', 'ascii'] as const).flatMap((charset) =>
    charsetNames[charset].map((name) => [name, charset] as const),
  ),
);

/** The format of the objects in an answer: in full, `-F`, `-K` or `-b`. */
export type Form = 'full' | 'brief' | 'keys' | 'abuse-contacts';

/** What a query for versions requests: the list, one version, or the difference of two. */
export type VersionChoice =
  | { readonly kind: 'list' }
  | { readonly kind: 'show'; readonly revision: number }
  | { readonly kind: 'difference'; readonly before: number; readonly after: number };

/** A search of a query line. */
export interface LineSearch {
  readonly kind: 'search';
  /** `sources` may have unknown names. */
  readonly request: Pick<SearchRequest, 'query' | 'sources' | 'types' | 'inverseAttributes' | 'flags'>;
  /** `-a`: all sources, in addition to the named ones. */
  readonly allSources: boolean;
  readonly form: Form;
  /**
   * Set when no source can have a match: a message about each attribute that is not searchable, or none for a search in
   * no attribute (`-i ,`) or no type. Absent for other searches.
   */
  readonly findsNothing?: readonly Message[];
  /** Whether the line had characters that objects cannot have, and that were replaced. */
  readonly isConverted: boolean;
}

/** The request of a query line. */
export type LineQuestion =
  | LineSearch
  /** A lone `-k`. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'help' }
  | { readonly kind: 'information'; readonly about: 'sources' | 'version' | 'types' }
  | { readonly kind: 'template'; readonly type: ObjectTypeName; readonly verbose: boolean }
  | {
      readonly kind: 'versions';
      readonly key: string;
      /** Empty means all. */
      readonly types: ReadonlySet<ObjectTypeName>;
      readonly choice: VersionChoice;
    };

/** A line of port 43 in the style of the RIPE Database. */
export interface QueryLine {
  /** `-k`: keeps the connection open. */
  readonly keepsOpen: boolean;
  /** `-V`: the name of the client program, and the address for which a proxy sends the query. */
  readonly client?: { readonly tag: string; readonly address?: string };
  readonly charset: Charset;
  /** About flags that have no effect. */
  readonly warnings: readonly Message[];
  /** What the line requests, or why there is no answer. */
  readonly question: Outcome<LineQuestion>;
}

/** Reads a line: flags in any order, before and after the search term (queries.md 1.1). */
export function parseLine(line: string): QueryLine {
  const text = plainText(line);
  const words = readWords(text);
  const { flags, term, problem } = words;
  const client = readClient(words);
  const charset = readCharset(words);
  return {
    keepsOpen: flags.has('persistent-connection'),
    ...(client.ok && client.value && { client: client.value }),
    charset: charset.ok ? charset.value : 'latin1',
    warnings: uselessFlagWarnings(flags, term),
    question: problem === undefined ? readQuestion(words, client, charset, text !== line) : refused(problem),
  };
}

function readClient(words: LineWords): Outcome<QueryLine['client']> {
  const given = onlyValue(words, 'client');
  if (!given.ok) return given;
  if (given.value === undefined) return ok(undefined);
  const [tag = '', address, ...more] = given.value.split(',');
  if (more.length > 0 || (address !== undefined && isIP(address) === 0)) return refused(queryMessages.invalidOption());
  return ok({ tag, ...(address !== undefined && { address }) });
}

function readCharset(words: LineWords): Outcome<Charset> {
  const given = onlyValue(words, 'charset');
  if (!given.ok) return given;
  const name = given.value ?? 'latin1';
  const charset = charsets.get(name.toLowerCase());
  return charset === undefined ? refused(queryMessages.unknownCharset(name)) : ok(charset);
}

/** The checks and their order are those of the RIPE Database, which reports all errors of the last checks together. */
function readQuestion(
  words: LineWords,
  client: Outcome<unknown>,
  charset: Outcome<unknown>,
  isConverted: boolean,
): Outcome<LineQuestion> {
  const { flags, term } = words;
  if (hasTooManyWords(term)) return refused(queryMessages.tooManyWords());
  const types = readTypes(valuesOf(words, 'select-types'));
  if (!types.ok) return types;
  const attributes = readAttributes(valuesOf(words, 'inverse'));
  if (!attributes.ok) return attributes;
  const modeConflict = modeConflictOf(flags);
  if (modeConflict !== undefined) return refused(modeConflict);
  if (!client.ok && valuesOf(words, 'client').length > 1) return client;
  const errors = errorsOf(words, types.value, client);
  if (errors.length > 0) return { ok: false, messages: errors };
  if (!charset.ok) return charset;
  if (isLoneConnectionFlag(words)) return ok({ kind: 'nothing' });
  if (flags.size === 0 && isHelp(term)) return ok({ kind: 'help' });
  return (
    readInformation(words) ??
    readTemplate(words, 'template') ??
    readTemplate(words, 'verbose') ??
    readVersions(words, types.value) ??
    ok(readSearch(words, types.value, attributes.value, isConverted))
  );
}

/** The errors of the combination of flags, and of the search term with these flags. */
function errorsOf(words: LineWords, types: ReadonlySet<ObjectTypeName>, client: Outcome<unknown>): Message[] {
  const { flags, term } = words;
  const key = classify(term);
  const isInverse = flags.has('inverse');
  const needsKey = !(isHelp(term) || isLoneConnectionFlag(words) || keyless.some((flag) => flags.has(flag)));
  const findsNoType = !isInverse && acceptingTypes(candidateTypes(types, flags), key, flags).length === 0;
  return [
    isTooWide(key, flags) && queryMessages.tooWide(),
    (!client.ok || (flags.has('abuse-contact') && !isResource(key, flags))) && queryMessages.invalidOption(),
    conflictOf(flags),
    needsKey && term === '' && queryMessages.noKey(),
    needsKey && findsNoType && queryMessages.invalidKey(),
    isInverse && isCredential(term) && queryMessages.credentialSearch(),
  ].filter((error) => error !== false && error !== undefined);
}

/** The flags of queries about the registry itself, which need no search term. */
const keyless: readonly Flag[] = ['template', 'verbose', 'q', 'list-sources', 'version', 'types'];

function isHelp(term: string): boolean {
  return term.toLowerCase() === 'help';
}

/** A lone `-k`. */
function isLoneConnectionFlag({ flags, term }: LineWords): boolean {
  const besides = [...flags].filter((flag) => flag !== 'client' && flag !== 'charset');
  return term === '' && besides.length === 1 && besides[0] === 'persistent-connection';
}

/** The subjects of `-q`, and the flags for the same. */
const subjects = [
  ['sources', 'list-sources'],
  ['version', 'version'],
  ['types', 'types'],
] as const;

function readInformation(words: LineWords): Outcome<LineQuestion> | undefined {
  const given = onlyValue(words, 'q');
  if (!given.ok) return given;
  const requested = given.value?.toLowerCase();
  const found = subjects.find(([subject, flag]) =>
    requested === undefined ? words.flags.has(flag) : subject === requested,
  );
  if (found !== undefined) return ok({ kind: 'information', about: found[0] });
  return requested === undefined ? undefined : refused(queryMessages.invalidOption(`Invalid option: ${given.value}`));
}

function readTemplate(words: LineWords, flag: 'template' | 'verbose'): Outcome<LineQuestion> | undefined {
  const name = onlyValue(words, flag);
  if (!name.ok) return name;
  if (name.value === undefined) return undefined;
  const type = typeNamed(name.value);
  if (type === undefined) return refused(queryMessages.unknownType(name.value));
  return ok({ kind: 'template', type: type.name, verbose: flag === 'verbose' });
}

function readVersions(words: LineWords, types: ReadonlySet<ObjectTypeName>): Outcome<LineQuestion> | undefined {
  const choice = readChoice(words);
  if (choice === undefined || !choice.ok) return choice;
  return ok({ kind: 'versions', key: words.term, types, choice: choice.value });
}

function readChoice(words: LineWords): Outcome<VersionChoice> | undefined {
  if (words.flags.has('list-versions')) return ok({ kind: 'list' });
  const shown = onlyValue(words, 'show-version');
  if (!shown.ok) return shown;
  if (shown.value !== undefined) {
    const revision = revisionOf(shown.value);
    return revision > 0 ? ok({ kind: 'show', revision }) : refused(queryMessages.invalidOption());
  }
  const pair = onlyValue(words, 'diff-versions');
  if (!pair.ok) return pair;
  if (pair.value === undefined) return undefined;
  const parts = pair.value.split(':');
  if (parts.length !== 2) return refused(queryMessages.invalidOption('diff versions must be in the format a:b'));
  const [before, after] = parts.map(revisionOf) as [number, number];
  if (Number.isNaN(before + after)) return refused(queryMessages.invalidOption('diff version must be a number'));
  if (before < 1 || after < 1)
    return refused(queryMessages.invalidOption('diff version number must be greater than 0'));
  if (before === after) return refused(queryMessages.invalidOption('diff versions are the same'));
  return ok({ kind: 'difference', before, after });
}

/** A revision; NaN for text that is not a number. */
function revisionOf(text: string): number {
  return /^-?\d+$/.test(text) ? Math.min(Number(text), maxRevision) : Number.NaN;
}

function readSearch(
  words: LineWords,
  requested: ReadonlySet<ObjectTypeName>,
  attributes: readonly AttributeName[],
  isConverted: boolean,
): LineSearch {
  const { flags, term: query } = words;
  const form = formOf(flags);
  const isInverse = flags.has('inverse');
  const isNameless = form === 'keys' && !isInverse;
  const types = candidateTypes(requested, flags).filter((type) => !(isNameless && named.has(type)));
  const isPossible = isInverse ? attributes.length > 0 : acceptingTypes(types, classify(query), flags).length > 0;
  const messages = unsearchable(attributes);
  return {
    kind: 'search',
    request: {
      query,
      sources: listOf(words, 'sources'),
      types: isNameless || form === 'abuse-contacts' ? types : [...requested],
      inverseAttributes: listOf(words, 'inverse'),
      flags: searchFlagsOf(flags, form),
    },
    allSources: flags.has('all-sources'),
    form,
    isConverted,
    ...((!isPossible || messages.length > 0) && { findsNothing: messages }),
  };
}

function formOf(flags: ReadonlySet<Flag>): Form {
  if (flags.has('abuse-contact')) return 'abuse-contacts';
  if (flags.has('primary-keys')) return 'keys';
  return flags.has('brief') ? 'brief' : 'full';
}

/** Lookups of primary keys do not find these. */
const named: ReadonlySet<ObjectTypeName> = new Set(['organisation', 'person', 'role']);

const implied: Readonly<Record<Form, readonly SearchFlag[]>> = {
  full: [],
  brief: ['no-referenced'],
  keys: ['no-referenced'],
  'abuse-contacts': ['irt', 'no-grouping', 'no-referenced'],
};

/** The flags of the search, with those that the format of the answer implies; lookups by primary key find no irts. */
function searchFlagsOf(flags: ReadonlySet<Flag>, form: Form): SearchFlag[] {
  const given = [...flags].filter(isSearchFlag).filter((flag) => form !== 'keys' || flag !== 'irt');
  return [...new Set([...given, ...implied[form]])];
}

/** Whether a key can have an abuse contact. */
function isResource({ kind, text }: SearchKey, flags: ReadonlySet<Flag>): boolean {
  if (kind === 'text') return parseAsNumber(text) !== undefined;
  return kind !== 'reverse-domain' || flags.has('reverse-domain');
}
