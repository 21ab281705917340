import { objectTypeNames } from '@cadastre/rpsl';
import { bounds } from './bounds.js';
import { get, post, repeated } from './documents.js';
import { bulk, type Outcome, type Row, rowsOf, type Sender, small } from './row.js';
import type { Sent } from './send.js';

const longest = bounds.urlBytes - 400;

/** The parts of long names, addresses and numbers. */
const pieces = [
  'A',
  'A ',
  'A-',
  'a.',
  '1',
  '1.',
  '1.1.1.1-',
  '1.1.1.1/',
  'f:',
  '::',
  ':',
  'AS1',
  'AS1:',
  'AS-A:',
  'AS1 - ',
  '-',
  ',',
  '(',
  '*',
  '%',
  '_',
  "'",
  '\\',
  'é',
  '漢',
  '-B ',
  '0',
  '%2F',
];

const formats = ['application/json', 'application/xml', 'text/plain'];

/** The rows of reads. */
export function readRows(): Row[] {
  return (['anonymous', 'maintainer'] as const).flatMap((sender) => [
    ...lookups(sender),
    ...searches(sender),
    ...changes(sender),
    ...resources(sender),
    ...rdap(sender),
    ...accounts(sender),
    ...pages(sender),
    ...requests(sender),
  ]);
}

function lookups(sender: Sender): Row[] {
  const lookup = rowsOf('GET /{source}/{objectType}/{key}', sender);
  const versions = rowsOf('GET /{source}/{objectType}/{key}/versions', sender);
  const version = rowsOf('GET /{source}/{objectType}/{key}/versions/{version}', sender);
  const timemap = rowsOf('GET /{source}/{objectType}/{key}/versions/timemap', sender);
  const template = rowsOf('GET /metadata/templates/{objectType}', sender);
  const [shortest = ''] = pieces;
  return [
    lookup(
      'long keys of every type',
      () => pieces.flatMap((piece) => objectTypeNames.map((type) => get(`/TEST/${type}/${keyOf(piece)}`))),
      { outcome: 'refused' },
    ),
    lookup('a long source', () => get(`/${keyOf(shortest)}/person/AE1-TEST`), { outcome: 'refused' }),
    lookup('a long type', () => get(`/TEST/${keyOf(shortest)}/AE1-TEST`), { outcome: 'refused' }),
    lookup('many segments', () => get(`/TEST/person${repeated('/a', longest)}`), { outcome: 'refused' }),
    ...formats.map((accept) =>
      lookup(
        `the largest object as ${accept}`,
        () => get('/TEST/person/BIG1-TEST?unfiltered&unformatted', { accept }),
        {
          outcome: 'taken',
          budget: { held: 200, spent: 400 },
        },
      ),
    ),
    lookup('the object with most attributes', () => get('/TEST/person/BIG2-TEST?unfiltered'), {
      outcome: 'taken',
      budget: { held: 200, spent: 400 },
    }),
    versions('long keys', () => pieces.map((piece) => get(`/TEST/inetnum/${keyOf(piece)}/versions`)), {
      outcome: 'refused',
    }),
    versions('versions segments', () => get(`/TEST/person${repeated('/versions', longest)}`), { outcome: 'refused' }),
    version('a long number', () => get(`/TEST/person/AE1-TEST/versions/${repeated('9', longest)}`), {
      outcome: 'refused',
    }),
    version('a version of the largest object', () => get('/TEST/person/BIG1-TEST/versions/1?unformatted'), {
      outcome: 'taken',
      budget: { held: 200, spent: 400 },
    }),
    lookup('a long moment', () => get(`/TEST/person/AE1-TEST?as-of=${repeated('2026', longest)}`), {
      outcome: 'refused',
    }),
    timemap('versions of the largest object', () => get('/TEST/person/BIG1-TEST/versions/timemap'), {
      outcome: 'taken',
    }),
    timemap('long keys', () => pieces.map((piece) => get(`/TEST/inetnum/${keyOf(piece)}/versions/timemap`)), {
      outcome: 'refused',
    }),
    template('a long type', () => get(`/metadata/templates/${keyOf(shortest)}`), { outcome: 'refused' }),
    ...objectTypeNames
      .slice(0, 1)
      .map((type) => template('the longest', () => get(`/metadata/templates/${type}?verbose`))),
    rowsOf('GET /metadata/sources', sender)('as it is', () => get('/metadata/sources'), { outcome: 'taken' }),
    rowsOf('GET /metadata/limits', sender)('as it is', () => get('/metadata/limits'), { outcome: 'taken' }),
  ];
}

