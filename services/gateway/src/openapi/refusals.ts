import { isJson, isTextual } from '../exchange.js';
import type { Target } from '../locator.js';
import { type Content, readContent, textContent, whoisResources, writeContent } from './content.js';
import type { Reference, ResponseObject } from './document-types.js';
import type { Operation } from './operation.js';
import type { ResponseHeader } from './response-headers.js';
import { headerReferences } from './response-headers.js';
import { ref } from './schemas/schema.js';

interface CommonRefusal {
  readonly name: string;
  readonly doc: string;
  readonly headers?: readonly ResponseHeader[];
  /** The shapes that it has; all unless given. */
  readonly families?: readonly Family[];
}

/** What any request may be refused with. */
const commonRefusals: Readonly<Record<number, CommonRefusal>> = {
  400: { name: 'BadRequest', doc: 'The request cannot be understood or processed: a path, a parameter or the body.' },
  401: {
    name: 'Unauthorized',
    doc: 'A credential is wrong, expired or revoked, or there is none where one is needed, or it has not the authority.',
    headers: ['WWW-Authenticate', 'Set-Cookie'],
  },
  403: {
    name: 'Forbidden',
    doc: 'The client is blocked, by the operator or for going on beyond its limits; or a write comes from the page of another site.',
    headers: ['Retry-After'],
  },
  404: { name: 'NotFound', doc: 'There is nothing under this path.', families: ['Read', 'Write'] },
  405: { name: 'MethodNotAllowed', doc: 'The path has other methods than this one.', headers: ['Allow'] },
  413: { name: 'ContentTooLarge', doc: 'The body is too large.', families: ['Write', 'Text'] },
  414: { name: 'UriTooLong', doc: 'The path or the query string is too long.' },
  415: {
    name: 'UnsupportedMediaType',
    doc: 'The media type of Accept or Content-Type is not supported, or missing. Told in XML when Accept asks for nothing that is offered.',
  },
  426: {
    name: 'UpgradeRequired',
    doc: 'Writes and credentials go over HTTPS only. The body was not read.',
    headers: ['Upgrade'],
  },
  429: {
    name: 'TooManyRequests',
    doc: 'A limit was exceeded.',
    headers: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
  },
  500: { name: 'InternalServerError', doc: 'Something unexpected happened.' },
  503: { name: 'ServiceUnavailable', doc: 'What is needed for the answer is away.', headers: ['Retry-After'] },
};

/** In which shapes refusals are told. */
const families = {
  Read: readContent(whoisResources('errormessages')),
  Write: writeContent(whoisResources('errormessages')),
  AbuseContact: readContent(ref('AbuseFailure')),
  Text: textContent,
} satisfies Record<string, Content>;

type Family = keyof typeof families;

function familyOf(kind: Target['kind'], method: string): Family {
  if (kind === 'geolocation' || isTextual(kind)) return 'Text';
  if (kind === 'abuse-contact') return 'AbuseContact';
  // Who does not accept JSON is told so in XML (decision F2).
  return method === 'GET' && !isJson(kind) ? 'Read' : 'Write';
}

/** Every common refusal in every shape, to be referred to. */
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

/** The refusals of an operation by status; of what is no operation, when there is none. */
export function refusalResponses(
  kind: Target['kind'],
  method: string,
  operation?: Operation,
): Record<string, ResponseObject | Reference> {
  const family = familyOf(kind, method);
  const common = Object.entries(commonRefusals)
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
