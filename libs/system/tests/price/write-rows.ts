import { samples } from '@cadastre/rpsl';
import { bounds } from './bounds.js';
import { type Attributes, attributesOf, bomb, get, gzipped, json, post, repeated, xml } from './documents.js';
import { dsaKeyCert, nestedDer, pgpKeyCert, x509KeyCert } from './hostile-keys.js';
import { hundred, keys, large, parsed, type Row, rowsOf, type Sender, small } from './row.js';
import type { Sent } from './send.js';

/** Maximum content of a body besides the document around it. */
const max = bounds.bodyBytes - 4096;
/** Maximum content of a write besides the mandatory attributes. */
const maxText = bounds.writeCharacters - 4096;
/** Maximum content of an anonymous write besides the document around it. */
const maxAnonymous = bounds.anonymousObjectBytes - 4096;
const maxItems = bounds.writeValues - 100;
const maxAttributes = bounds.bodyAttributes - 20;

const create = 'POST /{source}/{objectType}';
const update = 'PUT /{source}/{objectType}/{key}';
const remove = 'DELETE /{source}/{objectType}/{key}';
const pair = 'POST /references/{source}';
const batch = 'POST /batch/{source}';
const types = { json: 'application/json', xml: 'application/xml' };

/** A person with more attributes. */
export function person(...more: Attributes): Attributes {
  return [
    ['person', 'Price Person'],
    ['address', 'Example Street 3'],
    ['phone', '+31 20 555 0133'],
    ['e-mail', 'person@example.net'],
    ['nic-hdl', 'PP1-TEST'],
    ...more,
    ['mnt-by', 'EXAMPLE-MNT'],
    ['source', 'TEST'],
  ];
}

const many = (count: number, name: string, value: (n: number) => string): Attributes =>
  Array.from({ length: count }, (_, n) => [name, value(n)] as const);
const address = (n: number) => `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;

/** Documents without a valid object, with their compression and encoding. */
const jsonDocuments: readonly (readonly [
  what: string,
  body: () => string | Buffer,
  headers?: Record<string, string>,
])[] = [
  ['arrays in one another', () => '['.repeat(max)],
  ['objects in one another', () => repeated('{"objects":', max)],
  ['two million values', () => `{"objects":{"object":[${repeated('null,', max - 5)}null]}}`],
  ['a million objects', () => `{"objects":{"object":[${repeated('{},', max - 3)}{}]}}`],
  ['many members of one name', () => `{${repeated('"a":1,', max - 6)}"a":1}`],
  ['many members of different names', () => `{${Array.from({ length: 400_000 }, (_, n) => `"a${n}":1`).join()}}`],
  ['a number of five million digits', () => `{"objects":{"object":[${repeated('9', max)}]}}`],
  ['a value that is a long number', () => json([['remarks', 'N']]).replace('"N"', repeated('9', max))],
  ['numbers with long exponents', () => `{"objects":{"object":[${repeated('1e9999999,', max - 10)}1]}}`],
  ['a text of escapes', () => json([['remarks', 'N']]).replace('N', repeated('\\u0061', max - 64))],
  ['a text without end', () => `{"objects":"${repeated('\\"', max)}`],
  ['a fault behind five million line ends', () => `${'\n'.repeat(max)}x`],
  ['the same, compressed', () => gzipped(`${'\n'.repeat(max)}x`), { 'content-encoding': 'gzip' }],
  ['a fault behind a large document', () => `${json(person(['remarks', repeated('a ', max)]))}x`],
  ['a bomb', bomb, { 'content-encoding': 'gzip' }],
  ['gzip members of nothing', () => repeatedBuffer(gzipped(''), max), { 'content-encoding': 'gzip' }],
  ['UTF-16', () => Buffer.from(json(person(['remarks', repeated('a', max / 2)])), 'utf16le'), charset('utf-16le')],
  ['GB18030', () => json(person(['remarks', repeated('a', max)])), charset('gb18030')],
  ['ISO-2022-JP', () => repeated('\u001b$B!!', max), charset('iso-2022-jp')],
  ['UTF-7', () => repeated('+AGEAYQBh-', max), charset('utf-7')],
];

