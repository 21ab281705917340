import { finished } from 'node:stream/promises';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { Severity } from '@cadastre/proto/registry';
import type { FoundObject, SearchFirstPageResponse, SearchRequest, SearchResponse } from '@cadastre/proto/search';
import { type Call, failureMessage, ServiceError } from '@cadastre/service';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { exampleAuth, exampleReader, mntner, type RunningGateway, startGateway } from './gateway.fixture.js';

type Search = (request: SearchRequest, call: Call) => AsyncIterable<SearchResponse>;

let gateway: RunningGateway;
/** One that does not wait for a search. */
let shortDeadline: RunningGateway;
/** One that does not wait for its client. */
let shortStall: RunningGateway;
const requested: SearchRequest[] = [];
/** The answer of the search service; each test sets it. */
let answer: Search;

beforeAll(async () => {
  const search: Search = (request, call) => {
    requested.push(request);
    return answer(request, call);
  };
  const backends = { reader: exampleReader, auth: exampleAuth, search: { search } };
  const env = { CADASTRE_LIMITS: 'search-objects=-1 bytes=-1' };
  gateway = await startGateway(backends, env);
  shortDeadline = await startGateway(backends, { ...env, CADASTRE_GATEWAY_DEADLINES: 'search=300ms' });
  shortStall = await startGateway(backends, env, undefined, { stallTimeout: 1000 });
});
afterEach(() => void requested.splice(0));
afterAll(async () => {
  for (const one of [gateway, shortDeadline, shortStall]) await one.stop();
});

const found: FoundObject = {
  object: mntner,
  related: false,
  managedAttributes: [],
  managedMaintainers: [],
  messages: [],
};

function page(objects: number, rest: Partial<SearchResponse> = {}): SearchResponse {
  return { objects: Array.from({ length: objects }, () => found), flags: [], messages: [], serial: 0n, ...rest };
}

function pages(...all: (SearchResponse | Error)[]): Search {
  return async function* () {
    for (const one of all) {
      if (one instanceof Error) throw one;
      yield one;
    }
  };
}

const noEntries = failureMessage('ERROR:101: no entries found\n\nNo entries found in source %s.\n', ['TEST']);
const warning = failureMessage('Source %s cannot be searched', ['X-GRS'], Severity.SEVERITY_WARNING);

