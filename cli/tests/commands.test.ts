import { spawnSync } from 'node:child_process';
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ApiKeyServiceService, BlockListServiceService, type CreateApiKeyRequest } from '@cadastre/proto/auth';
import {
  type AttachTagRequest,
  BulkLoadServiceService,
  ChangeFeedServiceService,
  DeletionRefusal,
  DumpEncoding,
  EmailMarkServiceService,
  type EraseHistoryRequest,
  HistoryServiceService,
  type LoadRequest,
  type LoadResponse,
  ObjectReaderServiceService,
  SourceKind,
  TagServiceService,
} from '@cadastre/proto/objects';
import { RebuildPhase, SearchServiceService } from '@cadastre/proto/search';
import { ServiceError } from '@cadastre/service';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { cadastre, fake, startFakeRegistry } from './fake-registry.js';

const counts = { created: 2n, modified: 0n, unchanged: 0n, deleted: 0n, rejected: 0n };
const summary = { ...counts, serial: 7n, danglingMaintainers: 0n, danglingExamples: [] as string[] };
const seen = {
  load: '',
  settings: [] as unknown[],
  tags: [] as AttachTagRequest[],
  keys: [] as CreateApiKeyRequest[],
  erased: [] as EraseHistoryRequest[],
};
let answers: LoadResponse['news'][];
/** The state of the index at each request: its serial, or what happens to it at serial 3. */
let indexed: (bigint | 'building' | 'failed')[];
let directory: string;
let registry: Awaited<ReturnType<typeof startFakeRegistry>>;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cadastre-cli-files-'));
  registry = await startFakeRegistry([
    fake(BulkLoadServiceService, { load: takeLoad }),
    fake(ChangeFeedServiceService, {
      async *watch(request) {
        yield { changes: [], serial: request.afterSerial };
        yield { changes: [], serial: 7n };
      },
    }),
    fake(SearchServiceService, {
      getIndexStatus: async () => ({ sources: [indexStatus(indexed.length > 1 ? indexed.shift()! : indexed[0]!)] }),
    }),
    fake(ObjectReaderServiceService, {
      listSources: async () => ({
        sources: [{ name: 'TEST', kind: SourceKind.SOURCE_KIND_MAIN, serial: 7n }],
      }),
      async *exportObjects() {
        yield { serial: 7n, objects: [object('person:         Bjørn\n'), object('person:         Ann\n')] };
      },
    }),
    fake(HistoryServiceService, {
      eraseHistory: async (request) => {
        seen.erased.push(request);
        return { versions: 3, notices: request.lastRevision === 0 ? 1 : 0 };
      },
    }),
    fake(TagServiceService, {
      attachTag: async (request) => {
        seen.tags.push(request);
        return { changed: request.keys.length, serial: 8n };
      },
      listTags: async ({ source, tagId, after, limit }) => {
        const key = { source: source || 'EXAMPLE-GRS', type: 'person', key: `${after}aa1-test` };
        const tag = { id: tagId || 'unref', data: after === '' ? '28' : '' };
        return { tags: Array(Math.min(limit || 1, 2)).fill({ key, tag }), next: after === '' ? 'a' : '' };
      },
    }),
    fake(EmailMarkServiceService, {
      markEmails: async ({ addresses }) => ({ changed: addresses.length }),
      unmarkEmails: async () => ({ changed: 0 }),
      confirmEmails: async ({ addresses }) => ({ changed: addresses.length }),
      listMarkedEmails: async ({ mark, after }) => ({
        emails: [{ address: `${after}a@example.net`, mark, marked: new Date('2026-01-02') }],
        next: after === '' ? 'a' : '',
      }),
    }),
    fake(BlockListServiceService, {
      addBlock: async ({ prefix, reason, addedBy, until }) => {
        if (prefix === 'x') throw new ServiceError('invalid', '"x" cannot be blocked');
        return { block: { prefix, reason, addedBy, until, created: new Date('2026-01-02') } };
      },
      removeBlock: async ({ prefix }) => ({ block: { prefix, reason: '', addedBy: '' } }),
      listBlocks: async () => ({
        version: 1n,
        unchanged: false,
        blocks: [{ prefix: '192.0.2.0/24', reason: 'harvesting', addedBy: 'olga', created: new Date('2026-01-02') }],
      }),
    }),
    fake(ApiKeyServiceService, {
      createApiKey: async (request) => {
        seen.keys.push(request);
        return { apiKey: key('K1', request.expires), credential: 'c2VjcmV0' };
      },
      listApiKeys: async () => ({ apiKeys: [key('K1', new Date('2020-01-01')), key('K2', new Date('2999-01-01'))] }),
      revokeApiKey: async () => {
        throw new ServiceError('not-found', 'There is no such key');
      },
    }),
  ]);
});