/** Streams end with their clients, so only refused ones have a price. */
function changes(sender: Sender): Row[] {
  const stream = rowsOf('GET /{source}/changes', sender, { outcome: 'refused' });
  return [
    ...['type-filter', 'operation', 'maintainer', 'within'].map((name) =>
      stream(`a long list: ${name}`, () => get(`/TEST/changes?${name}=${repeated('a,', longest)}`)),
    ),
    stream('a long pattern', () => get(`/TEST/changes?key=${repeated('*a', longest)}`)),
    stream('a long serial', () => get(`/TEST/changes?after=${repeated('9', longest)}`)),
    stream('long ranges', () => pieces.map((piece) => get(`/TEST/changes?within=${keyOf(piece)}`))),
  ];
}

function searches(sender: Sender): Row[] {
  const search = rowsOf('GET /search', sender);
  const counts = rowsOf('GET /search/counts', sender);
  const words = rowsOf('GET /search/words', sender);
  const suggestions = rowsOf('GET /search/suggestions', sender);
  const expansion = rowsOf('GET /search/expansion', sender);
  const prefixes = rowsOf('GET /{source}/{setType}/{set}/expanded', sender);
  const line = rowsOf('GET /v1/whois', sender);
  const space = rowsOf('GET /search/space', sender);
  const filled = (name: string, value: string) => repeated(`&${name}=${value}`, 190 * (name.length + value.length + 2));
  const inverse = [
    'mnt-by',
    'admin-c',
    'e-mail',
    'auth',
    'origin',
    'org',
    'notify',
    'member-of',
    'nserver',
    'fingerpr',
  ];
  return [
    search('long terms', () => pieces.map((piece) => get(`/search?query-string=${keyOf(piece)}`))),
    search('long values of inverse attributes', () =>
      pieces.flatMap((piece) =>
        inverse.map((name) => get(`/search?inverse-attribute=${name}&query-string=${keyOf(piece)}`)),
      ),
    ),
    ...['type-filter', 'inverse-attribute', 'flags', 'source', 'include-tag', 'exclude-tag'].flatMap((name) => [
      search(`a long list: ${name}`, () => get(`/search?query-string=AE1-TEST&${name}=${repeated('a,', longest)}`)),
      search(`a long value: ${name}`, () => get(`/search?query-string=AE1-TEST&${name}=${repeated('a', longest)}`)),
      search(`many values: ${name}`, () => get(`/search?query-string=AE1-TEST${filled(name, 'person')}`)),
    ]),
    search('many flags', () => get(`/search?query-string=AE1-TEST&flags=${repeated('rBxlLmMcCKGbdI', longest)}`)),
    search('every inverse attribute', () =>
      get(
        `/search?query-string=EXAMPLE-MNT&inverse-attribute=${inverse.join()}&flags=no-filtering&flags=no-referenced`,
      ),
    ),
    ...['0.0.0.0/0', '::/0', '0.0.0.0/1', 'AS0 - AS4294967295'].flatMap((term) =>
      ['all-more', 'all-less', 'one-more', 'exact'].map((flag) =>
        search(`${term}, ${flag}`, () => get(`/search?query-string=${encodeURIComponent(term)}&flags=${flag}`), {
          budget: { held: 400, spent: 3000 },
        }),
      ),
    ),
    search(
      'everything annotated',
      () =>
        get(
          '/search?query-string=0.0.0.0/0&flags=all-more&resource-holder&abuse-contact&managed-attributes&roa-check&flags=c',
        ),
      { budget: { held: 600, spent: 4000 } },
    ),
    search('long numbers', () =>
      get(`/search?query-string=AE1-TEST&limit=${repeated('9', 3000)}&offset=${repeated('9', 3000)}`),
    ),
    search('a long serial', () => get('/search?query-string=AE1-TEST', { 'cadastre-serial': repeated('9', 4000) })),
    search('as many parameters as may be', () => get(`/search?${repeated('a=1&', (bounds.parameters - 1) * 4)}a=1`)),
    search('too many parameters', () => get(`/search?${repeated('&', longest)}`), { outcome: 'refused' }),
    counts('every attribute', () =>
      get(
        `/search/counts?query-string=EXAMPLE-MNT&inverse-attribute=${inverse.filter((one) => one !== 'e-mail').join()}`,
      ),
    ),
    counts('a long value', () =>
      inverse.map((name) => get(`/search/counts?inverse-attribute=${name}&query-string=${repeated('a', longest)}`)),
    ),
    ...['type-filter', 'inverse-attribute', 'source'].map((name) =>
      counts(`a long list: ${name}`, () =>
        get(`/search/counts?query-string=AE1-TEST&inverse-attribute=admin-c&${name}=${repeated('a,', longest)}`),
      ),
    ),
    words('common words', () =>
      ['as', 'mnt', 'example network', 'ab cd ef gh ij kl mn op'].map((text) =>
        get(`/search/words?query-string=${encodeURIComponent(text)}&limit=100`),
      ),
    ),
    words('long texts', () => pieces.map((piece) => get(`/search/words?query-string=${keyOf(piece)}`))),
    words('many words', () => get(`/search/words?query-string=${repeated('ab+', longest)}`)),
    words('different words', () =>
      get(`/search/words?query-string=${Array.from({ length: 700 }, (_, n) => `word${n}`).join('+')}`),
    ),
    words('a long cursor', () => get(`/search/words?query-string=example&cursor=${repeated('A', longest)}`)),
    ...['type-filter', 'source'].map((name) =>
      words(`a long list: ${name}`, () => get(`/search/words?query-string=example&${name}=${repeated('a,', longest)}`)),
    ),
    suggestions('short beginnings', () =>
      ['a', 'as', '10', 'ex'].map((text) => get(`/search/suggestions?beginning=${text}&limit=20`)),
    ),
    suggestions('long beginnings', () => pieces.map((piece) => get(`/search/suggestions?beginning=${keyOf(piece)}`))),
    expansion('a set with prefixes', () => get('/search/expansion?set=AS64500:AS-CUSTOMERS&prefixes')),
    expansion('a long name', () => get(`/search/expansion?set=AS-${repeated('a', longest)}`)),
    expansion('a long hierarchical name', () => get(`/search/expansion?set=${repeated('AS-A:', longest)}AS-A`)),
    expansion('a long source', () =>
      get(`/search/expansion?set=AS64500:AS-CUSTOMERS&source=${repeated('a', longest)}`),
    ),
    ...['sources', 'route-sources'].map((name) =>
      expansion(`a long list: ${name}`, () =>
        get(`/search/expansion?set=AS64500:AS-CUSTOMERS&prefixes&${name}=${repeated('TEST,', longest)}`),
      ),
    ),
    prefixes('a set in every form', () =>
      ['', '.txt', '?by=origin', '.txt?by=origin', '?aggregate', '?family=6', '?explain', '.txt?explain'].map((tail) =>
        get(`/TEST/as-set/AS64500:AS-CUSTOMERS/expanded${tail}`),
      ),
    ),
    prefixes('a long name', () => get(`/TEST/as-set/AS-${repeated('a', longest)}/expanded`)),
    prefixes('a long hierarchical name', () => get(`/TEST/as-set/${repeated('AS-A:', longest)}AS-A/expanded`)),
    ...['sources', 'route-sources'].map((name) =>
      prefixes(`a long list: ${name}`, () =>
        get(`/TEST/as-set/AS64500:AS-CUSTOMERS/expanded?${name}=${repeated('TEST,', longest)}`),
      ),
    ),
    prefixes('many excluded sets', () =>
      get(`/TEST/as-set/AS64500:AS-CUSTOMERS/expanded?explain&exclude=${repeated('AS-A,', longest)}`),
    ),
    prefixes('a long source', () =>
      get(`/TEST/as-set/AS64500:AS-CUSTOMERS/expanded?sources=${repeated('a', longest)}`),
    ),
    prefixes('many segments', () => get(`/TEST/as-set${repeated('/expanded', longest)}`), { outcome: 'refused' }),
    line('commands and queries', () =>
      ['!iAS64500:AS-CUSTOMERS,1', '!gAS64500', '-r -M 192.0.2.0/24'].map((text) =>
        get(`/v1/whois?q=${encodeURIComponent(text)}`),
      ),
    ),
    line('a long line', () => get(`/v1/whois?q=${repeated('!', longest)}`), { outcome: 'refused' }),
    space('all addresses', () =>
      ['0.0.0.0/0', '::/0'].map((all) => get(`/search/space?query-string=${all}&parts=256`)),
    ),
    space('long ranges', () => pieces.map((piece) => get(`/search/space?query-string=${keyOf(piece)}`))),
    space('a long source', () => get(`/search/space?query-string=10.0.0.0/8&source=${repeated('a', longest)}`)),
    search('escapes', () => get(`/search?query-string=${repeated('%25', longest)}`)),
    search('broken escapes', () => get(`/search?query-string=${repeated('%', longest)}`)),
  ];
}