describe('a result', () => {
  it('is one document over all pages, with the parameters as sent and the flags by their long names', async () => {
    answer = pages(page(2, { flags: ['no-referenced', 'no-filtering'], serial: 7n }), page(1));
    const query = 'query-string=EXAMPLE-MNT&source=test&flags=rB&type-filter=mt,pn&inverse-attribute=mnt-by&limit=3';
    const { status, headers, text } = await gateway.send(`/search.json?${query}`);
    expect([status, headers['content-type'], headers['cadastre-serial']]).toEqual([200, 'application/json', '7']);
    const document = JSON.parse(text);
    expect(Object.keys(document)).toEqual(['service', 'parameters', 'objects', 'terms-and-conditions', 'version']);
    expect(document.parameters).toEqual({
      'inverse-lookup': { 'inverse-attribute': [{ value: 'mnt-by' }] },
      'type-filters': { 'type-filter': [{ id: 'mt,pn' }] },
      flags: { flag: [{ value: 'no-referenced' }, { value: 'no-filtering' }] },
      'query-strings': { 'query-string': [{ value: 'EXAMPLE-MNT' }] },
      sources: { source: [{ id: 'test' }] },
    });
    expect(document.objects.object).toHaveLength(3);
    expect(requested[0]).toMatchObject({ query: 'EXAMPLE-MNT', sources: ['test'], flags: ['rB'], limit: 3 });
  });

  it('accepts the usual flags and repetitions of clients (W7)', async () => {
    answer = pages(page(1));
    const sent = 'query-string=x&query-string=x&limit=20&limit=20&resource-holder=0&abuse-contact=no&roa-check=yes';
    expect((await gateway.send(`/search?${sent}`)).status).toBe(200);
    expect(requested[0]).toMatchObject({
      query: 'x',
      limit: 20,
      annotations: { resourceHolder: false, abuseContact: false, roaCheck: true },
    });
  });

  it('shows the name that the client states, without other effects', async () => {
    answer = pages(page(1));
    const { parameters } = JSON.parse(
      (await gateway.send('/search.json?query-string=x&client=example,192.0.2.7')).text,
    );
    expect(Object.keys(parameters).slice(0, 3)).toEqual(['inverse-lookup', 'client', 'type-filters']);
    expect([parameters.client, requested[0]?.client]).toEqual([
      'example,192.0.2.7',
      expect.not.stringContaining('example'),
    ]);
    const xml = await gateway.send('/search?query-string=x&client=A%20%26%20B');
    expect(xml.text).toContain('<client>A &amp; B</client>\n    <type-filters/>');
  });

  it('leaves empty type filters to the query engine', async () => {
    answer = pages(page(1));
    await gateway.send('/search?query-string=x&type-filter=');
    expect(requested[0]?.types).toEqual(['']);
  });

  it('is XML by default and plain objects as text', async () => {
    answer = pages(page(1), page(1));
    const xml = await gateway.send('/whois/search?query-string=x', { secure: false });
    expect(xml.headers['content-type']).toBe('application/xml');
    expect(xml.text).toMatch(/<service name="search"\/>\n<parameters>[\s\S]+<\/parameters>\n<objects>\n<object type=/);
    expect(xml.text.match(/<object /g)).toHaveLength(2);
    expect(xml.text).toMatch(/<\/objects>\n<terms-and-conditions .+\n<version .+\n<\/whois-resources>\n$/);
    const text = await gateway.send('/search?query-string=x', { headers: { accept: 'text/plain' } });
    expect(text).toMatchObject({ status: 200, headers: { 'content-type': 'text/plain;charset=utf-8' } });
    expect(text.text).toBe(`${mntner.text}\n${mntner.text}\n`);
  });

  it.each<[string, string, Partial<SearchFirstPageResponse>, string | undefined]>([
    ['a place to go on', 'limit=1', { next: Buffer.from('next') }, 'limit=1&cursor=bmV4dA'],
    ['a long part', 'limit=9&offset=4', { cursor: Buffer.from('rest') }, 'limit=9&cursor=cmVzdA&offset=8'],
    ['a cursor before', 'cursor=b2xk&limit=1&offset=3', { next: Buffer.from('next') }, 'cursor=bmV4dA&limit=1'],
    ['nothing after it', 'limit=1', {}, undefined],
    ['no limit', 'flags=r', { cursor: Buffer.from('rest') }, undefined],
    ['a limit above that of the registry', 'limit=10001', { cursor: Buffer.from('rest') }, undefined],
  ])('has a link to the next page: %s', async (_, query, more, link) => {
    const one = { page: page(1), cursor: Buffer.alloc(0), ...more };
    const linked = await startGateway({
      auth: exampleAuth,
      search: {
        searchFirstPage: async () => one,
        async *search() {},
      },
    });
    try {
      const { headers } = await linked.send(`/whois/search.json?query-string=a+b&password2=x&${query}`, {
        method: 'HEAD',
      });
      const expected = link && expect.stringMatching(/^<https:\/\/localhost:\d+\/search\.json\?query-string=a\+b&/);
      expect(headers.link).toEqual(expected);
      expect(headers.link).toEqual(link && expect.stringContaining(`b&${link}>; rel="next"`));
    } finally {
      await linked.stop();
    }
  });

  it('says what a filter has compared, and links to the next page, which may follow an empty one', async () => {
    const filters: (string | undefined)[] = [];
    const filtered = await startGateway({
      auth: exampleAuth,
      search: {
        searchFirstPage: async ({ search }) => {
          filters.push(search!.contains);
          return { page: page(0, { compared: 10_000 }), cursor: Buffer.alloc(0), next: Buffer.from('next') };
        },
      },
    });
    try {
      const sent = 'query-string=A-MNT&inverse-attribute=mnt-by&contains=Caf%C3%A9+1';
      const { status, headers, text } = await filtered.send(`/search.json?${sent}`);
      expect([status, headers['cadastre-compared'], JSON.parse(text).objects]).toEqual([200, '10000', { object: [] }]);
      expect(headers.link).toMatch(/contains=Caf%C3%A9\+1&cursor=bmV4dA>; rel="next"$/);
      expect(filters).toEqual(['Caf\u00e9 1']);
    } finally {
      await filtered.stop();
    }
  });

  it('may be empty inside of limit and offset', async () => {
    answer = pages(page(0));
    const received = await gateway.send('/search.json?query-string=x&offset=5');
    expect([received.status, JSON.parse(received.text).objects]).toEqual([200, { object: [] }]);
  });

  it('carries warnings of any page behind the objects', async () => {
    answer = pages(page(1, { messages: [warning] }), page(1));
    const document = JSON.parse((await gateway.send('/search.json?query-string=x')).text);
    expect(Object.keys(document).slice(2, 4)).toEqual(['objects', 'errormessages']);
    expect(document.errormessages.errormessage).toMatchObject([{ severity: 'Warning', args: [{ value: 'X-GRS' }] }]);
  });

  it('is requested with the serial of the request', async () => {
    answer = pages(page(1));
    await gateway.send('/search?query-string=x', { headers: { 'CADASTRE-Serial': '42' } });
    expect(requested[0]?.minSerial).toBe(42n);
  });

  it('has a head alone for HEAD, and its pages are not read', async () => {
    let read = 0;
    answer = async function* () {
      read++;
      yield page(1, { serial: 3n });
      read++;
      yield page(1);
    };
    const received = await gateway.send('/search?query-string=x', { method: 'HEAD' });
    expect(received).toMatchObject({ status: 200, text: '', headers: { 'cadastre-serial': '3' } });
    expect(read).toBe(1);
  });
});

