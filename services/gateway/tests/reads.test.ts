import { AuthenticationOutcome } from '@cadastre/proto/auth';
import { type BatchLookupRequest, LookupStatus } from '@cadastre/proto/objects';
import { Operation, View } from '@cadastre/proto/registry';
import { objectTypeNames, templateText, verboseTemplateText } from '@cadastre/rpsl';
import { failureMessage, ServiceError } from '@cadastre/service';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { exampleAuth, exampleReader, mntner, type RunningGateway, startGateway } from './gateway.fixture.js';

const noEntries = failureMessage('ERROR:101: no entries found\n\nNo entries found in source %s.\n', ['TEST']);
const beyond = failureMessage('ERROR:117: version cannot exceed %d for this object\n', ['1']);
const requested: BatchLookupRequest['lookups'] = [];
let gateway: RunningGateway;

let hasOlder = false;

beforeAll(async () => {
  gateway = await startGateway({
    auth: exampleAuth,
    reader: {
      ...exampleReader,
      batchLookup: async (request, call) => {
        requested.push(...request.lookups);
        return exampleReader!.batchLookup!(request, call);
      },
      listVersions: async ({ key }) => {
        if (key?.key !== 'EXAMPLE-MNT') throw new ServiceError('not-found', [noEntries]);
        return {
          hasOlder,
          versions: [
            {
              revision: 1,
              instant: new Date('2025-01-01T00:00:00.999Z'),
              operation: Operation.OPERATION_UPDATE,
              serial: 1n,
              reason: '',
            },
            {
              revision: 2,
              instant: new Date('2025-02-01T10:20:30Z'),
              operation: Operation.OPERATION_DELETE,
              serial: 2n,
              reason: 'no longer\r\nneeded\u0001',
            },
          ],
        };
      },
      getVersion: async ({ revision }) => {
        if (revision !== 1) throw new ServiceError('not-found', [beyond]);
        return { object: { ...mntner, revision }, current: false };
      },
    },
  });
});
afterAll(() => gateway.stop());

const path = '/TEST/mntner/EXAMPLE-MNT';

describe('lookup', () => {
  it('responds in three formats with links to the port of the request', async () => {
    const base = `https://localhost:${gateway.gateway.ports().https}`;
    const xml = await gateway.send(path);
    expect(xml).toMatchObject({ status: 200, headers: { 'content-type': 'application/xml' } });
    expect(xml.text).toContain(`<link xlink:type="locator" xlink:href="${base}/test/mntner/EXAMPLE-MNT"/>`);
    const json = await gateway.send(`${path}.json`, { headers: { accept: 'application/xml' } });
    expect(json.headers['content-type']).toBe('application/json');
    const document = JSON.parse(json.text);
    expect(Object.keys(document)).toEqual(['objects', 'terms-and-conditions', 'version']);
    expect(document.objects.object[0].attributes.attribute[1]).toEqual({
      link: { type: 'locator', href: `${base}/test/person/EX1-TEST` },
      name: 'admin-c',
      value: 'EX1-TEST',
      'referenced-type': 'person',
    });
    const text = await gateway.send(path, { headers: { accept: 'text/plain' } });
    expect(text.headers['content-type']).toBe('text/plain;charset=utf-8');
    expect(text.text).toBe(`${mntner.text}\n`);
  });

  it('responds over HTTP and under /whois too, and to HEAD without a body', async () => {
    expect(await gateway.send(`/whois${path}`, { secure: false })).toMatchObject({ status: 200 });
    const head = await gateway.send(path, { method: 'HEAD' });
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(Number(head.headers['content-length'])).toBeGreaterThan(500);
  });

  it('sends the headers that protect browsers, and HSTS only over TLS', async () => {
    const secure = (await gateway.send(path)).headers;
    expect(secure).toMatchObject({
      'cache-control': 'no-cache',
      vary: 'Accept, Accept-Datetime, Accept-Encoding',
      'referrer-policy': 'no-referrer',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'strict-transport-security': 'max-age=31536000',
    });
    expect((await gateway.send(path, { secure: false })).headers).not.toHaveProperty('strict-transport-security');
  });

  it('requests the view that the parameters select, for the caller', async () => {
    requested.length = 0;
    await gateway.send(path);
    await gateway.send(`${path}?unfiltered`, { headers: { authorization: 'Basic good' } });
    await gateway.send(`${path}?unfiltered=false`, { headers: { authorization: 'basic  good' } });
    expect(requested.map(({ view }) => view)).toEqual([View.VIEW_FILTERED, View.VIEW_UNFILTERED, View.VIEW_FILTERED]);
    expect(requested.map(({ principal }) => principal?.accountName)).toEqual([
      undefined,
      'alice@example.net',
      'alice@example.net',
    ]);
  });

  it.each([
    ['an unknown source', '/NOWHERE/mntner/EXAMPLE-MNT', 400, "Invalid source '%s'"],
    ['an unknown type', '/TEST/foo/EXAMPLE-MNT', 400, 'Invalid object type: foo'],
    ['a type by its short name', '/TEST/mt/EXAMPLE-MNT', 400, 'Invalid object type: mt'],
    ['an unknown source before an impossible key', '/NOWHERE/person/X', 400, "Invalid source '%s'"],
    ['an unknown source before an unknown type', '/NOWHERE/foo/X', 400, "Invalid source '%s'"],
    ['an impossible key', '/TEST/aut-num/65000X', 404, 'ERROR:101: no entries found'],
    ['flags in the key', '/TEST/person/x%20-r', 400, 'search key can not contain flags'],
    ['an absent object', '/TEST/mntner/ABSENT-MNT', 404, 'ERROR:101: no entries found'],
    [
      'a flag that is on and off',
      `${path}?unfiltered=yes&unfiltered=no`,
      400,
      "Parameter '%s' is given more than once",
    ],
    ['a password', `${path}?password=hunter2`, 400, "Parameter '%s' is not accepted"],
  ])('%s is refused in every format', async (_what, url, status, text) => {
    const [file, query = ''] = url.split('?');
    for (const extension of ['xml', 'json', 'txt']) {
      const received = await gateway.send(`${file}.${extension}${query && `?${query}`}`);
      expect(received.status).toBe(status);
      expect(received.text).not.toContain('hunter2');
      if (extension === 'json') expect(JSON.parse(received.text).errormessages.errormessage[0].text).toContain(text);
      if (extension === 'xml') expect(received.text).toContain('<errormessage severity="Error" text="');
      if (extension === 'txt') expect(received.text).toContain('Severity: Error\nText: ');
    }
  });
});