const xmlDocuments: typeof jsonDocuments = [
  ['370,000 attributes of one element', () => inXml(`<a ${numbered(370_000, (n) => `a${n}=""`)}/>`)],
  ['the same, compressed', () => gzipped(inXml(`<a ${numbered(370_000, (n) => `a${n}=""`)}/>`)), gzipHeader()],
  ['215,000 namespaces', () => inXml(`<a ${numbered(215_000, (n) => `xmlns:a${n}="b"`)}/>`)],
  ['the same, compressed', () => gzipped(inXml(`<a ${numbered(215_000, (n) => `xmlns:a${n}="b"`)}/>`)), gzipHeader()],
  ['namespaces on nested elements', () => inXml(numbered(25, (n) => `<a ${prefixes(n, 6_000)}>`))],
  ['elements in one another', () => inXml(repeated('<a>', max))],
  ['a million elements', () => inXml(repeated('<a/>', max))],
  ['a million character references', () => inXml(`<a>${repeated('&#65;', max)}</a>`)],
  ['a reference without end', () => inXml(`<a>&${repeated('a', max)}`)],
  ['a name without end', () => `<${repeated('a', max)}`],
  ['a value without end', () => `<whois-resources a="${repeated('<', max)}`],
  ['a value of line ends', () => `<whois-resources a="${repeated('\n\t', max)}"/>`],
  ['comments', () => inXml(repeated('<!---->', max))],
  ['a comment without end', () => `<!--${repeated('-', max)}`],
  ['CDATA without end', () => inXml(`<a><![CDATA[${repeated(']', max)}`)],
  ['processing instructions', () => inXml(repeated('<?a?>', max))],
  ['an instruction without end', () => `<?${repeated('?', max)}`],
  ['entities that grow', () => `<!DOCTYPE a [<!ENTITY a "${repeated('b', 1e6)}">]>${inXml('&a;'.repeat(1e5))}`],
  ['a fault behind five million line ends', () => `<whois-resources>${'\n'.repeat(max)}</x>`],
  ['the same, compressed', () => gzipped(`<whois-resources>${'\n'.repeat(max)}</x>`), gzipHeader()],
  ['an element of many colons', () => `<${repeated('a:', max)}/>`],
  ['a declaration without end', () => `<?xml ${repeated('encoding ', max)}`],
  ['UTF-16', () => Buffer.from(xml(person(['remarks', repeated('a', max / 2)])), 'utf16le')],
];

