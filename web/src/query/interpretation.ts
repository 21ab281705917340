import { formatPrefix, parseResource, type Resource } from '@cadastre/rpsl';
import { findResources } from '../bulk/find-resources.js';
import { numberText } from '../design/format.js';
import { paths } from '../paths.js';
import { type Filters, readFlags } from './flags.js';
import { normaliseTerm, whyNoResource } from './normalise-term.js';
import { emptyQuestion, flagNames, levelNames, type Question } from './question.js';
import { readUrl } from './question-url.js';

/** The interpretation of the text of a question. */
export type Interpretation =
  | SearchInterpretation
  /** A page that the text names. */
  | { readonly kind: 'page'; readonly page: string }
  /** More than one search can answer; `what` is the reason. */
  | { readonly kind: 'bulk'; readonly what: string }
  /** No search can answer; `what` is the reason. */
  | { readonly kind: 'none'; readonly what: string };

/** A text that a search can answer. */
export interface SearchInterpretation {
  readonly kind: 'search';
  /** One line for people: "an IPv4 prefix, 192.0.2.0/24, which contains 192.0.2.77". Empty without a text. */
  readonly what: string;
  /** The searches, the likeliest first: the next one runs when one finds nothing. Their texts are plain terms. */
  readonly searches: readonly [Question, ...Question[]];
  /** The addresses or AS numbers that the question is about. */
  readonly resource: Resource | undefined;
}

/** Maximum characters of one search. Longer texts are lists, logs or whole objects. */
export const maxQueryText = 1000;

/** The maximum of the registry. */
const maxWords = 60;

/** Reads a question. The text is as the user wrote it; the filters of the question also apply. */
export function interpret(question: Question): Interpretation {
  const written = question.text.trim();
  if (written.length > maxQueryText)
    return { kind: 'bulk', what: `a text of ${numberText(written.length)} characters` };
  const words = written.split(/\s+/).length;
  if (words > maxWords) return { kind: 'bulk', what: `a text of ${words} words` };
  if (question.by === 'words') return readWords(question, written);
  const url = readUrl(written);
  if (url !== undefined && 'page' in url) return { kind: 'page', page: url.page };
  const flagged = readFlags(written);
  if (flagged?.template) return { kind: 'page', page: paths.template(flagged.template) };
  const bare = mentioned(url?.host ?? flagged?.text ?? written);
  const resources = resourcesOf(bare);
  if (resources > 1) return { kind: 'bulk', what: `${resources} addresses, prefixes or AS numbers` };
  const { text, inside } = normaliseTerm(bare);
  const reason = flagged || text === '' ? undefined : whyNoResource(text);
  if (reason !== undefined) return { kind: 'none', what: reason };
  const requested = { ...question, ...merged(question, flagged?.filters), text };
  const resource = parseResource(text);
  const shown = text === written ? '' : `, ${text}`;
  const details = [
    text === '' ? 'flags without a term' : `${kindOf(text, resource)}${shown}`,
    inside && `which contains ${inside}`,
    ...filterTexts(requested),
    flagged && flagged.ignored.length > 0 && `without ${flagged.ignored.join(' ')}, which searches here do not have`,
  ];
  return {
    kind: 'search',
    what: written === '' ? '' : details.filter(Boolean).join(', '),
    searches: isMailbox(text) && requested.inverse.length === 0 ? mailboxSearches(requested) : [requested],
    resource: requested.inverse.length === 0 ? resource : undefined,
  };
}

/** The same question about the words of the text; undefined if no such search exists. */
export function wordsOf(question: Question): Question | undefined {
  if (question.asOf !== '' || question.inverse.length > 0) return undefined;
  const { text, types, source } = question;
  return { ...emptyQuestion, text, types, source, by: 'words' };
}

function readWords(question: Question, text: string): SearchInterpretation {
  const what = 'words in names, descriptions, remarks and addresses';
  return { kind: 'search', what, searches: [{ ...question, text }], resource: undefined };
}

/** Finds who gets the mails about abuse at this address, or else whose address it is. */
function mailboxSearches(requested: Question): [Question, Question] {
  return [{ ...requested, inverse: ['abuse-mailbox'] }, requested];
}

function isMailbox(text: string): boolean {
  return /^\S+@\S+\.\S+$/.test(text);
}

/** The number of resources in a list of only resources; 1 or 0 for other texts. */
function resourcesOf(text: string): number {
  if (parseResource(normaliseTerm(text).text) !== undefined) return 1;
  const words = text.split(/[\s,;]+/).filter((word) => word !== '');
  return words.every((word) => parseResource(normaliseTerm(word).text) !== undefined) ? words.length : 0;
}

/** The only address or AS number of a sentence; otherwise the text itself. */
function mentioned(text: string): string {
  if (text.split(/\s+/).length < 3 || parseResource(normaliseTerm(text).text) !== undefined) return text;
  const { resources } = findResources(text);
  return resources.length === 1 ? resources[0]!.text : text;
}

/** Merges the flags of the text with the other filters. */
function merged(filters: Filters, flags: Filters | undefined): Filters {
  if (flags === undefined) return filters;
  return {
    types: [...new Set([...flags.types, ...filters.types])],
    source: flags.source || filters.source,
    inverse: [...new Set([...flags.inverse, ...filters.inverse])],
    level: flags.level || filters.level,
    flags: [...new Set([...flags.flags, ...filters.flags])],
  };
}

const inSentence = (label: string) => label.charAt(0).toLowerCase() + label.slice(1);

function filterTexts({ types, source, inverse, level, flags }: Filters): string[] {
  return [
    inverse.length > 0 ? `named in ${inverse.join(' or ')}` : '',
    types.length > 0 ? `only ${types.join(', ')}` : '',
    level === '' ? '' : inSentence(levelNames[level] ?? level),
    source === '' ? '' : `in ${source.replaceAll(',', ', ')}`,
    ...flags.map((flag) => inSentence(flagNames[flag] ?? flag)),
  ];
}

/** Describes a term, which is a resource of the number space or another text; empty when there is none. */
function kindOf(term: string, resource: Resource | undefined): string {
  if (term === '') return '';
  if (resource === undefined) return forms.find(([form]) => form.test(term))?.[1] ?? 'a name';
  if ('as' in resource) return resource.as.first === resource.as.last ? 'an AS number' : 'a range of AS numbers';
  const family = `IPv${resource.family}`;
  if (resource.first === resource.last) return `an ${family} address`;
  return term.includes('-') ? `an ${family} range, ${formatPrefix(resource)}` : `an ${family} prefix`;
}

const forms: readonly (readonly [RegExp, string])[] = [
  [/\.(in-addr|ip6)\.arpa\.?$/i, 'a reverse domain'],
  [/^\S+@\S+$/, 'an e-mail address'],
  [/^[\d.:a-f]+(\/\d+)?\s?as\d+$/i, 'a route'],
  [/^org-[a-z0-9-]+$/i, 'an organisation'],
  [/^irt-/i, 'an incident response team'],
  [/^(pgpkey|x509)-/i, 'a key certificate'],
  [/(^|:)as-/i, 'a set of AS numbers'],
  [/(^|:)rs-/i, 'a set of routes'],
  [/(^|:)(fltr|prng|rtrs)-/i, 'a set'],
  [/^[a-z0-9-]+-mnt$/i, 'a maintainer'],
  [/^[a-z]{2,4}[1-9][0-9]{0,5}(-[a-z][a-z0-9_-]*)?$/i, 'a contact'],
  [/^[a-z0-9-]+(\.[a-z0-9-]+)+\.?$/i, 'a host name'],
];
