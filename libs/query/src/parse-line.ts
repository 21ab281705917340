import { isIP } from 'node:net';
import type { Message } from '@cadastre/proto/registry';
import type { SearchRequest } from '@cadastre/proto/search';
import { type ObjectTypeName, objectTypeNames } from '@cadastre/rpsl';
import { conflictOf } from './conflicts.js';
import { type Flag, flagNamed, flagOfLetter, isSearchFlag, type SearchFlag, shownFlag } from './flags.js';
import { type Outcome, ok, refused } from './outcome.js';
import { queryMessages } from './query-messages.js';
import { classify, plainText } from './search-key.js';
import { readTypes } from './types.js';
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

/** How the objects of an answer are written: in full, `-F`, `-K` or `-b`. */
export type Form = 'full' | 'brief' | 'keys' | 'abuse-contacts';

/** What a query for versions asks: their list, one of them, or the difference of two. */
export type VersionChoice =
  | { readonly kind: 'list' }
  | { readonly kind: 'show'; readonly revision: number }
  | { readonly kind: 'difference'; readonly before: number; readonly after: number };

/** A search of a query line. */
export interface LineSearch {
  readonly kind: 'search';
  /** `sources` may have unknown names. */
  readonly request: Pick<SearchRequest, 'query' | 'sources' | 'types' | 'inverseAttributes' | 'flags'>;
  /** `-a`: all sources, besides the named ones. */
  readonly allSources: boolean;
  readonly form: Form;
  /** Whether it is a search in no attribute (`-i ,`). */
  readonly findsNothing: boolean;
  /** Whether the line had characters that objects do not have, which became others. */
  readonly isConverted: boolean;
}

/** What a query line asks. */
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
  /** `-k`: the connection stays open. */
  readonly keepsOpen: boolean;
  /** `-V`: what the client calls itself, and the address that it asks for as a proxy. */
  readonly client?: { readonly tag: string; readonly address?: string };
  readonly charset: Charset;
  /** About flags that have no effect. The search service returns them for what it finds. */
  readonly warnings: readonly Message[];
  /** What the line asks, or why that cannot be answered. */
  readonly question: Outcome<LineQuestion>;
}

/** The flags with a value: a list, which may be repeated, or a single one. */
const listFlags = ['inverse', 'select-types', 'sources'] as const;
const singleFlags = ['template', 'verbose', 'q', 'client', 'charset', 'show-version', 'diff-versions'] as const;
const valuedFlags: ReadonlySet<Flag> = new Set([...listFlags, ...singleFlags]);

/** whois(1) has `-R` for its own use, and sends it. */
const ignoredLetter = 'R';

/** The flags of a line with their values, and its other words. */
interface Words {
  readonly flags: ReadonlyMap<Flag, readonly string[]>;
  readonly term: readonly string[];
  /** What is wrong with the first bad flag. */
  readonly problem?: Message;
}

/** Reads a line: flags in any order, before and after the search term (queries.md 1.1). */
export function parseLine(line: string): QueryLine {
  const text = plainText(line);
  const words = readWords(text.split(/[ \t\r\n]+/).filter((word) => word !== ''));
  const client = readClient(words);
  const charset = readCharset(words);
  const problem =
    words.problem ?? (client.ok ? undefined : client.messages[0]) ?? (charset.ok ? undefined : charset.messages[0]);
  return {
    keepsOpen: words.flags.has('persistent-connection'),
    ...(client.ok && client.value && { client: client.value }),
    charset: charset.ok ? charset.value : 'latin1',
    warnings: words.term.length === 0 ? [] : uselessFlagWarnings(new Set(words.flags.keys()), words.term.join(' ')),
    question: problem === undefined ? readQuestion(words, text !== line) : refused(problem),
  };
}

function readWords(words: readonly string[]): Words {
  const flags = new Map<Flag, string[]>();
  const term: string[] = [];
  const problems: Message[] = [];
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
        problems.push(
          word.startsWith('--')
            ? queryMessages.invalidOption(`Invalid option: ${word}`)
            : queryMessages.invalidOption(),
        );
        continue;
      }
      const values = flags.get(flag) ?? [];
      flags.set(flag, values);
      if (!valuedFlags.has(flag)) continue;
      const value = attached || rest.pop();
      if (value === undefined) problems.push(queryMessages.invalidOption(`${shownFlag(flag)} needs a value`));
      else if (isOption(value)) problems.push(queryMessages.invalidOption(`--${flag} has a flag argument`));
      else values.push(value);
    }
  }
  const repeated = singleFlags.find((flag) => (flags.get(flag)?.length ?? 0) > 1);
  const problem = problems[0] ?? (repeated && queryMessages.repeatedFlag(shownFlag(repeated)));
  return { flags, term, ...(problem && { problem }) };
}

