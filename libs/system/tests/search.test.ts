import { samples } from '@cadastre/rpsl';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cadastre } from './harness/cadastre.js';
import { eventually } from './harness/eventually.js';
import { type Answer, type RequestOptions, type Rest, restClient } from './harness/rest.js';
import { freshDirectory, inOneProcess, type RunningSystem, runSystem } from './harness/run-system.js';
import { documentOf, messagesOf, values, type WhoisClient, type WhoisObject, whoisClient } from './harness/whois.js';

let data: Awaited<ReturnType<typeof freshDirectory>>;
let system: RunningSystem;
let rest: Rest & { close(): void };
let whois: WhoisClient;

beforeAll(async () => {
  data = await freshDirectory();
  system = await runSystem(data.directory, { ...inOneProcess, CADASTRE_GRS_SOURCES: 'EXAMPLE-GRS' });
  rest = restClient(system);
  whois = whoisClient(rest, system.credential);
  const poem =
    'poem:           POEM-COPY\nform:           FORM-HAIKU\ntext:           x\nmnt-by:         EXAMPLE-MNT\nsource:         EXAMPLE-GRS\n';
  await cadastre(system, ['load', '--source', 'EXAMPLE-GRS', '--wait', '-'], poem);
  await eventually(async () => {
    expect((await search('query-string=EXAMPLE-MNT')).status).toBe(200);
    expect((await search('query-string=POEM-COPY&source=EXAMPLE-GRS')).status).toBe(200);
  });
});

afterAll(async () => {
  rest?.close();
  await system?.stop();
  await data.remove();
});

const search = (query: string, options: RequestOptions = {}) => rest(`/search.json?${query}`, options);
const objects = (answer: Answer) => documentOf(answer).objects?.object ?? [];
const named = ({ type, 'primary-key': key }: WhoisObject) =>
  `${type} ${key.attribute.map(({ value }) => value).join('')}`;
const names = (answer: Answer) => objects(answer).map(named);

async function found(query: string): Promise<string[]> {
  const answer = await search(query);
  expect([answer.status, messagesOf(answer)]).toEqual([200, []]);
  return names(answer);
}

describe('what is found', () => {
  const inetnum = 'inetnum 192.0.2.0 - 192.0.2.255';
  const route = 'route 192.0.2.0/24AS64500';

  test.each<[string, string[]]>([
    ['query-string=example-mnt&flags=r', ['mntner EXAMPLE-MNT']],
    ['query-string=192.0.2.7&flags=r', [inetnum, route]],
    ['query-string=192.0.2.0%20-%20192.0.2.255&flags=r&type-filter=inetnum', [inetnum]],
    [
      'query-string=192.0.2.0/24&flags=no-referenced&flags=L&type-filter=in',
      ['inetnum 0.0.0.0 - 255.255.255.255', inetnum],
    ],
    ['query-string=AS64500&flags=r&type-filter=aut-num', ['aut-num AS64500']],
    ['query-string=AS64500&flags=r&inverse-attribute=origin', [route, 'route6 2001:db8::/32AS64500']],
    ['query-string=IRT-EXAMPLE&flags=r&inverse-attribute=mnt-irt', [inetnum, 'inet6num 2001:db8::/32']],
    ['query-string=M%C3%BCller&flags=r', ['person BM1-TEST']],
    [
      'query-string=EXAMPLE-MNT&flags=r&inverse-attribute=mnt-by,mnt-lower&type-filter=poem&type-filter=irt',
      ['poem POEM-PREFIX', 'irt IRT-EXAMPLE'],
    ],
    ['query-string=POEM-COPY&source=example-grs&flags=r', ['poem POEM-COPY']],
  ])('%s', async (query, expected) => {
    expect(await found(query)).toEqual(expected);
  });

  test('comes with the contacts and the organisation that it names', async () => {
    expect(await found('query-string=192.0.2.0/24&type-filter=inetnum')).toEqual([
      inetnum,
      'organisation ORG-EX1-TEST',
      'role EN1-TEST',
      'person AE1-TEST',
    ]);
  });

  test('is paged by limit and offset, including related objects', async () => {
    const all = await found('query-string=192.0.2.7');
    const pages = [];
    for (let offset = 0; offset < all.length; offset += 2) {
      pages.push(...(await found(`query-string=192.0.2.7&limit=2&offset=${offset}`)));
    }
    expect(pages).toEqual(all);
    expect(await found('query-string=192.0.2.7&offset=100')).toEqual([]);
    expect(await found('query-string=192.0.2.7&limit=0')).toEqual([]);
  });

  test.each([
    ['query-string=192.0.2.7', 1],
    ['query-string=EXAMPLE-MNT&inverse-attribute=mnt-by', 5],
    ['query-string=EXAMPLE-MNT&inverse-attribute=mnt-by&flags=rG&source=TEST&source=EXAMPLE-GRS', 4],
  ])('is paged by the links of its responses: %s', async (query, limit) => {
    const all = await found(query);
    const pages: string[] = [];
    let next: string | undefined = `/search.json?${query}&limit=${limit}`;
    while (next !== undefined && pages.length <= all.length) {
      const answer: Answer = await rest(next);
      expect([answer.status, messagesOf(answer)]).toEqual([200, []]);
      pages.push(...names(answer));
      const link: string | undefined = /^<https:\/\/[^/]+(\S+)>; rel="next"$/.exec(String(answer.headers.link))?.[1];
      expect(names(answer)).toHaveLength(link === undefined ? all.length % limit || limit : limit);
      next = link;
    }
    expect(pages).toEqual(all);
  });

  test('is searched over plain HTTP, under /whois and with a credential alike', async () => {
    for (const options of [{ plain: true }, { credential: system.credential }]) {
      expect(names(await rest('/whois/search.json?query-string=EXAMPLE-MNT&flags=r', options))).toEqual([
        'mntner EXAMPLE-MNT',
      ]);
    }
  });
});