/** Parsable objects with many or long values, references or names. */
const objects: readonly (readonly [type: string, what: string, object: () => Attributes])[] = [
  ['person', 'one long value', () => person(['remarks', repeated('a ', maxText)])],
  ['person', 'a value beyond the bound', () => person(['remarks', repeated('a ', max)])],
  ['person', 'as many attributes as may be', () => person(...many(maxAttributes, 'remarks', () => 'a'))],
  ['person', 'as many attributes, as long as may be', () => person(...many(maxAttributes, 'remarks', () => longValue))],
  ['person', 'continuation lines', () => person(['remarks', 'a\n'.repeat(maxItems)])],
  ['person', 'empty lines', () => person(['remarks', '\n'.repeat(maxItems)])],
  ['person', 'lines beyond the bound', () => person(['remarks', repeated('\n', max / 2)])],
  ['person', 'a long comment', () => person(['remarks', `a #${repeated(' #', maxText)}`])],
  ['person', 'as many comments as may be', () => person(...many(maxAttributes, 'remarks', (n) => `a # ${n}`))],
  ['person', 'unknown attributes', () => person(...many(maxAttributes, 'unknown', () => 'a'))],
  ['person', 'unknown attributes of long names', () => person(...many(20, repeated('x', maxText / 25), () => 'a'))],
  ['person', 'attributes of another type', () => person(...many(maxAttributes, 'inetnum', () => '10.0.0.1'))],
  ['person', 'as many wrong values as may be', () => person(...many(maxAttributes, 'e-mail', (n) => `wrong ${n}`))],
  ['person', 'a long wrong value', () => person(['e-mail', repeated('a@', maxText)])],
  ['person', 'characters that are not in latin-1', () => person(['remarks', repeated('漢', max / 3)])],
  ['person', 'a long name', () => [['person', repeated('Ab ', maxText)], ...person().slice(1)]],
  ['person', 'a long handle', () => person(['nic-hdl', repeated('A', maxText)])],
  ['person', 'a handle to be chosen from a long name', () => autoNamed(repeated('Ab ', maxText))],
  ['person', 'maintainers in one value', () => person(['mnt-by', repeated('ABCDEFG-MNT,', maxItems * 12)])],
  ['person', 'different maintainers in one value', () => person(['mnt-by', items((n) => `M${n}-MNT`)])],
  ['person', '420,000 maintainers in one value', () => person(['mnt-by', repeated('ABCDEFG-MNT,', max)])],
  ['person', 'as many maintainers as may be', () => person(...many(maxAttributes, 'mnt-by', (n) => `M${n}-MNT`))],
  ['person', 'a maintainer of a long name', () => person(['mnt-by', repeated('A', maxText)])],
  ['person', 'commas', () => person(['mnt-by', ','.repeat(maxItems)])],
  ['mntner', 'as many accounts as may be', () => maintainer(maxAttributes, (n) => `SSO user${n}@example.net`)],
  ['mntner', 'as many key-certs as may be', () => maintainer(maxAttributes, (n) => `PGPKEY-${hex(n)}`)],
  ['mntner', 'as many contacts as may be', () => [...maintainer(1, () => 'SSO alice@example.net'), ...contacts()]],
  ['as-set', 'the same member in one value', () => asSet('members', 'AS64500,'.repeat(maxItems))],
  [
    'as-set',
    'different members in one value',
    () =>
      asSet(
        'members',
        items((n) => `AS${n}`),
      ),
  ],
  [
    'as-set',
    'wrong members in one value',
    () =>
      asSet(
        'members',
        items((n) => `wrong${n}`),
      ),
  ],
  ['as-set', 'as many members as may be', () => [...asSet('members', 'AS1'), ...many(maxAttributes, 'members', asn)]],
  [
    'as-set',
    'a long hierarchical name',
    () => [['as-set', repeated('AS1:AS-A:', maxText)], ...asSet('members', 'AS1')],
  ],
  ['route-set', 'different routes in one value', () => routeSet(items((n) => `${address(n)}/32`))],
  ['aut-num', 'as many policies as may be', () => autNum(...many(maxAttributes / 2, 'import', (n) => policy(n)))],
  ['aut-num', 'a filter of many prefixes', () => autNum(['import', `from AS1 accept {${prefixList(50_000)}}`])],
  ['aut-num', 'a filter of many NOTs', () => autNum(['import', `from AS1 accept ${repeated('NOT ', maxText)}ANY`])],
  ['aut-num', 'a filter of many terms', () => autNum(['import', `from AS1 accept ${repeated('AS1 OR ', maxText)}AS1`])],
  ['aut-num', 'a filter in parentheses', () => autNum(['import', `from AS1 accept ${repeated('(', maxText)}`])],
  ['aut-num', 'a path of choices', () => autNum(['import', `from AS1 accept <${repeated('(AS1|', maxText)}>`])],
  ['aut-num', 'a path of repeats', () => autNum(['import', `from AS1 accept <(${repeated('AS1*', maxText)})+>`])],
  ['aut-num', 'many refinements', () => autNum(['mp-import', repeated('{ from AS1 accept ANY } refine ', maxText)])],
  ['aut-num', 'many peers', () => autNum(['import', `${repeated('from AS1 action pref=1; ', maxText)}accept ANY`])],
  ['aut-num', 'a member of many sets', () => autNum(['member-of', items((n) => `AS-S${n}`)])],
  [
    'inetnum',
    'many maintainers of routes',
    () => network(...many(maxAttributes, 'mnt-routes', (n) => `M${n}-MNT ANY`)),
  ],
  ['inetnum', 'a maintainer of many routes', () => network(['mnt-routes', `EXAMPLE-MNT {${prefixList(50_000)}}`])],
  ['inetnum', 'many countries', () => network(...many(maxAttributes, 'country', () => 'NL'))],
  ['inetnum', 'many incident teams', () => network(['mnt-irt', items((n) => `IRT-I${n}`)])],
  ['inetnum', 'a long range', () => [['inetnum', repeated('1.', maxText)], ...network().slice(1)]],
  [
    'inetnum',
    'an address of long numbers',
    () => [['inetnum', `${repeated('0', maxText)}1.2.3.4`], ...network().slice(1)],
  ],
  [
    'inet6num',
    'a long prefix',
    () => [['inet6num', repeated('1:', maxText)], ...attributesOf(samples.inet6num).slice(1)],
  ],
  ['aut-num', 'a long AS number', () => [['aut-num', `AS${repeated('9', maxText)}`], ...autNum().slice(1)]],
  ['as-block', 'a block of long numbers', () => [['as-block', `AS1 - AS${repeated('9', maxText)}`], ...blockEnd()]],
  ['route', 'many holes', () => route(['holes', items((n) => `${address(n)}/32`)])],
  ['route', 'many pingable addresses', () => route(...many(maxAttributes, 'pingable', address))],
  ['domain', 'many name servers', () => domain(...many(maxAttributes, 'nserver', (n) => `ns${n}.example.net`))],
  ['domain', 'long DNSSEC data', () => domain(['ds-rdata', `1 13 2 ${repeated('0', maxText)}`])],
  ['domain', 'a long name', () => [['domain', repeated('a.', maxText)], ...domain().slice(1)]],
  ['poem', 'as many lines as may be', () => poem(...many(maxAttributes, 'text', () => 'a'))],
];