function resources(sender: Sender): Row[] {
  const geolocation = rowsOf('GET /geolocation', sender);
  const abuse = rowsOf('GET /abuse-contact/{resource}', sender);
  return [
    geolocation('long addresses', () => pieces.map((piece) => get(`/geolocation?ipkey=${keyOf(piece)}`))),
    abuse('long resources', () => pieces.map((piece) => get(`/abuse-contact/${keyOf(piece)}`))),
    abuse('all addresses', () => get('/abuse-contact/0.0.0.0%2F0')),
    ...bulkLookups(sender),
  ];
}

function rdap(sender: Sender): Row[] {
  const longKeys = (path: string, parameter: string, outcome: Outcome = 'refused') =>
    rowsOf(`GET /rdap/${path}/{${parameter}}`, sender, { outcome })('long keys', () =>
      piecesFor(outcome).map((piece) => get(`/rdap/${path}/${keyOf(piece)}`)),
    );
  const entity = rowsOf('GET /rdap/entity/{handle}', sender, { outcome: 'taken' });
  return [
    longKeys('ip', 'range'),
    longKeys('autnum', 'number'),
    longKeys('domain', 'domain'),
    longKeys('entity', 'handle'),
    longKeys('nameserver', 'hostName', 501),
    longKeys('history/ip', 'range'),
    longKeys('history/autnum', 'number'),
    longKeys('history/domain', 'domain'),
    longKeys('history/entity', 'handle'),
    rowsOf('GET /rdap/history/entity/{handle}', sender, { outcome: 'taken' })(
      'the largest object',
      () => get('/rdap/history/entity/BIG1-TEST'),
      { budget: { held: 200, spent: 400 } },
    ),
    ...relations(sender),
    entity('the largest object', () => get('/rdap/entity/BIG1-TEST'), { budget: { held: 100, spent: 400 } }),
    entity('the object with most attributes', () => get('/rdap/entity/BIG2-TEST'), {
      budget: { held: 100, spent: 400 },
    }),
    rowsOf('GET /rdap/bootstrap/{bootstrapFile}', sender, { outcome: 'refused' })('a long name', () =>
      get(`/rdap/bootstrap/${repeated('a', longest)}`),
    ),
    rowsOf('GET /rdap/help', sender, { outcome: 'taken' })('as it is', () => get('/rdap/help')),
  ];
}