describe('before the first page', () => {
  it.each([
    ['nothing found', new ServiceError('not-found', [noEntries]), 404],
    ['illegal input', new ServiceError('invalid', [failureMessage("Invalid source '%s'", ['X'])]), 400],
    ['a limit of queries', new ServiceError('exhausted', 'ERROR:201: access denied'), 429],
    ['a service that is away', new ServiceError('unavailable', 'The search index is being built'), 503],
    ['a fault', new Error('select secret'), 500],
  ])('%s decides the status, in every format', async (_what, error, status) => {
    answer = pages(error);
    for (const extension of ['xml', 'json', 'txt']) {
      const received = await gateway.send(`/search.${extension}?query-string=x`);
      expect(received.status).toBe(status);
      expect(received.text).not.toContain('secret');
      if (extension === 'json') expect(JSON.parse(received.text).errormessages.errormessage).toHaveLength(1);
      if (extension === 'xml') expect(received.text).toContain('<errormessage severity="Error" text="');
      if (extension === 'txt') expect(received.text).toContain('Severity: Error\nText: ');
    }
  });

  it('an empty result in text has the form that clients expect', async () => {
    answer = pages(new ServiceError('not-found', [noEntries]));
    const { text } = await gateway.send('/search.txt?query-string=x');
    expect(text).toMatch(/^https:.+\/search\?query-string=x\nSeverity: Error\nText: ERROR:101.+\n\n.+%s\.\n\[TEST\]\n/);
  });

  it.each([
    'query-string=x&limit=x',
    'query-string=x&offset=-1',
    'query-string=x&query-string=y',
    'query-string=x&password=hunter2',
  ])('%s is refused with 400, and nothing is searched (R7, W7, W8)', async (query) => {
    answer = pages(page(1));
    const received = await gateway.send(`/search.json?${query}`);
    expect([received.status, requested.length]).toEqual([400, 0]);
    expect(received.text).not.toContain('hunter2');
  });

  it('a slow search is 503 and is cancelled', async () => {
    const { promise: cancelled, resolve } = Promise.withResolvers<void>();
    answer = async function* (_request, call) {
      call.signal.addEventListener('abort', () => resolve());
      await cancelled;
    };
    const received = await shortDeadline.send('/search.json?query-string=x');
    await cancelled;
    expect([received.status, received.headers['retry-after']]).toEqual([503, '5']);
  });

  it('a wrong credential is 401, and nothing is searched (R4)', async () => {
    const received = await gateway.send('/search?query-string=x', { headers: { authorization: 'Basic wrong' } });
    expect([received.status, requested.length]).toEqual([401, 0]);
  });

  it('only reading is allowed', async () => {
    const received = await gateway.send('/search', { method: 'POST' });
    expect([received.status, received.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});

describe('an error after the first page ends a complete response with status 200 (R17)', () => {
  it.each([
    [
      'a failure that may be told',
      new ServiceError('exhausted', 'ERROR:201: access denied'),
      'ERROR:201: access denied',
      '%ERROR:201: access denied\n',
    ],
    [
      'a message of several lines',
      new ServiceError('exhausted', 'ERROR:201: access denied\n\nWait a day.\n'),
      'ERROR:201: access denied\n\nWait a day.\n',
      '%ERROR:201: access denied\n%\n% Wait a day.\n',
    ],
    ['a fault', new Error('select secret'), 'Unexpected error occurred', '% Unexpected error occurred\n'],
  ])('%s', async (_what, error, text, comment) => {
    answer = pages(page(100, { messages: [warning] }), page(1), error);
    const json = await gateway.send('/search.json?query-string=x');
    const document = JSON.parse(json.text);
    expect(json.status).toBe(200);
    expect(Object.keys(document).slice(2)).toEqual(['objects', 'errormessages', 'terms-and-conditions', 'version']);
    expect(document.objects.object).toHaveLength(101);
    expect(document.errormessages.errormessage).toMatchObject([{ severity: 'Error', text }, { severity: 'Warning' }]);
    const xml = await gateway.send('/search.xml?query-string=x');
    expect(xml.status).toBe(200);
    expect(xml.text).toMatch(/<\/object>\n<\/objects>\n<errormessages>\n {4}<errormessage severity="Error" text="/);
    expect(xml.text).toMatch(/<\/errormessages>\n<terms-and-conditions .+\n<version .+\n<\/whois-resources>\n$/);
    const plain = await gateway.send('/search.txt?query-string=x');
    expect([plain.status, plain.text]).toEqual([200, `${`${mntner.text}\n`.repeat(101)}${comment}`]);
    for (const received of [json, xml, plain]) expect(received.text).not.toContain('secret');
  });
});

it('a client with many searches gets no more pages written than one with a single search', async () => {
  const pulled = { greedy: 0, modest: 0 };
  const search: Search = async function* ({ query }) {
    const client = query as keyof typeof pulled;
    for (let count = client === 'modest' ? 60 : 600; count > 0; count--) {
      yield page(50);
      pulled[client]++;
    }
  };
  const env = {
    CADASTRE_LIMITS: 'search-objects=-1 bytes=-1',
    CADASTRE_TRUSTED_PROXIES: '127.0.0.1',
  };
  const shared = await startGateway({ reader: exampleReader, search: { search } }, env);
  try {
    const begin = (query: keyof typeof pulled, from: string) =>
      shared.begin(`/search?query-string=${query}`, { 'x-forwarded-for': from });
    const greedy = Array.from({ length: 10 }, () => begin('greedy', '10.0.0.1'));
    for (const { answer: response } of greedy) (await response).on('error', () => {}).resume();
    const before = pulled.greedy;
    await finished((await begin('modest', '10.0.0.2').answer).resume());
    const meanwhile = pulled.greedy - before;
    for (const { gone } of greedy) gone();
    expect(pulled.modest).toBe(60);
    expect(meanwhile).toBeLessThan(3 * 60);
  } finally {
    await shared.stop();
  }
});

describe('a client that disconnects', () => {
  /** A search that reports its end. */
  function endless(first: boolean) {
    const started = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    answer = async function* (_request, { signal }) {
      started.resolve();
      signal.addEventListener('abort', () => ended.resolve());
      if (first) yield page(1);
      await ended.promise;
    };
    return { started: started.promise, ended: ended.promise };
  }

  it('before the first page cancels the search', async () => {
    const { started, ended } = endless(false);
    const { gone } = gateway.begin('/search?query-string=x');
    await started;
    gone();
    await ended;
  });

  it('after it too', async () => {
    const { ended } = endless(true);
    const { answer: response, gone } = gateway.begin('/search?query-string=x');
    expect((await response).statusCode).toBe(200);
    gone();
    await ended;
  });
});

describe('a large result', () => {
  const text = mntner.text.replace(
    'source:',
    `${'remarks:        a line of thirty-two characters..\n'.repeat(20)}source:`,
  );
  const objects = Array.from({ length: 100 }, () => ({ ...found, object: { ...mntner, text } }));

  /** Counts the pages that the reader has taken from it. */
  function counted(all: number) {
    const taken = { pages: 0, ended: false };
    answer = async function* () {
      try {
        for (; taken.pages < all; taken.pages++) yield page(0, { objects });
      } finally {
        taken.ended = true;
      }
    };
    return taken;
  }

  /** Waits until the reader takes no more. */
  async function untilStill(taken: { pages: number }): Promise<number> {
    for (let before = -1; before !== taken.pages; await pause(150)) before = taken.pages;
    return taken.pages;
  }

  const many = inject('counts').resultPages;
  it(`of ${many * objects.length} objects is sent at the pace of its reader`, async () => {
    const taken = counted(many);
    const response = await gateway.begin('/search.txt?query-string=x').answer;
    const pageLength = 100 * (text.length + 1);
    // Data between here and the reader: pieces, the buffers of streams and sockets.
    const ahead = 16 * 1024 * 1024;
    let received = 0;
    let furthest = 0;
    for await (const chunk of response) {
      received += chunk.length;
      furthest = Math.max(furthest, taken.pages * pageLength - received);
      await turn();
    }
    expect(received).toBe(many * pageLength);
    expect(furthest).toBeLessThan(ahead);
  });

  it('waits for a slow reader, and aborts for one that never continues', async () => {
    const taken = counted(10_000);
    const { answer: response, gone } = shortStall.begin('/search?query-string=x');
    const stalled = await response;
    stalled.on('error', () => {});
    expect(await untilStill(taken)).toBeLessThan(1000);
    await expect.poll(() => taken.ended).toBe(true);
    gone();
  });
});