/** With this in every attribute, a write has its maximum length. */
const longValue = 'a'.repeat(Math.floor(maxText / maxAttributes) - 'remarks'.length);

const keyCerts: readonly (readonly [what: string, object: () => Attributes])[] = [
  [
    'DSA numbers of 16,384 bits',
    () => attributesOf(dsaKeyCert({ bits: 16_384, order: 16_384, userIds: 2, subkeys: 1 })),
  ],
  ['the largest DSA key', () => attributesOf(dsaKeyCert({ bits: 3072, order: 256, userIds: 32, subkeys: 24 }))],
  ['a thousand user ids', () => attributesOf(dsaKeyCert({ bits: 1024, order: 160, userIds: 200, subkeys: 0 }))],
  ['a hundred subkeys', () => attributesOf(dsaKeyCert({ bits: 1024, order: 160, userIds: 1, subkeys: 80 }))],
  ['a megabyte of zeros as PGP', () => attributesOf(pgpKeyCert(Buffer.alloc(1_000_000)))],
  ['zeros as PGP', () => attributesOf(pgpKeyCert(Buffer.alloc(48_000)))],
  ['PGP packets of nothing', () => attributesOf(pgpKeyCert(Buffer.alloc(48_000, Buffer.from([0xcd, 0]))))],
  ['compressed PGP packets', () => attributesOf(pgpKeyCert(Buffer.alloc(48_000, Buffer.from([0xa3, 1]))))],
  ['a megabyte of zeros as X.509', () => attributesOf(x509KeyCert(Buffer.alloc(1_000_000)))],
  ['zeros as X.509', () => attributesOf(x509KeyCert(Buffer.alloc(48_000)))],
  ['nested DER', () => attributesOf(x509KeyCert(nestedDer(24_000)))],
  ['empty lines', () => keyCert(many(maxAttributes, 'certif', () => ''))],
  ['beginnings of keys', () => keyCert(many(maxAttributes, 'certif', () => '-----BEGIN PGP PUBLIC KEY BLOCK-----'))],
];