/** Slashes alone are not a key, so that path is not found, also where keys have another outcome. */
function piecesFor(outcome: Outcome): readonly string[] {
  return outcome === 'refused' ? pieces : pieces.filter((piece) => piece !== '%2F');
}

const relationNames = ['rdap-up', 'rdap-top', 'rdap-down', 'rdap-bottom'];

function relations(sender: Sender): Row[] {
  const rows = (kind: string, parameter: string, outcome: Outcome = 'refused') =>
    rowsOf(`GET /rdap/${kind}/rirSearch1/{relation}/{${parameter}}`, sender, { outcome });
  const path = (kind: string, relation: string, key: string) => `/rdap/${kind}/rirSearch1/${relation}/${key}`;
  const longKeys = (kind: string, parameter: string, outcome: Outcome = 'refused') =>
    rows(
      kind,
      parameter,
      outcome,
    )('long keys', () =>
      relationNames.flatMap((name) => piecesFor(outcome).map((piece) => get(path(kind, name, keyOf(piece))))),
    );
  return [
    longKeys('ips', 'range'),
    longKeys('domains', 'domain'),
    longKeys('autnums', 'number', 501),
    rows('ips', 'range')('long relations', () => pieces.map((piece) => get(path('ips', keyOf(piece), '10.0.0.0/8')))),
    rows(
      'ips',
      'range',
      'answered',
    )('all addresses', () =>
      relationNames.flatMap((name) => ['0.0.0.0/0', '::/0'].map((key) => get(path('ips', name, key)))),
    ),
    rows(
      'domains',
      'domain',
      'answered',
    )('large zones', () =>
      relationNames.flatMap((name) => ['192.in-addr.arpa', '2.ip6.arpa'].map((key) => get(path('domains', name, key)))),
    ),
  ];
}

