import { ref } from '@cadastre/rdap/schema';
import type { RouteFacts } from '../route-facts.js';
import { type Content, rdapContent, readContent, textContent, whoisResources, writeContent } from './content.js';
import type { Reference, ResponseObject } from './document-types.js';
import type { Operation } from './operation.js';
import { headerReferences, type ResponseHeader } from './response-headers.js';

interface CommonRefusal {
  readonly name: string;
  readonly doc: string;
  readonly headers?: readonly ResponseHeader[];
  /** The shapes of its document; default: all. */
  readonly families?: readonly Family[];
}

/** The statuses with which the gateway may refuse any request. */
const commonRefusals: Readonly<Record<number, CommonRefusal>> = {
  400: { name: 'BadRequest', doc: 'The path, a parameter, a header or the body is invalid.' },
  401: {
    name: 'Unauthorized',
    doc: 'A credential is wrong, expired or revoked, or a required one is missing, or they do not authorise the request.',
    headers: ['WWW-Authenticate', 'Set-Cookie'],
  },
  403: {
    name: 'Forbidden',
    doc: 'The client is blocked, by the operator or because it exceeded its limits repeatedly; a page of another site sent the write; or the kind of credential is not allowed here.',
    headers: ['Retry-After'],
  },
  404: { name: 'NotFound', doc: 'Unknown path.', families: ['Read', 'Write', 'Rdap'] },
  405: { name: 'MethodNotAllowed', doc: 'The path does not have this method.', headers: ['Allow'] },
  406: {
    name: 'NotAcceptable',
    doc: 'Accept allows neither application/rdap+json nor application/json.',
    families: ['Rdap'],
  },
  413: { name: 'ContentTooLarge', doc: 'The body is too large.', families: ['Write', 'Text'] },
  414: { name: 'UriTooLong', doc: 'The path or the query string is too long.' },
  415: {
    name: 'UnsupportedMediaType',
    families: ['Read', 'Write', 'AbuseContact', 'Text', 'Rdap'],
    doc: 'The media type of Accept or Content-Type is not supported, or missing. The response is XML if Accept allows no format of this path.',
  },
  426: {
    name: 'UpgradeRequired',
    doc: 'Writes and credentials need HTTPS. The body was not read.',
    headers: ['Upgrade', 'Link'],
  },
  429: {
    name: 'TooManyRequests',
    doc: 'The client exceeded a limit.',
    headers: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
  },
  500: { name: 'InternalServerError', doc: 'Unexpected error.' },
  503: {
    name: 'ServiceUnavailable',
    doc: 'A service that the response needs is unavailable, or the gateway is overloaded.',
    headers: ['Retry-After'],
  },
};

/** The shapes of the documents of refusals. */
const families = {
  Rdap: rdapContent('RdapFailure'),
  Read: readContent(whoisResources('errormessages')),
  Write: writeContent(whoisResources('errormessages')),
  AbuseContact: readContent(ref('AbuseFailure')),
  Text: textContent,
} satisfies Record<string, Content>;

type Family = keyof typeof families;

function familyOf({ errors, format }: RouteFacts, method: string): Family {
  if (errors === 'rdap') return 'Rdap';
  if (errors === 'text') return 'Text';
  if (errors === 'abuse-resources') return 'AbuseContact';
  // The refusal of a client that does not accept JSON is XML (decision F2).
  return method === 'GET' && format !== 'json' ? 'Read' : 'Write';
}

/** Every common refusal in every shape, as components. */
export function refusalComponents(): Record<string, ResponseObject> {
  const names = Object.keys(families) as Family[];
  return Object.fromEntries(
    Object.values(commonRefusals).flatMap((refusal) =>
      (refusal.families ?? names).map((family) => [
        componentName(refusal, family),
        refusalResponse(refusal, families[family]),
      ]),
    ),
  );
}

/** The refusals of an operation by status; without an operation, those of an unknown path or method. */
export function refusalResponses(
  facts: RouteFacts,
  method: string,
  operation?: Operation,
): Record<string, ResponseObject | Reference> {
  const family = familyOf(facts, method);
  const common = Object.entries(commonRefusals)
    .filter(([, { families = [family] }]) => families.includes(family))
    .filter(([status]) => status !== '404' || operation === undefined)
    .filter(([status]) => status !== '413' || operation?.body !== undefined)
    .map(([status, refusal]) => [status, { $ref: `#/components/responses/${componentName(refusal, family)}` }]);
  const own = Object.entries(operation?.refusals ?? {}).map(([status, doc]) => [
    status,
    refusalResponse({ doc }, families[family]),
  ]);
  return Object.fromEntries([...common, ...own]);
}

function componentName({ name }: CommonRefusal, family: Family): string {
  return `${name}${family}`;
}

function refusalResponse({ doc, headers }: Omit<CommonRefusal, 'name'>, content: Content): ResponseObject {
  return { description: doc, ...(headers === undefined ? {} : { headers: headerReferences(headers) }), content };
}