/** The rows of writes with a document. */
export function writeRows(): Row[] {
  return [
    ...bodyRows('maintainer'),
    ...bodyRows('anonymous'),
    ...anonymousRows(),
    ...objects.map(([type, what, object]) =>
      rowsOf(create, 'maintainer', { mediaType: types.json, budget: large })(`${type}: ${what}`, () =>
        creation(type, json(object()), types.json),
      ),
    ),
    ...objects
      .slice(0, 6)
      .map(([type, what, object]) =>
        rowsOf(create, 'maintainer', { mediaType: types.xml, budget: large })(`${type}: ${what}`, () =>
          creation(type, xml(object()), types.xml),
        ),
      ),
    ...keyCerts.map(([what, object]) =>
      rowsOf(create, 'maintainer', { mediaType: types.json, budget: keys })(`key-cert: ${what}`, () =>
        creation('key-cert', json(object()), types.json),
      ),
    ),
    ...keyCerts
      .slice(0, 2)
      .map(([what, object]) =>
        rowsOf(create, 'anonymous', { mediaType: types.json, outcome: 401 })(`key-cert: ${what}`, () =>
          creation('key-cert', json(object()), types.json),
        ),
      ),
    ...(['anonymous', 'maintainer'] as const).flatMap(otherWriteRows),
  ];
}

/** Every kind of document for the creation of an object. */
function bodyRows(sender: Sender): Row[] {
  // Large ones are not read, 401; small ones are read, even if compressed.
  const anonymous = { budget: small, outcome: 'refused' } as const;
  const ofType = (mediaType: string, documents: typeof jsonDocuments) =>
    documents.map(([what, body, headers]) =>
      rowsOf(create, sender, { mediaType, ...(sender === 'anonymous' ? anonymous : { budget: parsed }) })(what, () =>
        post('/TEST/person?dry-run', mediaType, body(), headers),
      ),
    );
  return [...ofType(types.json, jsonDocuments), ...ofType(types.xml, xmlDocuments)];
}

/** The largest anonymous objects that are read. */
const anonymousObjects: readonly (readonly [type: string, what: string, object: () => Attributes])[] = [
  ['person', 'a long value', () => person(['remarks', repeated('a ', maxAnonymous)])],
  ['person', 'many attributes', () => person(...many(maxAnonymous / 40, 'remarks', (n) => `${n}`))],
  ['person', 'many maintainers', () => person(['mnt-by', repeated('EXAMPLE-MNT, ', maxAnonymous)])],
  ['person', 'many lines', () => person(['remarks', repeated('a\\n+', maxAnonymous / 2)])],
  ['aut-num', 'a long policy', () => autNum(['import', `from AS1 accept ${repeated('NOT ', maxAnonymous)}ANY`])],
];

function anonymousRows(): Row[] {
  const row = rowsOf(create, 'anonymous', { mediaType: types.json, outcome: 'refused', budget: parsed });
  return anonymousObjects.map(([type, what, object]) =>
    row(`${type}: ${what} of 60 kB`, () => creation(type, json(object()), types.json)),
  );
}

