import { list, object, oneOf, ref, type Schema, type Shape, text } from '@cadastre/rdap/schema';
import { abuseContact } from './whois-resources-schema.js';

const resourceRoute = object(
  'A registered route.',
  {
    prefix: text('Its prefix.', { examples: ['192.0.2.0/24'] }),
    origin: text('Its origin.', { examples: ['AS64500'] }),
  },
  { roa: oneOf('Its ROA state (RFC 6811); absent when it is unknown.', ['valid', 'invalid', 'not-found']) },
);

const resourceDescription = object(
  'The description of a resource.',
  {
    resource: text('The resource as sent.', { examples: ['192.0.2.77'] }),
    routes: list(ref('ResourceRoute', resourceRoute), {
      description: 'The routes of the longest registered prefix that contains it; at most ten.',
    }),
  },
  {
    network: object('The object that registers it, or encloses it; absent when it is not registered.', {
      source: text('Its source.', { examples: ['TEST'] }),
      type: text('Its type.', { enum: ['inetnum', 'inet6num', 'aut-num'] }),
      key: text('Its key.', { examples: ['192.0.2.0 - 192.0.2.255'] }),
      name: text('Its `netname` or `as-name`; may be empty.', { examples: ['EXAMPLE-NET'] }),
      countries: list(text('A country code.', { examples: ['NL'] }), {
        description: 'Its countries, or those of the organisation that holds it.',
      }),
    }),
    'resource-holder': object('The organisation that holds it.', {
      key: text('Key of the organisation.', { examples: ['ORG-EX1-TEST'] }),
      name: text('Its name.'),
    }),
    'abuse-contact': ref('AbuseContact', abuseContact),
    error: text('Why the lookup failed.'),
  },
);

/** The result of a bulk lookup for one resource. */
export type DescribedResource = Shape<typeof resourceDescription>;
/** A registered route. */
export type DescribedRoute = Shape<typeof resourceRoute>;

/** The list of a bulk lookup and its result. */
export const resourceDescriptionSchemas: Readonly<Record<string, Schema>> = {
  ResourceList: object('Resources to look up.', {
    resources: list(text('An address, a prefix, an IPv4 range or an AS number.'), { minItems: 1, maxItems: 10_000 }),
  }),
  ResourceDescriptions: object('Descriptions of resources.', {
    resources: list(ref('ResourceDescription'), { description: 'One for each resource, in the same order.' }),
  }),
  ResourceDescription: resourceDescription,
  ResourceRoute: resourceRoute,
};

/** The beginning of a document of descriptions, the form of each one, and the end. */
interface Form {
  readonly head: string;
  readonly row: (one: DescribedResource) => string;
  readonly between: string;
  readonly tail: string;
}

const columns: readonly (readonly [name: string, value: (one: DescribedResource) => string | undefined])[] = [
  ['resource', ({ resource }) => resource],
  ['network', ({ network }) => network?.key],
  ['name', ({ network }) => network?.name],
  ['country', ({ network }) => network?.countries.join(' ')],
  ['holder', ({ 'resource-holder': holder }) => holder?.name],
  ['holder-key', ({ 'resource-holder': holder }) => holder?.key],
  ['abuse-email', ({ 'abuse-contact': contact }) => contact?.email],
  ['abuse-suspect', ({ 'abuse-contact': contact }) => contact && String(contact.suspect)],
  ['prefix', ({ routes }) => routes[0]?.prefix],
  ['origin', ({ routes }) => routes.map(({ origin }) => origin).join(' ')],
  ['roa', ({ routes }) => routes.map(({ roa = 'unknown' }) => roa).join(' ')],
  ['error', ({ error }) => error],
];

/** The forms of a document by their media types. The first one is the default. */
const forms = {
  'application/json': { head: '{"resources":[\n', row: (one) => JSON.stringify(one), between: ',\n', tail: '\n]}\n' },
  'application/x-ndjson': { head: '', row: (one) => JSON.stringify(one), between: '\n', tail: '\n' },
  'text/csv': {
    head: `${columns.map(([name]) => name).join(',')}\r\n`,
    row: (one) => columns.map(([, value]) => csvCell(value(one) ?? '')).join(','),
    between: '\r\n',
    tail: '\r\n',
  },
} as const satisfies Readonly<Record<string, Form>>;

export type DescriptionType = keyof typeof forms;
export const descriptionTypes = Object.keys(forms) as DescriptionType[];

/** Renders descriptions batch by batch, as fast as the client reads. */
export async function* renderDescriptions(
  type: DescriptionType,
  batches: AsyncIterable<readonly DescribedResource[]>,
): AsyncGenerator<string> {
  const { head, row, between, tail }: Form = forms[type];
  let start = head;
  for await (const batch of batches) {
    yield start + batch.map(row).join(between);
    start = between;
  }
  yield tail;
}

/** RFC 4180. Spreadsheets would execute a text that begins like a formula: an apostrophe before it prevents that. */
function csvCell(value: string): string {
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
