import { type Message, Severity } from '@cadastre/proto/registry';
import { messages } from '@cadastre/rpsl';
import { failureMessage, wireMessage } from '@cadastre/service';

/** A message of the query engine: these end with a newline. */
function engine(lines: readonly string[], args: string[] = []): Message {
  return failureMessage(`${lines.join('\n')}\n`, args);
}

/** The errors of queries (RIPE REST dialect, message templates of the query engine; decision F6). */
export const queryMessages = {
  invalidSource: (source: string) => wireMessage(messages.invalidSource(source)),
  emptyQuery: () => failureMessage("Query param 'query-string' cannot be empty"),
  flagsInQuery: () => failureMessage("Flags are not allowed in 'query-string'"),
  invalidFlag: (letter: string, value: string) =>
    failureMessage("Invalid search flag '%s' (in parameter '%s')", [letter, value]),
  invalidCursor: () => failureMessage("Invalid value in parameter 'cursor'"),
  invalidFilter: () =>
    failureMessage("Invalid value in parameter 'contains': %s to %s printable characters are expected", ['2', '64']),
  notFiltered: () =>
    failureMessage(
      "Parameter 'contains' is only for inverse searches of one source; it has no 'offset', and 'limit' is at least 1",
    ),
  filterStopped: (compared: number) =>
    failureMessage(
      "'contains' has compared %s objects and more follow: continue with the next page",
      [compared],
      Severity.SEVERITY_INFO,
    ),
  disallowedFlag: (name: string) => failureMessage("Disallowed search flag '%s'", [name]),
  noEntries: (sources: readonly string[]) => wireMessage(messages.noEntries(sources)),
  notIndexed: (source: string) =>
    failureMessage('Source %s cannot be searched yet: its index is being built.', [source], Severity.SEVERITY_WARNING),
  noSetName: (name: string) => failureMessage("'%s' is not the name of an as-set, route-set or rtr-set", [name]),
  unknownType: (name: string) => engine(["ERROR:103: unknown object type '%s'"], [name]),
  unknownAttribute: (name: string) =>
    engine(['ERROR:104: unknown attribute', '', '"%s" is not a known attribute.'], [name]),
  notSearchable: (name: string) =>
    engine(['ERROR:105: attribute is not searchable', '', '"%s" is not an inverse searchable attribute.'], [name]),
  noKey: () => engine(['ERROR:106: no search key specified', '', 'No search key specified']),
  repeatedFlag: (flag: string) =>
    engine(['ERROR:110: multiple use of flag', '', 'The flag "%s" cannot be used multiple times.'], [flag]),
  invalidOption: (...reason: string[]) =>
    engine(
      [
        ...reason.flatMap(() => ['%s', '']),
        'ERROR:111: invalid option supplied',
        '',
        'Use help query to see the valid options.',
      ],
      reason,
    ),
  unknownCharset: (name: string) => engine(['Invalid character set %s'], [name]),
  conflictingFlags: (one: string, other: string) =>
    engine(
      ['ERROR:109: invalid combination of flags passed', '', 'The flags "%s" and "%s" cannot be used together.'],
      [one, other],
    ),
  tooWide: () =>
    engine([
      'ERROR:112: unsupported query',
      '',
      "'-mM' query options are not allowed on very large ranges/prefixes.",
      "Export the source's objects instead.",
    ]),
  invalidKey: () =>
    engine(['ERROR:115: invalid search key', '', 'Search key entered is not valid for the specified object type(s)']),
  tooManyWords: () => engine(['ERROR:118: too many arguments supplied', '', 'Too many arguments supplied.']),
  tooManyWordsToFind: (max: number) => failureMessage('At most %s words can be searched for', [max]),
  tooLong: (max: number) => failureMessage('The search text is longer than %s characters', [max]),
  shortPattern: (least: number) =>
    failureMessage('At least %s characters must come before the first wildcard', [least]),
  tooManyWildcards: (max: number) => failureMessage("At most %s wildcards '*' can be searched for", [max]),
  credentialSearch: () => engine(["Inverse search on 'auth' attribute is limited to 'key-cert' objects only"]),
  notInThePast: () =>
    engine([
      'ERROR:112: unsupported query',
      '',
      "With 'as-of' a search finds address space and keys of types that have no names, without tags, -B and rules of",
      "syntax, and a serial is one of a single source. Name the types ('type-filter'), or look up objects by their keys.",
    ]),
  notInverseInThePast: () =>
    engine(['ERROR:112: unsupported query', '', "Inverse searches are not available with 'as-of'."]),
  tooLargeForThePast: () =>
    engine(['ERROR:112: unsupported query', '', 'The objects of the past are too large: look them up one by one.']),
  duplicateModes: () =>
    engine([
      'ERROR:901: duplicate IP flags passed',
      '',
      'More than one IP flag (-l, -L, -m, -M or -x) passed to the server.',
    ]),
  uselessFlag: (): Message => ({
    ...engine([
      'WARNING:902: useless IP flag passed',
      '',
      'An IP flag (-l, -L, -m, -M, -x, -d or -b) used without an IP key.',
    ]),
    severity: Severity.SEVERITY_WARNING,
  }),
};