function isOption(word: string): boolean {
  return word.startsWith('-') && word.length > 1;
}

/** A flag of a word, undefined for an unknown one, and what is attached to it. */
interface WordFlag {
  readonly flag: Flag | undefined;
  readonly attached: string;
}

/** `--name`, `--name=value`, or letters, of which the last may have its value attached. */
function flagsOf(word: string): WordFlag[] {
  const [, name, attached = ''] = /^--([^=]*)(?:=(.*))?$/.exec(word) ?? [];
  if (name !== undefined) return [{ flag: flagNamed(name), attached }];
  const found: WordFlag[] = [];
  for (let at = 1; at < word.length; at++) {
    if (word[at] === ignoredLetter) continue;
    const flag = flagOfLetter(word[at]!);
    const takesRest = flag !== undefined && valuedFlags.has(flag);
    found.push({ flag, attached: takesRest ? word.slice(at + 1) : '' });
    if (takesRest || flag === undefined) break;
  }
  return found;
}

function readClient({ flags }: Words): Outcome<QueryLine['client']> {
  const [value] = flags.get('client') ?? [];
  if (value === undefined) return ok(undefined);
  const [tag = '', address, ...more] = value.split(',');
  if (more.length > 0 || (address !== undefined && isIP(address) === 0)) return refused(queryMessages.invalidOption());
  return ok({ tag, ...(address !== undefined && { address }) });
}

function readCharset({ flags }: Words): Outcome<Charset> {
  const [name] = flags.get('charset') ?? [];
  if (name === undefined) return ok('latin1');
  const charset = charsets.get(name.toLowerCase());
  return charset === undefined ? refused(queryMessages.unknownCharset(name)) : ok(charset);
}

function readQuestion(words: Words, isConverted: boolean): Outcome<LineQuestion> {
  const { flags, term } = words;
  const conflict = conflictOf(new Set(flags.keys()));
  if (conflict !== undefined) return refused(conflict);
  const about = readInformation(flags);
  if (about !== undefined) return about;
  const types = readTypes(flags.get('select-types') ?? []);
  if (!types.ok) return types;
  if (term.length === 0) return withoutTerm(flags, types.value);
  if (term.length === 1 && flags.size === 0 && term[0]!.toLowerCase() === 'help') return ok({ kind: 'help' });
  return readVersions(words, types.value) ?? readSearch(words, types.value, isConverted);
}

/** A question about the registry itself, which needs no search term. */
function readInformation(flags: Words['flags']): Outcome<LineQuestion> | undefined {
  const [given] = flags.get('q') ?? [];
  const about = given?.toLowerCase();
  if (about === 'sources' || flags.has('list-sources')) return ok({ kind: 'information', about: 'sources' });
  if (about === 'version' || flags.has('version')) return ok({ kind: 'information', about: 'version' });
  if (about === 'types' || flags.has('types')) return ok({ kind: 'information', about: 'types' });
  if (about !== undefined) return refused(queryMessages.invalidOption());
  const verbose = flags.has('verbose');
  const [template] = flags.get(verbose ? 'verbose' : 'template') ?? [];
  if (template === undefined) return undefined;
  const types = readTypes([template]);
  if (!types.ok) return types;
  const [type] = types.value;
  return type === undefined ? refused(queryMessages.unknownType(template)) : ok({ kind: 'template', type, verbose });
}

function withoutTerm(flags: Words['flags'], types: ReadonlySet<ObjectTypeName>): Outcome<LineQuestion> {
  const besides = [...flags.keys()].filter((flag) => flag !== 'client' && flag !== 'charset');
  if (besides.length === 1 && besides[0] === 'persistent-connection') return ok({ kind: 'nothing' });
  // An empty text has the form of a host name: the RIPE Database complains about other types, too.
  const isUseless = types.size > 0 && !types.has('domain') && !types.has('inet-rtr');
  return refused(queryMessages.noKey(), ...(isUseless ? [queryMessages.invalidKey()] : []));
}