afterAll(async () => {
  await registry.stop();
  await rm(directory, { recursive: true, force: true });
});

beforeEach(() => {
  seen.load = '';
  answers = [{ $case: 'summary', value: summary }];
  indexed = [7n];
});

async function* takeLoad(requests: AsyncIterable<LoadRequest>): AsyncGenerator<LoadResponse> {
  for await (const { part } of requests) {
    if (part?.$case === 'settings') seen.settings.push(part.value);
    else if (part?.$case === 'data') seen.load += part.value.toString('latin1');
  }
  for (const news of answers) yield { news };
}

function indexStatus(state: bigint | 'building' | 'failed') {
  const index = { source: 'TEST', reached: undefined, objects: 2n };
  if (typeof state === 'bigint') return { ...index, serial: state, rebuilding: false };
  const failure = state === 'failed' ? 'no space left' : '';
  const rebuild = {
    id: '1',
    phase: RebuildPhase.REBUILD_PHASE_EXPORT,
    objects: 1n,
    expectedObjects: 2n,
    serial: 7n,
    failure,
  };
  return { ...index, serial: 3n, rebuilding: true, rebuild };
}

function object(text: string) {
  const none = { created: undefined, lastModified: undefined, contacts: [], tags: [] };
  return { source: 'TEST', type: 'person', key: 'X1-TEST', text, revision: 1, serial: 1n, ...none };
}

function key(id: string, expires: Date | undefined) {
  const times = { created: new Date('2026-01-01'), expires, revoked: undefined, lastUsed: undefined };
  return { id, name: 'laptop', accountName: 'alice@example.net', maintainer: '', ...times };
}

const run = (args: string[], stdin?: string) => cadastre(args, registry.env, stdin);

