import type { RegistryObject } from '@cadastre/proto/registry';
import { pageSize, type SearchKind } from '@cadastre/rdap';
import type { ObjectTypeName } from '@cadastre/rpsl';
import type { Context } from '../context.js';
import { HttpError } from '../errors.js';
import { chargeReads } from '../limits/exceeded.js';
import { rdapContent } from '../openapi/content.js';
import { parameter, type TextParameter } from '../parameters.js';
import { clientGone } from '../reply/reply-end.js';
import { messages } from '../ripe-messages.js';
import type { PathParameters, Resource, Route } from '../route.js';
import { pagingQuery, requestedPage, wantsTotal } from './paging.js';
import { rdapDialect } from './registry.js';
import { type FoundPage, searchReply, searchSchemas } from './search-reply.js';

/** A comparison of a parameter. */
interface Comparison {
  readonly types: readonly ObjectTypeName[];
  readonly ofKeys: boolean;
  readonly doc: string;
  /** Only one parameter of a search has an example, because a request has only one. */
  readonly example?: string;
  /** Converts the text of a request to the beginning of a key. */
  readonly keyOf?: (text: string) => string;
}

/** A search of RFC 9082 or 9910. */
interface NameSearch {
  readonly kind: SearchKind;
  readonly id: string;
  readonly summary: string;
  readonly by: Readonly<Record<string, Comparison>>;
  /** Whether a text without wildcards is the beginning of a name, not a complete one (queries.md 11.1). */
  readonly findsBeginnings: boolean;
  /** Parameters of RFC 9082 that this registry does not support. */
  readonly unanswered?: readonly string[];
}

type TextParameters = Readonly<Record<string, TextParameter>>;

/** GET of the objects whose name or handle matches a pattern: RFC 9082 section 3.2, RFC 9910. */
export function nameSearch({ kind, id, summary, by, findsBeginnings, unanswered = [] }: NameSearch): Resource {
  const names = [...Object.keys(by), ...unanswered];
  const route: Route<PathParameters, TextParameters> = {
    id,
    tag: 'RDAP',
    summary: `${summary} by RDAP`,
    doc: `Returns up to ${pageSize} objects whose name or handle matches a pattern, in the order of these; the request has exactly one of the parameters. \`*\` matches any characters, at most twice, and \`?\` one; at least two characters precede the first of them. Letter case does not matter, nor do accents in names. With more results, \`paging_metadata\` has a link to the next page (RFC 8977). Each person counts as one that the client has seen; persons among the contacts of the objects are only a handle and a link.`,
    query: { ...parametersOf(by, unanswered), ...pagingQuery },
    success: { doc: 'The objects.', content: rdapContent(searchSchemas[kind]) },
    refusals: { 404: 'No match.', 501: 'This registry has no data of this kind.' },
    credentials: 'optional',
    showsObjects: true,
    handler: async (context, request, reply) => {
      const { id: requestId, query, limitedClient } = request;
      const [name, ...others] = names.filter((one) => query[one] !== '');
      if (name === undefined || others.length > 0) throw new HttpError(400, messages.oneParameterExpected(names));
      const comparison = by[name];
      if (comparison === undefined) throw new HttpError(501, messages.notServed(name));
      const { types, ofKeys, keyOf = asIs } = comparison;
      const text = keyOf(query[name]!);
      const requested = requestedPage(query);
      const question = {
        source: '',
        types: [...types],
        ofKeys,
        pattern: findsBeginnings && !/[*?]/.test(text) ? `${text}*` : text,
        client: limitedClient.id,
        unfiltered: true,
      };
      const onProcessing = chargeReads(context, limitedClient);
      const call = { requestId, signal: clientGone(reply), onProcessing };
      const found = await findNames(
        context,
        { ...question, cursor: requested.cursor, withTotal: wantsTotal(query) },
        call,
      );
      return searchReply(context, request, reply, { kind, requested }, found);
    },
  };
  return { ...rdapDialect, name: `rdap-${kind}`, url: `/rdap/${kind}`, load: 'search', GET: route };
}

const asIs = (text: string) => text;

function parametersOf(by: NameSearch['by'], unanswered: readonly string[]): TextParameters {
  const parameters: Record<string, TextParameter> = {};
  for (const [name, { doc, example }] of Object.entries(by)) {
    parameters[name] = parameter.text(doc, example === undefined ? {} : { example });
  }
  for (const name of unanswered) parameters[name] = parameter.text('Refused: this registry has no such data.');
  return parameters;
}

/** The search service compares a limited number of names in each of these calls. */
const maxCalls = 10;

/** A page with this many characters of objects is large enough. */
const enoughCharacters = 1024 * 1024;

type Requested = Omit<Parameters<Context['search']['searchNames']>[0], 'limit'>;

interface Call {
  readonly requestId: string;
  readonly signal: AbortSignal;
  onProcessing(ms: number | undefined): void;
}

/**
 * A page of objects, within the deadline of a search. Throws an HttpError (400) for a pattern whose beginning many
 * names share, but whose rest hardly any matches.
 */
async function findNames(
  { search, settings }: Context,
  { withTotal, ...requested }: Requested,
  { onProcessing, ...call }: Call,
): Promise<FoundPage> {
  const end = performance.now() + settings.deadlines.search;
  const objects: RegistryObject[] = [];
  let characters = 0;
  let next = requested.cursor;
  let total: number | undefined;
  for (let calls = 0; calls < maxCalls; calls++) {
    const limit = pageSize - objects.length;
    const page = await search.searchNames(
      { ...requested, cursor: next, limit, withTotal: withTotal && calls === 0 },
      { ...call, deadlineMs: Math.max(1, Math.ceil(end - performance.now())) },
    );
    onProcessing(page.processingMs);
    for (const object of page.objects) characters += object.text.length;
    objects.push(...page.objects);
    next = page.cursor;
    if (page.total !== undefined) total = Number(page.total);
    if (next.length === 0 || objects.length >= pageSize || characters >= enoughCharacters) break;
  }
  if (objects.length === 0 && next.length > 0) throw new HttpError(400, messages.patternTooWide());
  return { objects, next, total };
}