function otherWriteRows(sender: Sender): Row[] {
  const budget = sender === 'anonymous' ? small : large;
  const updated = rowsOf(update, sender, { budget });
  const removed = rowsOf(remove, sender);
  const paired = rowsOf(pair, sender, { budget });
  const batched = rowsOf(batch, sender, { budget: sender === 'anonymous' ? parsed : hundred });
  const handles = Array.from({ length: bounds.bodyObjects }, (_, n) => `AUTO-${n + 1}`);
  const all = handles.map((handle) =>
    person().map(([name, value]) => [name, name === 'nic-hdl' ? handle : value] as const),
  );
  const alice = '/TEST/person/AE1-TEST';
  const put = (path: string, type: string, body: string): Sent => ({ ...post(path, type, body), method: 'PUT' });
  const twice = [person(['remarks', repeated('a ', maxText - 4096)]), maintainer(1, () => 'SSO alice@example.net')];
  const wrong = [person(['remarks', repeated('a ', maxText - 4096)], ['unknown', 'a']), twice[1]!];
  const named = (key: string): Sent => ({ ...get(`/TEST/person/${key}?dry-run`), method: 'DELETE' });
  return [
    updated('a large object', () => put(`${alice}?dry-run`, types.json, json(alices(repeated('a ', maxText)))), {
      mediaType: types.json,
    }),
    updated('a large object', () => put(`${alice}?dry-run`, types.xml, xml(alices(repeated('a ', maxText)))), {
      mediaType: types.xml,
    }),
    updated('a long key', () => put(`/TEST/person/${longKey}?dry-run`, types.json, json(person())), {
      mediaType: types.json,
    }),
    updated('many tags', () => withHeader(put(alice, types.json, json(alices('a'))), 'if-match', manyTags), {
      mediaType: types.json,
    }),
    removed('a long key', () => named(longKey)),
    removed('many tags', () => withHeader({ ...get(alice), method: 'DELETE' }, 'if-match', manyTags)),
    removed('a long reason', () => ({ ...get(`${alice}?dry-run&reason=${longKey}`), method: 'DELETE' })),
    batched('a hundred objects', () => post('/batch/TEST?dry-run', types.json, json(...all)), {
      mediaType: types.json,
    }),
    batched('a hundred objects', () => post('/batch/TEST?dry-run', types.xml, xml(...all)), { mediaType: types.xml }),
    batched(
      'a hundred objects with many tags',
      () =>
        post(
          '/batch/TEST?dry-run',
          types.json,
          json(...all).replaceAll('{"attributes"', `{"if-match":${JSON.stringify(manyTags)},"attributes"`),
        ),
      {
        mediaType: types.json,
      },
    ),
    batched('two large objects', () => post('/batch/TEST?dry-run', types.json, json(...twice)), {
      mediaType: types.json,
    }),
    paired('two large objects', () => post('/references/TEST?dry-run', types.json, json(...twice)), {
      mediaType: types.json,
    }),
    paired('two large objects', () => post('/references/TEST?dry-run', types.xml, xml(...twice)), {
      mediaType: types.xml,
    }),
    paired(
      'two large objects under a key, one of them wrong',
      () => withHeader(post('/references/TEST', types.json, json(...wrong)), 'idempotency-key', repeated('k', 255)),
      { mediaType: types.json, outcome: 'refused' },
    ),
    paired(
      'a hundred objects',
      () => post('/references/TEST?dry-run', types.json, json(...Array(100).fill(person()))),
      {
        mediaType: types.json,
      },
    ),
  ];
}

const longKey = repeated('A', bounds.urlBytes - 200);

/** The maximum number of tags, of an object that does not exist. */
const manyTags = repeated(`"1-0-${'A'.repeat(27)}",`, 34 * 100);

function withHeader(sent: Sent, name: string, value: string): Sent {
  return { ...sent, headers: { ...sent.headers, [name]: value } };
}

function creation(type: string, body: string, mediaType: string): Sent {
  return post(`/TEST/${type}?dry-run`, mediaType, body);
}

/** AE1-TEST with a remark. */
function alices(remark: string): Attributes {
  return [...attributesOf(samples.person), ['remarks', remark]];
}