describe('load', () => {
  test('streams the text and exits with 0 when everything was loaded', async () => {
    const { code, stdout } = await run(['load', '--source', 'TEST', '-'], 'person: A\n');
    expect([code, seen.load]).toEqual([0, 'person: A\n']);
    expect(stdout).toMatch(/^2 created, 0 modified, 0 unchanged, 0 deleted, 0 rejected .* TEST is at serial 7\n$/);
  });

  test('passes its flags on', async () => {
    await run(['load', '--source', 'TEST', '--replace', '--all-or-nothing', '--utf8', '--dry-run', '-']);
    expect(seen.settings.at(-1)).toEqual({
      source: 'TEST',
      replace: true,
      allOrNothing: true,
      encoding: DumpEncoding.DUMP_ENCODING_UTF8,
      dryRun: true,
      allowedDeletes: undefined,
      resume: undefined,
      resumable: true,
    });
  });

  test.each([
    [['--replace', '--allow-deletes', '12'], 0, 12n],
    [['--replace', '--allow-deletes', 'all'], 0, 2n ** 64n - 1n],
    [['--replace', '--allow-deletes', '-1'], 2, undefined],
    [['--replace', '--allow-deletes', 'many'], 2, undefined],
    [['--allow-deletes', '12'], 2, undefined],
    [['--all-or-nothing'], 2, undefined],
  ])('%j', async (flags, code, allowedDeletes) => {
    seen.settings.length = 0;
    expect((await run(['load', '--source', 'TEST', ...flags, '-'])).code).toBe(code);
    expect(seen.settings).toEqual(code === 0 ? [expect.objectContaining({ allowedDeletes })] : []);
  });

  test.each([
    [DeletionRefusal.DELETION_REFUSAL_NO_OBJECT, 'The text has no object'],
    [DeletionRefusal.DELETION_REFUSAL_REJECTED_OBJECTS, '3 objects of the text were rejected'],
    [DeletionRefusal.DELETION_REFUSAL_TOO_MANY, 'The text lacks too many objects'],
  ])('exits with 2 and says the numbers when the registry refuses to delete (%s)', async (reason, why) => {
    const loaded = { ...summary, rejected: 3n };
    answers = [{ $case: 'refused', value: { reason, deletes: 20n, sourceObjects: 50n, loaded } }];
    const { code, stdout, stderr } = await run(['load', '--source', 'test', '--replace', '-']);
    expect([code, stdout]).toEqual([2, expect.stringMatching(/^2 created, .* 0 deleted, 3 rejected/)]);
    expect(stderr).toBe(
      `cadastre: ${why}: 20 of the 50 objects of TEST are not in the text and would be deleted. Nothing was deleted. ` +
        'Check the dump; --allow-deletes 20 deletes them.\n',
    );
  });

  test('exits with 1 when objects were rejected, and says where and why', async () => {
    answers = [
      { $case: 'rejected', value: { line: 3n, name: 'person X1-TEST', reasons: ['no phone', 'no address'] } },
      { $case: 'summary', value: { ...summary, rejected: 1n } },
    ];
    const { code, stderr } = await run(['load', '--source', 'TEST', '-']);
    expect([code, stderr]).toEqual([1, 'rejected -:3: person X1-TEST: no phone; no address\n']);
  });

  test('--json reports the same as an object', async () => {
    answers = [
      { $case: 'rejected', value: { line: 3n, name: 'person X1-TEST', reasons: ['no phone'] } },
      { $case: 'rejected', value: { line: 9n, name: '', reasons: ['no phone', 'no key'] } },
      {
        $case: 'summary',
        value: { ...summary, rejected: 2n, danglingMaintainers: 3n, danglingExamples: ['A-MNT', 'B-MNT'] },
      },
    ];
    const { code, stdout } = await run(['load', '--source', 'test', '--json', '-']);
    expect([code, JSON.parse(stdout)]).toEqual([
      1,
      {
        ...{ source: 'TEST', serial: 7, dryRun: false, seconds: expect.any(Number) },
        ...{ created: 2, modified: 0, unchanged: 0, deleted: 0, rejected: 2 },
        reasons: [
          { reason: 'no phone', rejected: 2, example: 'person X1-TEST' },
          { reason: 'no key', rejected: 1, example: null },
        ],
        otherReasons: 0,
        missingMaintainers: 3,
        missingExamples: ['A-MNT', 'B-MNT'],
      },
    ]);
  });

  test('names missing maintainers', async () => {
    const dangling = { danglingMaintainers: 3n, danglingExamples: ['A-MNT', 'B-MNT'] };
    answers = [{ $case: 'summary', value: { ...summary, ...dangling } }];
    const { code, stdout } = await run(['load', '--source', 'TEST', '-']);
    expect([code, stdout.split('\n')[1]]).toEqual([
      0,
      '3 referenced maintainers do not exist: A-MNT, B-MNT, ... Load them, or create them as the operator.',
    ]);
  });

  test('writes all rejected objects to a file on request', async () => {
    const reject = { line: 1n, name: '', reasons: ['no object'] };
    answers = [
      ...Array.from({ length: 30 }, () => ({ $case: 'rejected' as const, value: reject })),
      { $case: 'summary', value: { ...summary, rejected: 30n } },
    ];
    const file = join(directory, 'rejects.txt');
    const { stderr } = await run(['load', '--source', 'TEST', '--rejects', file, '-']);
    expect(stderr).toBe(`${file} lists 30 rejected objects\n`);
    expect((await readFile(file, 'utf8')).split('\n').slice(0, 2)).toEqual([
      '-:1: object: no object',
      '-:1: object: no object',
    ]);
  });

  test('a disk that is full for the rejected objects is an error of its own', async () => {
    const reject = { line: 1n, name: '', reasons: ['no object'] };
    answers = [
      { $case: 'rejected', value: reject },
      { $case: 'summary', value: { ...summary, rejected: 1n } },
    ];
    const { code, stderr } = await run(['load', '--source', 'TEST', '--rejects', '/dev/full', '-']);
    expect([code, stderr]).toEqual([2, 'cadastre: no space left on the device\n']);
  });

  test('writes them before the result on standard output on request, but not beside JSON', async () => {
    const reject = { line: 1n, name: '', reasons: ['no object'] };
    const rejected = Array.from({ length: 30 }, () => ({ $case: 'rejected' as const, value: reject }));
    answers = [...rejected, { $case: 'summary', value: { ...summary, rejected: 30n } }];
    const { code, stdout, stderr } = await run(['load', '--source', 'TEST', '--rejects', '-', '-']);
    const lines = stdout.split('\n');
    expect([code, stderr, lines.slice(0, 30)]).toEqual([1, '', Array(30).fill('-:1: object: no object')]);
    expect(lines[30]).toContain('30 rejected in ');
    const refused = await run(['load', '--source', 'TEST', '--rejects', '-', '--json', '-']);
    expect([refused.code, refused.stderr]).toEqual([2, 'cadastre: --json needs a file for --rejects\n']);
  });

  test('shows only the first rejected objects without such a file', async () => {
    const reject = { line: 1n, name: 'x', reasons: ['y'] };
    answers = [
      ...Array.from({ length: 30 }, () => ({ $case: 'rejected' as const, value: reject })),
      { $case: 'summary', value: { ...summary, rejected: 30n } },
    ];
    const lines = (await run(['load', '--source', 'TEST', '-'])).stderr.trimEnd().split('\n');
    expect([lines.length, lines.at(-1)]).toEqual([21, 'rejected 10 more; --rejects FILE writes all of them to a file']);
  });

  test('exits with 2 for a missing file', async () => {
    const { code, stderr } = await run(['load', '--source', 'TEST', '/absent']);
    expect([code, stderr]).toEqual([2, 'cadastre: /absent: no such file\n']);
  });

  test('exits with 2 and the name of a damaged file', async () => {
    const file = join(directory, 'damaged.gz');
    await writeFile(file, Buffer.from('1f8b0800000000000003ff', 'hex'));
    const { code, stderr } = await run(['load', '--source', 'TEST', file]);
    expect(code).toBe(2);
    expect(stderr).toContain(`${file}: is not a complete gzip file`);
  });

  test('exits with 2 when the load ends without a summary', async () => {
    answers = [];
    expect((await run(['load', '--source', 'TEST', '-'])).code).toBe(2);
  });

  test('--wait returns when the search index has the serial', async () => {
    indexed = [3n, 6n, 7n];
    const { code } = await run(['load', '--source', 'test', '--wait', '-']);
    expect([code, indexed]).toEqual([0, [7n]]);
  });

  describe('when ten minutes pass between two looks at the index, --wait', () => {
    beforeEach(() => {
      let now = 0;
      vi.spyOn(performance, 'now').mockImplementation(() => (now += 11 * 60_000));
    });
    afterEach(() => vi.restoreAllMocks());

    test('continues while it moves or is being built', async () => {
      indexed = [3n, 'building', 'building', 4n, 7n];
      expect(await run(['load', '--source', 'test', '--wait', '-'])).toMatchObject({ code: 0 });
    });

    test.each<[string, (bigint | 'building' | 'failed')[], string]>([
      ['stands', [3n, 3n, 3n], ''],
      ['cannot be built', [3n, 'failed', 'failed'], ': no space left'],
    ])('fails when it %s', async (_what, looks, reason) => {
      indexed = looks;
      const { code, stderr } = await run(['load', '--source', 'test', '--wait', '-']);
      expect(code).toBe(2);
      expect(stderr).toContain(`The search index of TEST has been at serial 3 for ten minutes, not 7${reason}\n`);
    });
  });
});

