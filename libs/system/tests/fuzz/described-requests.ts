import { pick, type Random } from './random.js';

/** A request to send. */
export interface FuzzedRequest {
  method: string;
  /** Path and query, octets as characters (latin-1). */
  target: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
}

interface Described {
  method: string;
  path: string;
  parameters: { name: string; in: string; schema: { type?: string; enum?: string[] } }[];
  mediaTypes: string[];
}

interface Description {
  paths: Record<string, Record<string, DescribedOperation>>;
}

interface DescribedOperation {
  parameters: Described['parameters'];
  requestBody?: { content: object };
}

/** Valid objects, and their names for paths and queries. */
export interface Material {
  /** RPSL texts. */
  texts: readonly string[];
  /** Type and key of existing objects. */
  names: readonly { type: string; key: string }[];
  credential: string;
}

/** The operations of the description, each with the same probability. */
export function describedOperations({ paths }: Description): Described[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters, requestBody }]) => ({
      method: method.toUpperCase(),
      path,
      parameters,
      mediaTypes: Object.keys(requestBody?.content ?? {}),
    })),
  );
}

/** A request that follows the description. */
export function describedRequest(random: Random, operations: Described[], material: Material): FuzzedRequest {
  const { method, path, parameters, mediaTypes } = pick(random, operations);
  const name = pick(random, material.names);
  const value = (parameter: string) => encodeURIComponent(pathValue(random, parameter, name));
  const filled = path.replace(/\{(\w+)\}/g, (_, parameter: string) => value(parameter));
  const query = parameters.filter((one) => one.in === 'query' && random(3) === 0).map((one) => queryPair(random, one));
  const mediaType = mediaTypes.length === 0 ? undefined : pick(random, mediaTypes);
  const body = mediaType === undefined ? undefined : Buffer.from(bodyOf(random, mediaType, path, material));
  return {
    method,
    target: query.length === 0 ? filled : `${filled}?${query.join('&')}`,
    headers: {
      accept: pick(random, ['application/json', 'application/xml', 'text/plain', '*/*']),
      ...(mediaType === undefined ? {} : { 'content-type': mediaType }),
      ...headersOf(random, parameters),
      ...(method !== 'GET' || random(3) === 0 ? { authorization: `Basic ${material.credential}` } : {}),
    },
    body,
  };
}

function pathValue(random: Random, parameter: string, name: { type: string; key: string }): string {
  switch (parameter) {
    case 'source':
      return pick(random, ['TEST', 'TEST', 'TEST', 'test', 'NOWHERE']);
    case 'objectType':
      return name.type;
    case 'key':
      return name.key;
    case 'version':
      return String(1 + random(3));
    case 'resource':
      return pick(random, ['192.0.2.77', '192.0.2.0/24', '192.0.2.0 - 192.0.2.255', '2001:db8::1', 'AS64500']);
    default:
      return pick(random, ['start.js', 'x']);
  }
}

const queryValues: Record<string, readonly string[]> = {
  'query-string': ['192.0.2.77', '2001:db8::/32', 'AS64500', 'EXAMPLE-MNT', 'AE1-TEST', 'Example', '0/0', 'AS-EXAMPLE'],
  source: ['TEST'],
  'inverse-attribute': ['mnt-by', 'admin-c', 'org', 'origin', 'auth', 'tech-c,admin-c'],
  'type-filter': ['person', 'inetnum', 'route,route6', 'mntner', 'aut-num'],
  flags: ['no-referenced', 'rB', 'L', 'm', 'no-filtering', 'x', 'c', 'no-personal'],
  ipkey: ['192.0.2.77', '2001:db8::1'],
  key: ['192.0.2.77'],
  return: ['/session', '/'],
};