describe('the version of the software', () => {
  const commit = '0a1b2c3';
  const timestamp = '2026-01-02T03:04:05Z';
  const paths = [path, `${path}/versions`, `${path}/versions/1`];

  it.each([
    [commit, timestamp, { timestamp, 'commit-id': commit }],
    ['', '', {}],
  ])('names the build %s of %s', async (builtFrom, builtAt, facts) => {
    vi.stubEnv('CADASTRE_BUILD_COMMIT', builtFrom);
    vi.stubEnv('CADASTRE_BUILD_TIME', builtAt);
    const reader = { ...exampleReader, listVersions: async () => ({ versions: [] }), getVersion: async () => current };
    const current = { object: mntner, current: true };
    const built = await startGateway({ reader });
    for (const shown of paths) {
      const { version } = JSON.parse((await built.send(`${shown}.json`)).text);
      expect(version).toEqual({ version: expect.any(String), ...facts });
    }
    await built.stop();
    vi.unstubAllEnvs();
  });
});

describe('versions', () => {
  it('are listed with deletions, in the form of the path', async () => {
    const { text } = await gateway.send(`${path}/versions.json`);
    expect(JSON.parse(text).versions).toEqual({
      type: 'mntner',
      key: 'EXAMPLE-MNT',
      version: [
        { revision: 1, date: '2025-01-01T00:00:00Z', operation: 'ADD/UPD' },
        { revision: 2, date: '2025-02-01T10:20:30Z', operation: 'DEL', reason: 'no longer needed' },
      ],
    });
  });

  it('say that there are older ones', async () => {
    hasOlder = true;
    const lists = await Promise.all(['json', 'xml', 'txt'].map((form) => gateway.send(`${path}/versions.${form}`)));
    hasOlder = false;
    const [{ errormessages, versions }] = [JSON.parse(lists[0]!.text)];
    expect(errormessages.errormessage).toMatchObject([{ severity: 'Warning', args: [{ value: '2' }] }]);
    expect(versions.version).toHaveLength(2);
    for (const { status, text } of lists) {
      expect([status, text]).toEqual([200, expect.stringMatching(/Only the newest .+ versions are listed/)]);
    }
  });

  it('are shown one by one', async () => {
    expect((await gateway.send(`${path}/versions/1`)).text).toContain('<object type="mntner" version="1">');
    expect((await gateway.send(`${path}/versions/1.txt`)).text).toBe(mntner.text);
  });

  it.each([
    ['versions/0', 400],
    ['versions/-1', 400],
    ['versions/x', 400],
    ['versions/1.5', 400],
    ['versions/2', 404],
    ['versions/99999999999999999999', 404],
  ])('%s: %d (R7)', async (last, status) => {
    expect((await gateway.send(`${path}/${last}`)).status).toBe(status);
  });

  it.each([
    ['/TEST/mntner/ABSENT-MNT/versions.json', 404, 'ERROR:101: no entries found'],
    ['/TEST/mntner/EXAMPLE-MNT/versions/2.json', 404, 'ERROR:117: version cannot exceed'],
    ['/NOWHERE/foo/X/versions.json', 400, "Invalid source '%s'"],
    ['/NOWHERE/person/X/versions/x.json', 400, "Invalid source '%s'"],
    ['/TEST/foo/X/versions.json', 400, 'Invalid object type: foo'],
    ['/TEST/aut-num/65000X/versions.json', 404, 'ERROR:101: no entries found'],
  ])('%s: %d', async (url, status, text) => {
    const received = await gateway.send(url);
    expect(received.status).toBe(status);
    expect(JSON.parse(received.text).errormessages.errormessage[0].text).toContain(text);
  });
});