describe('parts of the main source', () => {
  const foreign = samples['aut-num']
    .replace(/^aut-num:.*$/m, 'aut-num:        AS64999')
    .replace(/^source:.*$/m, 'source:         TEST-NONAUTH');
  beforeAll(async () => {
    expect((await cadastre(system, ['load', '--source', 'TEST', '--wait', '-'], foreign)).code).toBe(0);
    await eventually(async () => expect((await search('query-string=AS64999')).status).toBe(200));
  });

  test.each([
    ['', 200],
    ['&source=TEST', 404],
    ['&source=TEST-GRS', 404],
    ['&source=test-nonauth', 200],
    ['&source=TEST&source=TEST-NONAUTH', 200],
  ])('an object about a resource of another region, with %j: %d', async (sources, status) => {
    expect((await search(`query-string=AS64999&flags=r&type-filter=aut-num${sources}`)).status).toBe(status);
  });

  test('are looked up by their names; neither accepts writes nor has versions', async () => {
    expect((await rest('/TEST-NONAUTH/aut-num/AS64999')).status).toBe(200);
    const moved = await rest('/TEST/aut-num/AS64999');
    expect([moved.status, moved.headers.location]).toEqual([
      301,
      expect.stringMatching(/\/TEST-NONAUTH\/aut-num\/AS64999$/),
    ]);
    expect((await rest('/TEST-GRS/mntner/EXAMPLE-MNT')).text).toBe((await rest('/TEST/mntner/EXAMPLE-MNT')).text);
    for (const source of ['TEST-GRS', 'TEST-NONAUTH']) {
      expect((await rest(`/${source}/mntner/EXAMPLE-MNT/versions`)).status).toBe(400);
      const options = { method: 'DELETE', credential: system.credential };
      expect((await rest(`/${source}/mntner/EXAMPLE-MNT`, options)).status).toBe(400);
    }
  });
});

test('flags about addresses without an address cause a warning, and the query runs', async () => {
  const answer = await search('query-string=EXAMPLE-MNT&flags=r&flags=M');
  expect([answer.status, names(answer)]).toEqual([200, ['mntner EXAMPLE-MNT']]);
  const { errormessages } = JSON.parse(answer.text);
  expect(errormessages.errormessage).toMatchObject([
    { severity: 'Warning', text: expect.stringMatching(/^WARNING:902: useless IP flag passed\n/) },
  ]);
});

