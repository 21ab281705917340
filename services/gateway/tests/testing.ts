import { faultsOf, headerFaultsOf } from '@cadastre/rdap/testing';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { canonicalUrl } from '../src/canonical-url.js';
import { describedPath, describeInterface } from '../src/openapi/describe-interface.js';
import type { PathItem, Reference, ResponseObject } from '../src/openapi/document-types.js';
import { refusalResponses } from '../src/openapi/refusals.js';
import { rdapMediaType } from '../src/reply/negotiate.js';
import { targetOf } from '../src/routes.js';

/** A response that a test received, and its request. */
export interface SeenResponse {
  readonly method: string;
  /** Path with query, as it was sent. */
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

const root = 'interface';
const document = describeInterface('0');
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(closed(document) as object, root);

/**
 * Throws when a response does not match the description of the interface: its status, its media type, and the members
 * of JSON. Members without a description do not match. Answers of RDAP must also pass its own checks.
 */
export function checkResponse(seen: SeenResponse): void {
  const fault = faultOf(seen) ?? rdapFaultOf(seen);
  if (fault === undefined) return;
  throw new Error(`${seen.method} ${seen.path}: ${seen.status} is not as described: ${fault}\n${seen.text}`);
}

function faultOf({ method, path, status, headers, text }: SeenResponse): string | undefined {
  const routed = routeAt(path);
  const { resource } = routed;
  if (method === 'OPTIONS' && status === 200 && resource) return text === '' ? undefined : 'a body';
  // All methods that read get the same refusals.
  const described = responseOf(routed, method === 'HEAD' || method === 'OPTIONS' ? 'GET' : method, status);
  if (described === undefined) return 'no such status';
  const { response, pointer } = described;
  if (response.content === undefined) return text === '' ? undefined : 'a body';
  const type = String(headers['content-type'] ?? '').split(';')[0]!;
  if (response.content[type] === undefined)
    return response.content['*/*'] === undefined ? `media type ${type}` : undefined;
  return /[/+]json$/.test(type) && method !== 'HEAD'
    ? faultOfJson(`${pointer}/content/${escaped(type)}/schema`, text)
    : undefined;
}

function rdapFaultOf({ headers, text }: SeenResponse): string | undefined {
  if (headers['content-type'] !== rdapMediaType) return undefined;
  const [fault] = [...headerFaultsOf(headers), ...(text === '' ? [] : faultsOf(JSON.parse(text)))];
  return fault;
}

function responseOf({ resource, facts }: Routed, method: string, status: number) {
  const path = resource && describedPath(resource);
  const operation = path && document.paths[path]?.[method.toLowerCase() as keyof PathItem];
  const found = (operation ? operation.responses : refusalResponses(facts, method))[status];
  if (found === undefined) return undefined;
  if ('$ref' in found) return { response: componentOf(found), pointer: found.$ref };
  return { response: found, pointer: `#/paths/${escaped(path!)}/${method.toLowerCase()}/responses/${status}` };
}

/** The target of a URL. */
type Routed = ReturnType<typeof targetOf>;

/** The resource of a URL, with the parameters of its path; none when there is none. */
export function routeAt(url: string): Routed {
  return targetOf(canonicalUrl(url).routed);
}

function componentOf({ $ref }: Reference): ResponseObject {
  return document.components.responses[$ref.slice($ref.lastIndexOf('/') + 1)]!;
}

function faultOfJson(pointer: string, text: string): string | undefined {
  const validate = ajv.getSchema(`${root}${pointer}`) as ValidateFunction;
  try {
    return validate(JSON.parse(text)) ? undefined : ajv.errorsText(validate.errors);
  } catch (error) {
    return String(error);
  }
}

/** In a URI fragment, too. */
function escaped(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
}

/** A copy in which objects have only described members. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, closed(member)]));
  return copy.type === 'object' && copy.properties ? { ...copy, additionalProperties: false } : copy;
}