test('export writes ISO 8859-1 with an empty line after each object', async () => {
  const { stdout } = await run(['export', '--source', 'TEST']);
  expect(stdout).toBe('person:         Bjørn\n\nperson:         Ann\n\n');
});

test('history erase says what it erased, and who for the record', async () => {
  seen.erased.length = 0;
  const args = [
    'history',
    'erase',
    'inetnum/192.0.2.0/24',
    '--source',
    'TEST',
    '--reason',
    'court order',
    '--by',
    'ann',
  ];
  expect((await run(args)).stdout).toBe('3 versions and 1 notice lost their texts\n');
  expect((await run([...args, '--through', '2'])).stdout).toBe('3 versions and 0 notices lost their texts\n');
  const key = { source: 'TEST', type: 'inetnum', key: '192.0.2.0/24' };
  const record = { key, reason: 'court order', erasedBy: 'ann' };
  expect(seen.erased).toEqual([
    { ...record, lastRevision: 0 },
    { ...record, lastRevision: 2 },
  ]);
  expect((await run([...args, '--through', 'x'])).code).toBe(2);
});

test.each([
  ['an older service', '2026-01-31', 'The objects service is too old for --as-of'],
  ['no moment', 'yesterday', '--as-of: "yesterday" is not an ISO 8601 time'],
])('export --as-of fails with %s', async (_, moment, message) => {
  const { code, stderr } = await run(['export', '--source', 'TEST', '--as-of', moment]);
  expect([code, stderr]).toEqual([expect.any(Number), expect.stringContaining(message)]);
  expect(code).not.toBe(0);
});