describe('the answer', () => {
  test('echoes the parameters, and links contacts by their types', async () => {
    const answer = await search('query-string=AS64500&source=test&flags=rB&type-filter=aut-num');
    const document = documentOf(answer);
    expect(Object.keys(document)).toEqual(['service', 'parameters', 'objects', 'terms-and-conditions', 'version']);
    expect(document.parameters).toEqual({
      'inverse-lookup': {},
      'type-filters': { 'type-filter': [{ id: 'aut-num' }] },
      flags: { flag: [{ value: 'no-referenced' }, { value: 'no-filtering' }] },
      'query-strings': { 'query-string': [{ value: 'AS64500' }] },
      sources: { source: [{ id: 'test' }] },
    });
    const references = objects(answer)[0]?.attributes.attribute.map((one) => [one.name, one['referenced-type']]);
    expect(references).toContainEqual(['admin-c', 'person']);
    expect(references).toContainEqual(['tech-c', 'role']);
  });

  test('is the same document as the lookup of the object, in every format', async () => {
    const [inSearch] = objects(await search('query-string=AS64500&flags=r&type-filter=aut-num'));
    expect(inSearch).toEqual(documentOf(await whois.lookup('aut-num', 'AS64500')).objects?.object[0]);
    const query = 'query-string=AS64500&flags=r&type-filter=aut-num';
    expect((await rest(`/search?${query}`, { accept: 'text/plain' })).text).toBe(
      (await rest('/TEST/aut-num/AS64500.txt')).text,
    );
    const element = (text: string) => text.slice(text.indexOf('<objects>'), text.indexOf('<terms-and'));
    expect(element((await rest(`/search?${query}`)).text)).toBe(element((await rest('/TEST/aut-num/AS64500')).text));
  });

  test('filters e-mail except with B, and auth always (R1, R2, R3)', async () => {
    const person = async (flags: string) =>
      values(objects(await search(`query-string=AE1-TEST&type-filter=person${flags}`))[0]!, 'e-mail');
    expect(await person('&flags=r')).toEqual([]);
    expect(await person('&flags=rB')).toEqual(['alice@example.net']);
    const mntner = await search('query-string=EXAMPLE-MNT&flags=rB', { credential: system.credential });
    expect(objects(mntner).flatMap((one) => values(one, 'auth'))).toEqual([]);
    expect(mntner.text).not.toContain('SSO alice');
  });

  test('has holder, abuse contact and managed attributes on request', async () => {
    const more = 'resource-holder&abuse-contact=true&managed-attributes=';
    const [plain] = objects(await search('query-string=192.0.2.0/24&flags=r&type-filter=inetnum'));
    expect(Object.keys(plain!)).not.toContain('resource-holder');
    const [object] = objects(await search(`query-string=192.0.2.0/24&flags=r&type-filter=inetnum&${more}`));
    expect(object).toMatchObject({
      'resource-holder': { key: 'ORG-EX1-TEST', name: 'Example Networks (NL) B.V.' },
      'abuse-contact': { key: 'EN1-TEST', email: 'abuse@example.net', suspect: false },
      managed: false,
    });
    const [allocation] = objects(await search(`query-string=2001:db8::/32&flags=r&type-filter=inet6num&${more}`));
    expect(allocation).toMatchObject({ managed: true });
    const managed = allocation?.attributes.attribute.filter((one) => 'managed' in one).map(({ name }) => name);
    expect(managed).toEqual(expect.arrayContaining(['inet6num', 'netname', 'org', 'status', 'source']));
  });

  test.each([
    ['inetnum', '192.0.2.0/24'],
    ['inet6num', '2001:db8::/32'],
    ['aut-num', 'AS64500'],
    ['organisation', 'ORG-EX1-TEST'],
    ['mntner', 'EXAMPLE-MNT'],
  ])('has the annotations that a lookup of the same %s %s has', async (type, key) => {
    const more = 'resource-holder=true&abuse-contact=true&managed-attributes=true';
    const [found] = objects(await search(`query-string=${key}&flags=rx&type-filter=${type}&${more}`));
    const [lookedUp] = objects(await rest(`/TEST/${type}/${key}.json?${more}`));
    expect(lookedUp).toEqual(found);
  });

  test('keeps spaces and comments with unformatted', async () => {
    const [object] = objects(await search('query-string=192.0.2.0/24&flags=r&type-filter=inetnum&unformatted'));
    expect(values(object!, 'remarks')).toEqual(['        Office and data centre  # two buildings']);
  });
});