describe('parts of the main source', () => {
  let parted: RunningGateway;
  const stored = new Map(
    [
      ['aut-num', 'AS64500', 'TEST'],
      ['aut-num', 'AS64501', 'TEST-NONAUTH'],
      ['route', '192.0.2.0/24AS64501', 'TEST-NONAUTH'],
      ['as-set', 'AS-FOREIGN', 'TEST-NONAUTH'],
      ['person', 'PP1-TEST', 'TEST'],
    ].map(([type = '', key = '', source]) => {
      const [name, origin] = key.split(/(?<=\/24)/);
      const text = `${type}: ${type === 'person' ? 'Jo' : name}\n${origin ? `origin: ${origin}\n` : ''}e-mail: jo@example.net\n`;
      return [key, { ...mntner, type, key, text: `${text}tech-c: EX1-TEST\nnic-hdl: ${key}\nsource: ${source}\n` }];
    }),
  );

  beforeAll(async () => {
    parted = await startGateway({
      reader: {
        ...exampleReader,
        batchLookup: async ({ lookups }) => ({
          answers: lookups.map(({ key }) => {
            if (key?.source.toUpperCase() !== 'TEST') return { status: LookupStatus.LOOKUP_STATUS_UNKNOWN_SOURCE };
            const object = stored.get(key.key);
            return { status: object ? LookupStatus.LOOKUP_STATUS_FOUND : LookupStatus.LOOKUP_STATUS_NOT_FOUND, object };
          }),
        }),
      },
    });
  });
  afterAll(() => parted.stop());

  it.each([
    ['/TEST/aut-num/AS64500', 200, '/test/aut-num/AS64500'],
    ['/test-grs/aut-num/AS64500', 200, '/test/aut-num/AS64500'],
    ['/TEST-NONAUTH/aut-num/AS64501', 200, '/test-nonauth/aut-num/AS64501'],
    ['/test-nonauth/as-set/AS-FOREIGN', 200, '/test-nonauth/as-set/AS-FOREIGN'],
    ['/TEST-GRS/person/PP1-TEST', 200, '/test/person/PP1-TEST'],
    ['/TEST/aut-num/AS64501?unfiltered', 301, '/TEST-NONAUTH/aut-num/AS64501?unfiltered'],
    ['/TEST/route/192.0.2.0/24AS64501.json', 301, '/TEST-NONAUTH/route/192.0.2.0/24AS64501'],
    ['/TEST-NONAUTH/aut-num/AS64500', 301, '/TEST/aut-num/AS64500'],
    ['/TEST/as-set/AS-FOREIGN', 404, 'TEST'],
    ['/TEST-NONAUTH/person/PP1-TEST', 404, 'TEST-NONAUTH'],
    ['/TEST-GRS/aut-num/AS64501', 404, 'TEST-GRS'],
    ['/TEST-GRS/aut-num/AS64599', 404, 'TEST-GRS'],
    ['/OTHER-NONAUTH/aut-num/AS64500', 400, 'OTHER-NONAUTH'],
    ['/TEST-GRS/aut-num/65000X', 404, 'TEST-GRS'],
  ])('%s: %d, %s', async (path, status, where) => {
    const answer = await parted.send(path, { headers: { accept: 'application/json' } });
    expect(answer.status).toBe(status);
    const { objects, errormessages } = JSON.parse(answer.text);
    const base = `https://localhost:${parted.gateway.ports().https}`;
    if (status === 200) expect(objects.object[0].link.href).toBe(`${base}${where}`);
    else if (status === 301) expect(answer.headers.location).toBe(`${base}${where}`);
    else expect(errormessages.errormessage[0].args?.[0].value).toBe(where);
  });

  it('count personal objects as those of the main source', async () => {
    const { headers } = await parted.send('/TEST-GRS/person/PP1-TEST');
    expect(headers.ratelimit).toContain('"personal-objects";r=4998');
  });
});