test('export to a file writes nothing to standard output', async () => {
  const file = join(directory, 'export.txt');
  const { stdout } = await run(['export', '--source', 'TEST', '--utf8', '--output', file]);
  expect([stdout, await readFile(file, 'utf8')]).toEqual(['', 'person:         Bjørn\n\nperson:         Ann\n\n']);
});

describe('api-key', () => {
  test('create prints the credential, and nothing else, on standard output', async () => {
    const { code, stdout } = await run(['api-key', 'create', '--user', 'alice@example.net', '--name', 'laptop']);
    expect([code, stdout]).toEqual([0, 'c2VjcmV0\n']);
  });

  test('create creates accounts only in a local registry, or on request', async () => {
    await run(['api-key', 'create', '--user', 'dora@example.net', '--name', 'x']);
    expect(seen.keys.at(-1)?.createAccount).toBe(false);
    await run(['api-key', 'create', '--user', 'dora@example.net', '--name', 'x', '--create-account']);
    expect(seen.keys.at(-1)?.createAccount).toBe(true);
  });

  test('create accepts an ISO 8601 time', async () => {
    await run([
      'api-key',
      'create',
      '--user',
      'a@example.net',
      '--name',
      'x',
      '--expires',
      '2026-12-24T12:00:00+01:00',
    ]);
    expect(seen.keys.at(-1)?.expires).toEqual(new Date('2026-12-24T11:00:00Z'));
  });

  test.each(['tomorrow', '24.12.2026', '2026-13-01'])('create refuses the time "%s"', async (time) => {
    const { code, stderr } = await run(['api-key', 'create', '--user', 'a', '--name', 'x', '--expires', time]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('not an ISO 8601 time')]);
  });

  test('list distinguishes expired keys from valid ones', async () => {
    const { stdout } = await run(['api-key', 'list', '--user', 'alice@example.net']);
    const states = stdout
      .split('\n')
      .slice(1, 3)
      .map((line) => line.split(/ +/)[1]);
    expect(states).toEqual(['expired', 'valid']);
  });

  test('revoke of an unknown key exits with 2 and the message of the registry', async () => {
    const { code, stderr } = await run(['api-key', 'revoke', 'K9']);
    expect([code, stderr]).toEqual([2, 'cadastre: There is no such key\n']);
  });
});

test('tag add accepts keys with slashes', async () => {
  const { stdout } = await run(['tag', 'add', 'unref', 'route/192.0.2.0/24AS64500', '--source', 'TEST', '--data', 'x']);
  expect(stdout).toBe('1 object changed\n');
  expect(seen.tags.at(-1)).toEqual({
    keys: [{ source: 'TEST', type: 'route', key: '192.0.2.0/24AS64500' }],
    tag: { id: 'unref', data: 'x' },
  });
});

test('email confirm: addresses, and those in a file', async () => {
  const file = join(directory, 'addresses.txt');
  await writeFile(file, Array.from({ length: 1_500 }, (_, at) => `n${at}@example.net\r\n`).join('\n'));
  const confirmed = await run(['email', 'confirm', 'a@example.net', '--file', file]);
  expect(confirmed).toEqual({ code: 0, stdout: '1501 addresses confirmed\n', stderr: '' });
  expect((await run(['email', 'confirm', '--file', join(directory, 'none')])).stderr).toContain('no such file');
});