describe('tags (R6)', () => {
  test('are shown, and filter results', async () => {
    const tagged = await cadastre(system, [
      'tag',
      'add',
      'unref',
      'poem/POEM-PREFIX',
      '--source',
      'TEST',
      '--data',
      '28',
    ]);
    expect(tagged).toMatchObject({ code: 0 });
    const query = 'query-string=EXAMPLE-MNT&inverse-attribute=mnt-by&flags=r&type-filter=poem,irt';
    await eventually(async () => {
      const answer = await search(`${query}&include-tag=other&include-tag=UNREF`);
      expect(names(answer)).toEqual(['poem POEM-PREFIX']);
      expect(objects(answer)[0]).toMatchObject({ tags: { tag: [{ id: 'unref', data: '28' }] } });
      expect(names(await search(`${query}&exclude-tag=unref`))).toEqual(['irt IRT-EXAMPLE']);
    });
  });
});

describe('a write', () => {
  const person = (remark: string, handle = 'ST77-TEST') =>
    `person:         Search Test\naddress:        Street 1\nphone:          +31 20 555 0199\ne-mail:         search@example.net\nnic-hdl:        ${handle}\nremarks:        ${remark}\nmnt-by:         EXAMPLE-MNT\nsource:         TEST\n`;

  test('is found at once by searches that name its serial', async () => {
    const created = await whois.create('person', person('one'));
    expect([created.status, messagesOf(created)]).toEqual([200, []]);
    const after = (answer: Answer) => ({ headers: { 'CADASTRE-Serial': String(answer.headers['cadastre-serial']) } });
    const query = 'query-string=ST77-TEST&flags=r';
    const first = await search(query, after(created));
    expect([first.status, names(first)]).toEqual([200, ['person ST77-TEST']]);
    expect(Number(first.headers['cadastre-serial'])).toBeGreaterThanOrEqual(Number(created.headers['cadastre-serial']));
    const updated = await whois.update('person', 'ST77-TEST', person('two'));
    expect(objects(await search(query, after(updated))).map((one) => values(one, 'remarks'))).toEqual([['two']]);
    const deleted = await whois.remove('person', 'ST77-TEST');
    expect((await search(query, after(deleted))).status).toBe(404);
  });

  test('without a serial it is found within ten seconds', async () => {
    const created = await whois.create('person', person('three', 'ST78-TEST'));
    expect([created.status, messagesOf(created)]).toEqual([200, []]);
    await eventually(async () => expect((await search('query-string=ST78-TEST')).status).toBe(200), 10_000);
  });
});

describe('errors, with their messages in every format', () => {
  test.each([
    ['query-string=ABSENT-MNT', 404, 'ERROR:101: no entries found'],
    ['query-string=x&source=NOWHERE', 400, "Invalid source '%s'"],
    ['query-string=&source=NOWHERE', 400, "Invalid source '%s'"],
    ['query-string=x&source=TEST,EXAMPLE-GRS', 400, "Invalid source '%s'"],
    ['query-string=x&source=', 400, "Invalid source '%s'"],
    ['', 400, "Query param 'query-string' cannot be empty"],
    ['query-string=%20%09', 400, "Query param 'query-string' cannot be empty"],
    ['query-string=-r%20x', 400, "Flags are not allowed in 'query-string'"],
    ['query-string=x&flags=show-foo', 400, "Invalid search flag '%s' (in parameter '%s')"],
    ['query-string=x&flags=brief', 400, "Disallowed search flag '%s'"],
    ['query-string=x&type-filter=nonsense', 400, 'ERROR:103'],
    ['query-string=x&inverse-attribute=nonsense', 400, 'ERROR:104'],
    ['query-string=x&inverse-attribute=remarks', 400, 'ERROR:105'],
    ['query-string=x&type-filter=aut-num', 400, 'ERROR:115'],
    ['query-string=192.0.2.0/24&flags=lM', 400, 'ERROR:901'],
    ['query-string=0/0&flags=M', 400, 'ERROR:11'],
    ['query-string=x&limit=many', 400, 'limit'],
    ['query-string=x&offset=-1', 400, 'offset'],
    ['query-string=x&password=hush-7261', 400, 'password'],
  ])('%s: %d', async (query, status, text) => {
    const json = await search(query);
    expect([json.status, json.text.includes(text)]).toEqual([status, true]);
    expect(messagesOf(json).length).toBeGreaterThan(0);
    const xml = await rest(`/search.xml?${query}`);
    expect([xml.status, xml.text]).toEqual([status, expect.stringContaining('<errormessage severity="Error"')]);
    const plain = await rest(`/search.txt?${query}`);
    expect([plain.status, plain.text]).toEqual([status, expect.stringContaining('Severity: Error\nText: ')]);
    for (const { text: shown } of [json, xml, plain]) expect(shown).not.toContain('hush-7261');
  });
});