describe('metadata', () => {
  it('lists the sources (R14)', async () => {
    const document = JSON.parse((await gateway.send('/metadata/sources.json')).text);
    expect(document).toEqual({
      link: { type: 'locator', href: `https://localhost:${gateway.gateway.ports().https}/metadata/sources` },
      service: { name: 'getSupportedDataSources' },
      sources: {
        source: [
          { name: 'TEST', id: 'test' },
          { name: 'TEST-NONAUTH', id: 'test-nonauth' },
        ],
      },
      'grs-sources': {
        source: [
          { name: 'TEST-GRS', id: 'test-grs', 'grs-id': 'test-grs' },
          { name: 'EXAMPLE-GRS', id: 'example-grs', 'grs-id': 'example-grs' },
        ],
      },
    });
  });

  it.each(objectTypeNames)('has the template of %s in three formats (R13)', async (type) => {
    const xml = await gateway.send(`/metadata/templates/${type}`);
    expect(xml.text).toContain(`<whois-resources xmlns:xlink="http://www.w3.org/1999/xlink">`);
    expect(xml.text).toContain(`<template type="${type}">\n        <source id="test"/>`);
    const [template] = JSON.parse((await gateway.send(`/metadata/templates/${type}.json`)).text).templates.template;
    expect(template.attributes.attribute.at(-1)).toEqual({
      name: 'source',
      requirement: 'MANDATORY',
      cardinality: 'SINGLE',
    });
    expect((await gateway.send(`/metadata/templates/${type}.txt`)).text).toBe(templateText(type));
    expect((await gateway.send(`/metadata/templates/${type}.txt?verbose`)).text).toBe(verboseTemplateText(type));
  });

  it('refuses an unknown type with 400', async () => {
    expect((await gateway.send('/metadata/templates/foo')).status).toBe(400);
  });
});

describe('credentials on reads (R4)', () => {
  it.each(['Basic wrong', 'Basic', 'Basic ', 'Bearer good', 'Digest good', 'good', ''])(
    '"%s" is refused with 401 and a challenge',
    async (authorization) => {
      const urls = [`${path}.json`, '/metadata/sources.json', '/metadata/templates/person.json'];
      const faulty = [
        `${path}.json?unfiltered=maybe`,
        '/search.json?limit=all',
        '/metadata/templates/foo.json',
        '/x.json',
      ];
      for (const url of [...urls, ...faulty]) {
        const received = await gateway.send(url, { headers: { authorization } });
        expect(received.status).toBe(401);
        expect(received.headers['www-authenticate']).toMatch(/^Basic realm=/);
        expect(JSON.parse(received.text)).toHaveProperty('errormessages');
      }
    },
  );
});

describe('an unavailable backend', () => {
  it('auth: requests with credentials get 503, anonymous reads work', async () => {
    const alone = await startGateway({ reader: exampleReader });
    const refused = await alone.send(`${path}.json`, { headers: { authorization: 'Basic good' } });
    expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
    expect(JSON.parse(refused.text)).toHaveProperty('errormessages');
    expect((await alone.send(path)).status).toBe(200);
    await alone.stop();
  });

  it('objects: lookups get 503, templates work', async () => {
    const alone = await startGateway({});
    expect((await alone.send(path)).status).toBe(503);
    expect((await alone.send('/metadata/templates/person')).status).toBe(200);
    await alone.stop();
  });

  it('an unexpected error of objects: 500 without details', async () => {
    const broken = async () => {
      throw new Error('select secret from table');
    };
    const alone = await startGateway({ reader: { ...exampleReader, batchLookup: broken } });
    const received = await alone.send(path);
    expect(received.status).toBe(500);
    expect(received.text).toContain('Unexpected error occurred');
    expect(received.text).not.toContain('secret');
    await alone.stop();
  });

  it('auth that finds no caller for a credential: 401', async () => {
    const outcome = AuthenticationOutcome.AUTHENTICATION_OUTCOME_ANONYMOUS;
    const alone = await startGateway({
      reader: exampleReader,
      auth: { authenticate: async () => ({ outcome, messages: [] }) },
    });
    expect((await alone.send(path, { headers: { authorization: 'Basic good' } })).status).toBe(401);
    await alone.stop();
  });
});