test.each<[string[], Awaited<ReturnType<typeof run>>]>([
  [
    ['tag', 'list'],
    {
      code: 0,
      stdout:
        'TAG    SOURCE       OBJECT            DATA\nunref  EXAMPLE-GRS  person/aa1-test   28\nunref  EXAMPLE-GRS  person/aaa1-test\n',
      stderr: '',
    },
  ],
  [
    ['tag', 'list', 'checked', '--source', 'TEST', '--limit', '1'],
    { code: 0, stdout: 'TAG      SOURCE  OBJECT           DATA\nchecked  TEST    person/aa1-test  28\n', stderr: '' },
  ],
  [
    ['email', 'mark', 'a@example.net', 'b@example.net', '--as', 'excluded'],
    { code: 0, stdout: '2 addresses marked\n', stderr: '' },
  ],
  [['email', 'unmark', 'a@example.net', '--as', 'excluded'], { code: 0, stdout: '0 addresses unmarked\n', stderr: '' }],
  [['email', 'confirm'], { code: 2, stdout: '', stderr: 'cadastre: name an address, or a file with addresses\n' }],
  [
    ['email', 'list', '--as', 'undeliverable'],
    {
      code: 0,
      stdout:
        'ADDRESS         MARK           SINCE\na@example.net   undeliverable  2026-01-02\naa@example.net  undeliverable  2026-01-02\n',
      stderr: '',
    },
  ],
  [
    ['email', 'mark', 'a@example.net', '--as', 'bad'],
    { code: 2, stdout: '', stderr: expect.stringContaining('excluded, undeliverable, unsubscribed') },
  ],
  [
    ['block', 'add', '192.0.2.0/24', '--reason', 'harvesting', '--until', '2027-01-31'],
    { code: 0, stdout: '192.0.2.0/24 is blocked until 2027-01-31T00:00:00Z\n', stderr: '' },
  ],
  [
    ['block', 'add', '192.0.2.1', '--reason', 'x', '--by', 'olga'],
    { code: 0, stdout: '192.0.2.1 is blocked until it is removed\n', stderr: '' },
  ],
  [['block', 'add', 'x', '--reason', 'x'], { code: 2, stdout: '', stderr: 'cadastre: "x" cannot be blocked\n' }],
  [['block', 'add', '192.0.2.1'], { code: 2, stdout: '', stderr: expect.stringContaining('--reason') }],
  [['block', 'remove', '192.0.2.1'], { code: 0, stdout: '192.0.2.1 is no longer blocked\n', stderr: '' }],
  [
    ['block', 'list'],
    {
      code: 0,
      stdout:
        'PREFIX        SINCE                 UNTIL  BY    REASON\n192.0.2.0/24  2026-01-02T00:00:00Z  -      olga  harvesting\n',
      stderr: '',
    },
  ],
])('%j', async (args, expected) => {
  expect(await run(args)).toEqual(expected);
});

test.each<[string[], unknown[]]>([
  [
    ['tag', 'list'],
    [
      { tag: 'unref', source: 'EXAMPLE-GRS', object: 'person/aa1-test', data: '28' },
      { tag: 'unref', source: 'EXAMPLE-GRS', object: 'person/aaa1-test', data: null },
    ],
  ],
  [['status'], [{ source: 'TEST', kind: 'main', serial: 7, searchIndex: 7, replacingSince: null }]],
  [
    ['block', 'list'],
    [{ prefix: '192.0.2.0/24', since: '2026-01-02T00:00:00.000Z', until: null, by: 'olga', reason: 'harvesting' }],
  ],
  [
    ['email', 'list', '--as', 'excluded'],
    [
      { address: 'a@example.net', mark: 'excluded', since: '2026-01-02' },
      { address: 'aa@example.net', mark: 'excluded', since: '2026-01-02' },
    ],
  ],
  [
    ['api-key', 'list', '--user', 'alice@example.net'],
    ['K1', 'K2'].map((id) => expect.objectContaining({ id, maintainer: null, lastUsed: null, name: 'laptop' })),
  ],
])('%j --json prints an array of objects, of --limit the first ones', async (args, expected) => {
  const { code, stdout } = await run([...args, '--json']);
  expect([code, JSON.parse(stdout)]).toEqual([0, expected]);
  const first = await run([...args, '--json', '--limit', '1']);
  expect([first.code, JSON.parse(first.stdout)]).toEqual([0, expected.slice(0, 1)]);
});