function queryPair(random: Random, { name, schema }: Described['parameters'][number]): string {
  const value =
    schema.type === 'boolean'
      ? pick(random, ['', 'true', 'false'])
      : schema.type === 'integer'
        ? String(random(20))
        : pick(random, queryValues[name] ?? ['x']);
  return `${name}=${encodeURIComponent(value)}`;
}

const headerValues: Record<string, readonly string[]> = {
  'If-Match': [
    '*',
    '"x"',
    '',
    `"1-0-${'A'.repeat(27)}"`,
    `W/"4294967295-zzzzzzzzzz-${'A'.repeat(27)}"`,
    '"99999999999-0-A"',
  ],
  'Idempotency-Key': ['k', '"k"', '"another \\" key"', '', '"', 'k'.repeat(256), 'one, two'],
  'Accept-Datetime': ['Thu, 01 Jan 2026 00:00:00 GMT', 'yesterday'],
};

function headersOf(random: Random, parameters: Described['parameters']): Record<string, string> {
  const sent = parameters.filter(({ name }) => name in headerValues && random(3) === 0);
  return Object.fromEntries(sent.map(({ name }) => [name.toLowerCase(), pick(random, headerValues[name]!)]));
}

function bodyOf(random: Random, mediaType: string, path: string, { texts }: Material): string {
  const text = pick(random, texts);
  if (path === '/api-keys') return JSON.stringify({ name: 'fuzz', expires: '2020-01-01' });
  if (path === '/bulk-lookup' && mediaType === 'application/json') {
    return JSON.stringify({ resources: ['192.0.2.77', '2001:db8::/32', 'AS64500', text.slice(0, 50)] });
  }
  if (path === '/webhooks') return JSON.stringify({ url: 'https://hooks.example.net/', source: 'NOWHERE' });
  if (path.startsWith('/webhooks/')) return JSON.stringify({ test: true });
  const several = /^\/(references|batch)/.test(path) ? [text, pick(random, texts)] : [text];
  const members = path.startsWith('/batch') ? pick(random, batchMembers) : {};
  switch (mediaType) {
    case 'application/json':
      return JSON.stringify({
        objects: { object: several.map((one) => ({ ...members, attributes: { attribute: attributesOf(one) } })) },
      });
    case 'application/xml': {
      const objects = several.map((one) => xmlObject(one, { type: 'x', ...members })).join('');
      return `<?xml version="1.0" encoding="UTF-8"?>\n<whois-resources><objects>${objects}</objects></whois-resources>`;
    }
    case 'application/x-www-form-urlencoded':
      return new URLSearchParams({ DATA: text }).toString();
    case 'multipart/form-data':
      return `--x\r\nContent-Disposition: form-data; name="DATA"\r\n\r\n${text}\r\n--x--\r\n`;
    default:
      return text;
  }
}

function attributesOf(text: string): { name: string; value: string }[] {
  return text
    .trimEnd()
    .split(/\n(?![ \t+])/)
    .map((line) => ({
      name: line.slice(0, line.indexOf(':')),
      value: line.slice(line.indexOf(':') + 1).trim(),
    }));
}

/** What objects of a batch may contain besides their attributes. */
const batchMembers: readonly Record<string, string>[] = [
  {},
  { action: 'DELETE' },
  { 'if-none-match': '*' },
  ...headerValues['If-Match']!.map((value) => ({ 'if-match': value })),
  { action: 'DELETE', 'if-match': '"x"', 'if-none-match': 'x' },
];

function xmlObject(text: string, members: Readonly<Record<string, string>>): string {
  const escaped = (value: string) => value.replace(/[<&"\n]/g, (character) => `&#${character.charCodeAt(0)};`);
  const attributes = attributesOf(text).map(
    ({ name, value }) => `<attribute name="${escaped(name)}" value="${escaped(value)}"/>`,
  );
  const more = Object.entries(members).map(([name, value]) => `${name}="${escaped(value)}"`);
  return `<object ${more.join(' ')}><attributes>${attributes.join('')}</attributes></object>`;
}