function autoNamed(name: string): Attributes {
  return [['person', name], ...person().slice(1, 4), ['nic-hdl', 'AUTO-1'], ...person().slice(5)];
}

function maintainer(count: number, auth: (n: number) => string): Attributes {
  return [
    ['mntner', 'PRICE-MNT'],
    ['admin-c', 'AE1-TEST'],
    ['upd-to', 'noc@example.net'],
    ...many(count, 'auth', auth),
    ['mnt-by', 'EXAMPLE-MNT'],
    ['source', 'TEST'],
  ];
}

function contacts(): Attributes {
  return many(maxAttributes, 'admin-c', (n) => `AB${n}-TEST`);
}

function withContacts(...attributes: Attributes): Attributes {
  return [
    ...attributes,
    ['admin-c', 'AE1-TEST'],
    ['tech-c', 'EN1-TEST'],
    ['mnt-by', 'EXAMPLE-MNT'],
    ['source', 'TEST'],
  ];
}

const asn = (n: number) => `AS${n}`;
const hex = (n: number) => n.toString(16).toUpperCase().padStart(8, '0');
const policy = (n: number) =>
  `from AS${n} action pref=100; community.append(64500:${n % 65_536}); accept <^AS${n}+ AS1*$>`;
const items = (item: (n: number) => string) => numbered(maxItems, item, ',');
const prefixList = (count: number) => numbered(count, (n) => `${address(n)}/32`, ', ');

function asSet(name: string, value: string): Attributes {
  return withContacts(['as-set', 'AS64500:AS-PRICE'], [name, value]);
}

function routeSet(members: string): Attributes {
  return withContacts(['route-set', 'AS64500:RS-PRICE'], ['members', members]);
}

function autNum(...more: Attributes): Attributes {
  return withContacts(['aut-num', 'AS64505'], ['as-name', 'PRICE-AS'], ...more);
}

function network(...more: Attributes): Attributes {
  return withContacts(
    ['inetnum', '198.51.100.0 - 198.51.100.255'],
    ['netname', 'PRICE-NET'],
    ['country', 'NL'],
    ['status', 'ASSIGNED PA'],
    ...more,
  );
}

function route(...more: Attributes): Attributes {
  return [['route', '192.0.2.0/25'], ['origin', 'AS64500'], ...more, ['mnt-by', 'EXAMPLE-MNT'], ['source', 'TEST']];
}

function domain(...more: Attributes): Attributes {
  return withContacts(['domain', '100.51.198.in-addr.arpa'], ['zone-c', 'EN1-TEST'], ...more);
}

function poem(...more: Attributes): Attributes {
  return [['poem', 'POEM-PRICE'], ['form', 'FORM-HAIKU'], ...more, ['author', 'AE1-TEST'], ...blockEnd()];
}

function blockEnd(): Attributes {
  return [
    ['mnt-by', 'EXAMPLE-MNT'],
    ['source', 'TEST'],
  ];
}

function keyCert(certif: Attributes): Attributes {
  return [['key-cert', 'AUTO-1'], ...certif, ...blockEnd()];
}

function inXml(content: string): string {
  return `<whois-resources><objects>${content}</objects></whois-resources>`;
}

function numbered(count: number, one: (n: number) => string, separator = ' '): string {
  return Array.from({ length: count }, (_, n) => one(n)).join(separator);
}

function prefixes(level: number, count: number): string {
  return numbered(count, (n) => `xmlns:a${level}b${n}="c"`);
}

function charset(name: string): Record<string, string> {
  return { 'content-type': `${types.json};charset=${name}` };
}

function gzipHeader(): Record<string, string> {
  return { 'content-encoding': 'gzip' };
}

function repeatedBuffer(piece: Buffer, length: number): Buffer {
  return Buffer.alloc(Math.floor(length / piece.length) * piece.length, piece);
}