function readVersions({ flags, term }: Words, types: ReadonlySet<ObjectTypeName>): Outcome<LineQuestion> | undefined {
  const choice = readChoice(flags);
  if (choice === undefined || !choice.ok) return choice;
  return ok({ kind: 'versions', key: term.join(' '), types, choice: choice.value });
}

function readChoice(flags: Words['flags']): Outcome<VersionChoice> | undefined {
  const [shown] = flags.get('show-version') ?? [];
  const [pair] = flags.get('diff-versions') ?? [];
  if (flags.has('list-versions')) return ok({ kind: 'list' });
  if (shown !== undefined) {
    const revision = revisionOf(shown);
    return revision > 0 ? ok({ kind: 'show', revision }) : refused(queryMessages.invalidOption());
  }
  if (pair === undefined) return undefined;
  const parts = pair.split(':');
  if (parts.length !== 2) return refused(queryMessages.invalidOption('diff versions must be in the format a:b'));
  const [before, after] = parts.map(revisionOf) as [number, number];
  if (Number.isNaN(before + after)) return refused(queryMessages.invalidOption('diff version must be a number'));
  if (before < 1 || after < 1)
    return refused(queryMessages.invalidOption('diff version number must be greater than 0'));
  if (before === after) return refused(queryMessages.invalidOption('diff versions are the same'));
  return ok({ kind: 'difference', before, after });
}

const highestRevision = 0xff_ff_ff_ff;

/** A revision; NaN for what is no number. */
function revisionOf(text: string): number {
  return /^-?\d+$/.test(text) ? Math.min(Number(text), highestRevision) : Number.NaN;
}

function readSearch(
  { flags, term }: Words,
  types: ReadonlySet<ObjectTypeName>,
  isConverted: boolean,
): Outcome<LineQuestion> {
  const query = term.join(' ');
  const form = formOf(flags);
  const inverseAttributes = listOf(flags.get('inverse'));
  const searched = typesOf(types, form, flags.has('inverse'));
  if (searched?.length === 0) return refused(queryMessages.invalidKey());
  if (form === 'abuse-contacts' && !isResource(query)) return refused(queryMessages.invalidOption());
  return ok({
    kind: 'search',
    request: {
      query,
      sources: listOf(flags.get('sources')),
      types: searched ?? [...types],
      inverseAttributes,
      flags: searchFlagsOf(flags, form),
    },
    allSources: flags.has('all-sources'),
    form,
    isConverted,
    findsNothing: flags.has('inverse') && inverseAttributes.length === 0,
  });
}

function formOf(flags: Words['flags']): Form {
  if (flags.has('abuse-contact')) return 'abuse-contacts';
  if (flags.has('primary-keys')) return 'keys';
  return flags.has('brief') ? 'brief' : 'full';
}

const nameless: ReadonlySet<ObjectTypeName> = new Set(['organisation', 'person', 'role']);
const resources: ReadonlySet<ObjectTypeName> = new Set(['inetnum', 'inet6num', 'aut-num']);

/** The types to search where the form of the answer restricts them. */
function typesOf(asked: ReadonlySet<ObjectTypeName>, form: Form, isInverse: boolean): ObjectTypeName[] | undefined {
  const isAsked = (type: ObjectTypeName) => asked.size === 0 || asked.has(type);
  if (form === 'abuse-contacts') return objectTypeNames.filter((type) => isAsked(type) && resources.has(type));
  if (form === 'keys' && !isInverse) return objectTypeNames.filter((type) => isAsked(type) && !nameless.has(type));
  return undefined;
}

const implied: Readonly<Record<Form, readonly SearchFlag[]>> = {
  full: [],
  brief: ['no-referenced'],
  keys: ['no-referenced'],
  'abuse-contacts': ['irt', 'no-grouping', 'no-referenced'],
};

/** The flags of the search, with those that the form of the answer implies; primary keys have no irts. */
function searchFlagsOf(flags: Words['flags'], form: Form): SearchFlag[] {
  const given = [...flags.keys()].filter(isSearchFlag).filter((flag) => form !== 'keys' || flag !== 'irt');
  return [...new Set([...given, ...implied[form]])];
}

function isResource(term: string): boolean {
  const key = classify(term);
  return (
    key.kind === 'address' ||
    (key.kind === 'text' && key.asRange?.first !== undefined && key.asRange.first === key.asRange.last)
  );
}

function listOf(values: readonly string[] = []): string[] {
  return values.flatMap((value) => value.split(',')).filter((value) => value !== '');
}