test.each(['0', '-1', 'x', '1.5', '1000000000'])('--limit %s is refused', async (limit) => {
  const { code, stderr } = await run(['email', 'list', '--limit', limit]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('It must be a number from 1 to 999999999.')]);
});

test('every command that lists has --json and --limit, and every one that reports has --json', async () => {
  const { stdout } = await run(['completion', 'bash']);
  const options = Object.fromEntries(
    [...stdout.matchAll(/^ {4}'(\S+) '\*\) found='(.*)' ;;$/gm)].map(([, path, words]) => [path, words!.split(' ')]),
  );
  const having = (option: string) => Object.keys(options).filter((path) => options[path]?.includes(option));
  const lists = Object.keys(options).filter((path) => /\/(list|attempts|presets|status)$/.test(path));
  const reports = Object.keys(options).filter((path) => /\/(show|load|mail\/test)$/.test(path));
  expect(lists.length).toBeGreaterThan(8);
  expect(reports.length).toBeGreaterThan(3);
  expect(having('--limit').sort()).toEqual(lists.sort());
  expect(having('--json').sort()).toEqual([...lists, ...reports].sort());
});

test('tag add refuses an object without a type', async () => {
  expect((await run(['tag', 'add', 'unref', 'AS64500', '--source', 'TEST'])).code).toBe(2);
});

test('generate writes the same registry for the same seed', async () => {
  const first = await run(['generate', '--objects', '500', '--seed', '3']);
  const second = await run(['generate', '--objects', '500', '--seed', '3']);
  expect(first.stdout).toBe(second.stdout);
  expect(first.stdout.split('\n\n').length).toBe(501);
});

test('status shows the serials of sources and index', async () => {
  const { code, stdout } = await run(['status']);
  expect([code, stdout]).toEqual([0, 'SOURCE  KIND  SERIAL  SEARCH INDEX\nTEST    main  7       7\n']);
});

test('an unavailable registry exits with 2 and a question', async () => {
  const { code, stderr } = await cadastre(['status'], { CADASTRE_OBJECTS_ADDRESS: 'unix:/nowhere/objects.sock' });
  expect([code, stderr]).toEqual([2, expect.stringContaining('Is it running?')]);
});

test.each([[['load', 'file']], [['nonsense']], [['load', '--source', 'TEST']]])(
  'wrong usage %j exits with 2',
  async (args) => {
    expect((await run(args)).code).toBe(2);
  },
);

test.each([[['help', 'nope']], [['help', 'tag', 'nope']]])('%j says that the command is unknown', async (args) => {
  const { code, stderr } = await run(args);
  expect([code, stderr]).toEqual([2, `error: unknown command '${args.slice(1).join(' ')}'\n`]);
});

test('a full disk on standard output is one line and exit code 2', async () => {
  const program = fileURLToPath(new URL('../dist/main.js', import.meta.url));
  const full = await open('/dev/full', 'w');
  const { status, stderr } = spawnSync(process.execPath, [program, '--help'], { stdio: ['ignore', full.fd, 'pipe'] });
  await full.close();
  expect([status, String(stderr)]).toEqual([2, 'cadastre: standard output: no space left on the device\n']);
});

test.each([[['--help']], [['load', '--help']], [['api-key', '--help']]])('%j exits with 0', async (args) => {
  const { code, stdout } = await run(args);
  expect([code, stdout]).toEqual([0, expect.stringContaining('Usage: cadastre')]);
});

test.each(
  [
    'load',
    'export',
    'api-key create',
    'api-key revoke',
    'api-key list',
    'tag add',
    'tag remove',
    'tag list',
    'email mark',
    'email unmark',
    'email list',
    'mail test',
    'events list',
    'events show',
    'events resend',
    ...['list', 'show', 'attempts', 'test', 'resend', 'disable', 'enable'].map((name) => `webhooks ${name}`),
    'block add',
    'block remove',
    'block list',
    'history erase',
    'generate',
    'index status',
    'index rebuild',
    'status',
  ].map((name) => [name]),
)('the help of %s has an example, the environment and the exit codes', async (name) => {
  const { stdout } = await run([...name.split(' '), '--help']);
  expect(stdout).toMatch(new RegExp(`\nExamples:\n[^]*cadastre ${name} [^]*\nEnvironment:\n[^]*\nExit codes:\n`));
});