/** The longest lists of resources, and of texts that are none. */
function bulkLookups(sender: Sender): Row[] {
  const path = '/bulk-lookup';
  const max = 512 * 1024;
  const lists = {
    'ten thousand addresses': Array.from({ length: 10_000 }, (_, n) => `192.0.2.${n % 256}`),
    'ten thousand prefixes': Array.from({ length: 10_000 }, (_, n) => `2001:db8:${n.toString(16)}::/48`),
    'all addresses': Array.from({ length: 10_000 }, () => '0.0.0.0/0'),
    'long lines': pieces.map((piece) => repeated(piece, max / pieces.length / 4)),
  };
  return Object.entries(lists).flatMap(([what, list]) => {
    const budget = what === 'long lines' ? small : bulk;
    return [
      rowsOf(`POST ${path}`, sender, { mediaType: 'text/plain', budget })(what, () =>
        post(path, 'text/plain', list.join('\n')),
      ),
      rowsOf(`POST ${path}`, sender, { mediaType: 'application/json', budget })(what, () =>
        post(path, 'application/json', JSON.stringify({ resources: list })),
      ),
    ];
  });
}

function accounts(sender: Sender): Row[] {
  const made = rowsOf('POST /api-keys', sender, { mediaType: 'application/json', outcome: 'refused' });
  const keys = '/api-keys';
  const posted = (body: string): Sent => ({
    method: 'POST',
    target: keys,
    headers: { 'content-type': 'application/json' },
    body,
  });
  return [
    made('a long name', () => posted(JSON.stringify({ name: repeated('a', 4000), expires: '2020-01-01' }))),
    made('nesting', () => posted(repeated('[', 4000))),
    made('five megabytes', () => posted(repeated('[', bounds.bodyBytes))),
    made('a long time', () =>
      posted(JSON.stringify({ name: 'a', expires: `2020-01-01T00:00:00.${repeated('0', 3000)}Z` })),
    ),
    rowsOf('GET /api-keys', sender)('as it is', () => get(keys)),
    rowsOf('DELETE /api-keys/{id}', sender, { outcome: 'refused' })('a long identifier', () => ({
      ...get(`${keys}/${repeated('a', longest)}`),
      method: 'DELETE',
    })),
    ...webhooks(sender),
    rowsOf('GET /session', sender)('a long cookie', () => get('/session', { cookie: longCookie() })),
    rowsOf('GET /session', sender)('many cookies', () => get('/session', { cookie: repeated('a=b; ', 12_000) })),
    rowsOf('DELETE /session', sender)('a long cookie', () => ({
      ...get('/session', { cookie: longCookie() }),
      method: 'DELETE',
    })),
    rowsOf('GET /session/maintainers', sender)('a long cookie', () =>
      get('/session/maintainers', { cookie: longCookie() }),
    ),
    rowsOf('GET /session/space', sender)('as it is', () => get('/session/space')),
    rowsOf('GET /session/login', sender)('a long path to return to', () =>
      get(`/session/login?return=/${repeated('a', longest)}`),
    ),
    rowsOf('GET /session/callback', sender)('long parameters', () =>
      get(`/session/callback?state=${repeated('a', 3000)}&code=${repeated('a', 3000)}`, { cookie: longCookie() }),
    ),
  ];
}

function webhooks(sender: Sender): Row[] {
  const made = rowsOf('POST /webhooks', sender, { mediaType: 'application/json', outcome: 'refused' });
  const sent = (method: string, target: string, body?: object): Sent => ({
    method,
    target,
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const none = `/webhooks/${repeated('a', longest)}`;
  const unknown = { outcome: 'refused' } as const;
  const wanted = { url: 'https://hooks.example.net/', source: 'TEST' };
  const filterOf = (filter: object) => sent('POST', '/webhooks', { ...wanted, source: 'NOWHERE', filter });
  return [
    made('a long URL', () => sent('POST', '/webhooks', { ...wanted, url: `https://${repeated('a', 15_000)}/` })),
    made('many values', () => filterOf({ within: Array.from({ length: 1_000 }, () => '192.0.2.0/24') })),
    made('a key of asterisks', () => filterOf({ key: repeated('*', 3_000) })),
    made('five megabytes', () => ({ ...sent('POST', '/webhooks'), body: repeated('[', bounds.bodyBytes) })),
    rowsOf('GET /webhooks', sender)('as it is', () => get('/webhooks')),
    rowsOf('GET /webhooks/{id}', sender, unknown)('a long identifier', () => get(none)),
    rowsOf('PUT /webhooks/{id}', sender, { ...unknown, mediaType: 'application/json' })('a long identifier', () =>
      sent('PUT', none, wanted),
    ),
    rowsOf('DELETE /webhooks/{id}', sender, unknown)('a long identifier', () => ({ ...get(none), method: 'DELETE' })),
    rowsOf('POST /webhooks/{id}/secret', sender, unknown)('a long identifier', () => sent('POST', `${none}/secret`)),
    rowsOf('GET /webhooks/{id}/attempts', sender, unknown)('a long identifier', () => get(`${none}/attempts`)),
    rowsOf('POST /webhooks/{id}/deliveries', sender, { ...unknown, mediaType: 'application/json' })(
      'a large serial',
      () => sent('POST', `${none}/deliveries`, { after: Number.MAX_SAFE_INTEGER }),
    ),
  ];
}

function pages(sender: Sender): Row[] {
  const any = { accept: '*/*' };
  return [
    rowsOf('GET /openapi.json', sender)('as it is', () => get('/openapi.json'), { outcome: 'taken' }),
    rowsOf('GET /docs', sender)('as it is', () => get('/docs', any), { outcome: 'taken' }),
    ...['confirm', 'unsubscribe'].flatMap((page) => [
      rowsOf(`GET /notifications/${page}/{token}`, sender)('a long token', () =>
        get(`/notifications/${page}/${repeated('a', longest)}`, any),
      ),
      rowsOf(`POST /notifications/${page}/{token}`, sender, { outcome: 'refused' })('a long token and body', () =>
        post(
          `/notifications/${page}/${repeated('a', longest)}`,
          'application/x-www-form-urlencoded',
          repeated('a', bounds.writeCharacters),
        ),
      ),
    ]),
    rowsOf('GET /docs/{file}', sender)('a long name', () => get(`/docs/${repeated('a', longest)}`, any)),
    ...publications(sender),
    rowsOf('GET /', sender)('a long path', () => get(`/-/${repeated('a/', longest)}`, any)),
    rowsOf('GET /', sender)('dots', () => get(`/-/${repeated('../', longest)}`, any)),
  ];
}

function publications(sender: Sender): Row[] {
  const name = repeated('a', longest);
  const refused = { outcome: 'refused' } as const;
  const taken = { outcome: 'taken' } as const;
  const mirroring = rowsOf('GET /nrtmv4/{publishedSource}/{publishedFile}', sender, refused);
  const dump = rowsOf('GET /dumps/{publishedSource}/{dumpFile}', sender, refused);
  const split = rowsOf('GET /dumps/{publishedSource}/split/{dumpFile}', sender, refused);
  const notification = '/nrtmv4/TEST/update-notification-file.jose';
  const whole = '/dumps/test/test.db.gz';
  const tags = { 'if-none-match': repeated('"a",', 12_000) };
  const ranges = { range: `bytes=${repeated('0-1,', 12_000)}2-2` };
  return [
    rowsOf('GET /nrtmv4', sender)('as it is', () => get('/nrtmv4/'), taken),
    mirroring('long names', () => [name, `%2e%2e/${name}`].map((path) => get(`/nrtmv4/EXAMPLE/${path}`))),
    mirroring('the notification', () => get(notification), taken),
    mirroring('the notification, with many entity tags', () => get(notification, tags), taken),
    mirroring('the notification, in many parts', () => get(notification, ranges), taken),
    rowsOf('GET /dumps', sender)('as it is', () => get('/dumps'), taken),
    dump('long names', () => [`a/${name}`, `${name}/a`].map((path) => get(`/dumps/${path}`))),
    dump('all objects', () => get(whole), taken),
    dump('all objects, with many entity tags', () => get(whole, tags), taken),
    dump('all objects, in many parts', () => get(whole, ranges), taken),
    dump('all objects, if it is another one of many', () => get(whole, { 'if-match': tags['if-none-match'] })),
    split('long names', () => [name, repeated('../', longest)].map((path) => get(`/dumps/example/split/${path}`))),
    split('all persons', () => get('/dumps/test/split/test.db.person.gz'), taken),
  ];
}

/** Rows with unusual headers and URLs. */
function requests(sender: Sender): Row[] {
  const lookup = rowsOf('GET /{source}/{objectType}/{key}', sender);
  const sync = rowsOf('POST /syncupdates/{source}', sender, { mediaType: 'text/plain' });
  const path = '/TEST/person/AE1-TEST';
  const name = 'localhost';
  const start = (method: string, target: string, headers: string) =>
    Buffer.from(`${method} ${target} HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n${headers}\r\n`);
  return [
    lookup('a URL that is too long', () => get(`${path}?${repeated('a', bounds.urlBytes)}`), { outcome: 414 }),
    lookup('the method QUERY', () => ({ ...get(path), method: 'QUERY' }), { outcome: 405 }),
    lookup('many headers', () => ({ ...get(path), octets: start('GET', path, repeated('a:b\r\n', 15_000)) })),
    lookup('many accepted types', () => get(path, { accept: repeated('application/xml;q=0.1,', 12_000) })),
    lookup('many parameters of an accepted type', () => get(path, { accept: `text/plain${repeated(';a=b', 12_000)}` })),
    lookup('many entity tags', () => get(path, { 'if-none-match': repeated('"a",', 12_000) })),
    lookup('a long credential', () => get(path, { authorization: `Basic ${repeated('QUFB', 12_000)}` })),
    lookup('a long token', () => get(path, { authorization: `Bearer ${repeated('eyJ.', 12_000)}` })),
    lookup('a token of a long header', () => get(path, { authorization: `Bearer ${unsignedToken(11_000)}` })),
    lookup('many forwarders', () => get(path, { 'x-forwarded-for': repeated('192.0.2.1, ', 12_000) })),
    lookup('a certificate in a header', () => get(path, { 'client-cert': `:${repeated('MIIB', 12_000)}:` })),
    lookup('a range of many parts', () => get(path, { range: `bytes=${repeated('0-1,', 12_000)}` })),
    sync(
      'tiny chunks',
      () => ({
        ...get(path),
        octets: Buffer.concat([
          start('POST', '/syncupdates/TEST', 'Content-Type: text/plain\r\nTransfer-Encoding: chunked\r\n'),
          Buffer.from(`${repeated('1\r\na\r\n', 600_000)}0\r\n\r\n`),
        ]),
      }),
      { budget: { ...small, held: 250, spent: 500 } },
    ),
    sync('chunks with long extensions', () => ({
      ...get(path),
      octets: Buffer.concat([
        start('POST', '/syncupdates/TEST', 'Content-Type: text/plain\r\nTransfer-Encoding: chunked\r\n'),
        Buffer.from(`${`1;${'a'.repeat(8000)}\r\na\r\n`.repeat(75)}0\r\n\r\n`),
      ]),
    })),
  ];
}

function keyOf(piece: string): string {
  const encoded = piece === '%2F' ? piece : encodeURIComponent(piece);
  return encoded.repeat(Math.floor(longest / encoded.length));
}

function longCookie(): string {
  const value = repeated('a', 5_000);
  return `__Host-cadastre-session=${value}; cadastre-session=${value}`;
}

function unsignedToken(length: number): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'RS256', kid: repeated('a', length / 2) })}.${part({ sub: 'a' })}.${repeated('A', 200)}`;
}
