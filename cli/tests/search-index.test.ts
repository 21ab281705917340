import { type Rebuild, RebuildPhase, SearchServiceService, type SourceIndexStatus } from '@cadastre/proto/search';
import {
  createMetrics,
  createRpcServer,
  implement,
  mutualTls,
  type ServiceDefinition,
  ServiceError,
} from '@cadastre/service';
import { createAuthority, testLogger } from '@cadastre/service/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cadastre, type Finished, fake, startFakeRegistry } from './fake-registry.js';

const instant = new Date('2026-01-02T03:04:05Z');

let registry: Awaited<ReturnType<typeof startFakeRegistry>>;
let sources: SourceIndexStatus[];
let begin: (source: string, fromStart: boolean) => string;
/** The stream of each call of WatchRebuild; an error breaks it. */
let watched: (Rebuild | Error)[][];

beforeAll(async () => {
  registry = await startFakeRegistry([
    fake(SearchServiceService, {
      getIndexStatus: async () => ({ sources }),
      rebuildIndex: async ({ source, fromStart = false }) => ({ id: begin(source, fromStart) }),
      async *watchRebuild({ id }, { signal }) {
        for (const one of watched.shift() ?? []) {
          if (one instanceof Error) throw one;
          yield { rebuild: { ...one, id } };
        }
        if (watched.length > 0) return;
        await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      },
    }),
  ]);
});

afterAll(() => registry?.stop());

beforeEach(() => {
  sources = [indexOf('TEST'), indexOf('EXAMPLE-GRS')];
  begin = () => '7';
  watched = [];
});

function indexOf(source: string, more: Partial<SourceIndexStatus> = {}): SourceIndexStatus {
  const sound = { serial: 9n, reached: instant, rebuilding: false, objects: 5n, behind: 0n, rebuild: undefined };
  return { source, ...sound, ...more };
}

function rebuild(phase: RebuildPhase, more: Partial<Rebuild> = {}): Rebuild {
  const times = { started: instant, advanced: instant };
  return { id: '7', phase, objects: 2n, expectedObjects: 5n, serial: 9n, failure: '', ...times, ...more };
}

const exporting = rebuild(RebuildPhase.REBUILD_PHASE_EXPORT);
const finished = rebuild(RebuildPhase.REBUILD_PHASE_FINISHED, { objects: 5n });

/** Runs the program; sends it a signal when it writes this text. */
function run(args: string[], interruptAt?: string): Promise<Finished> {
  return cadastre(['index', ...args], registry.env, '', interruptAt);
}

describe('index status', () => {
  test('shows each index with its rebuild, as a table or as JSON', async () => {
    sources[1] = indexOf('EXAMPLE-GRS', { rebuilding: true, rebuild: exporting, behind: 3n });
    const { code, stdout } = await run(['status']);
    expect([code, stdout]).toEqual([
      0,
      'SOURCE       SERIAL  BEHIND  OBJECTS  REACHED               REBUILD  COPIED  OF ABOUT  ADVANCED              FAILURE\n' +
        'TEST         9       0       5        2026-01-02T03:04:05Z  -        -       -         -                     -\n' +
        'EXAMPLE-GRS  9       3       5        2026-01-02T03:04:05Z  export   2       5         2026-01-02T03:04:05Z  -\n',
    ]);
    const json = JSON.parse((await run(['status', '--json'])).stdout);
    expect(json[1]).toMatchObject({ source: 'EXAMPLE-GRS', behind: 3, rebuild: 'export', copied: 2, failure: null });
  });

  test.each([
    ['no index', { reached: undefined, serial: 0n, objects: 0n }, 'no index'],
    [
      'a failed rebuild',
      { rebuild: rebuild(RebuildPhase.REBUILD_PHASE_FAILED, { failure: 'full disk' }) },
      'full disk',
    ],
    ['a rebuild that waits', { rebuild: { ...exporting, failure: 'objects is away' } }, 'objects is away'],
  ])('exits with 2 for %s', async (_, more, shown) => {
    sources[1] = indexOf('EXAMPLE-GRS', more);
    const { code, stdout } = await run(['status']);
    expect([code, stdout]).toEqual([2, expect.stringContaining(shown)]);
  });
});

describe('index rebuild', () => {
  test('starts a rebuild of the main source, or of a named one', async () => {
    const begun: unknown[] = [];
    begin = (...given) => {
      begun.push(given);
      return '7';
    };
    const started = 'rebuild 7 of TEST runs; "cadastre index status" shows its progress\n';
    expect(await run(['rebuild'])).toEqual({ code: 0, stdout: started, stderr: '' });
    await run(['rebuild', 'example-grs', '--from-start']);
    expect(begun).toEqual([
      ['TEST', false],
      ['EXAMPLE-GRS', true],
    ]);
  });

  test('--wait shows the progress, also across a restart of the service', async () => {
    watched = [[exporting, new ServiceError('unavailable', 'stopping')], [finished]];
    expect(await run(['rebuild', '--wait'])).toEqual({
      code: 0,
      stdout: 'the index of TEST is rebuilt: 5 objects\n',
      // On a busy machine the restart may take so long that the next report comes.
      stderr: expect.stringMatching(/^TEST: 2 of about 5 objects copied\n(?:TEST: 5 objects\n)?$/),
    });
  });

  test('--wait reports why a rebuild waits, and why it failed', async () => {
    const waiting = { ...exporting, failure: 'objects is away' };
    watched = [[exporting, waiting, rebuild(RebuildPhase.REBUILD_PHASE_FAILED, { failure: 'full disk' })]];
    const { code, stdout, stderr } = await run(['rebuild', '--wait']);
    expect([code, stdout, stderr.split('\n')]).toEqual([
      2,
      '',
      [
        'TEST: 2 of about 5 objects copied',
        'TEST: 2 objects copied, waits: objects is away',
        'TEST: failed',
        'cadastre: The rebuild of TEST failed: full disk',
        '',
      ],
    ]);
  });

  test('one that is running already is waited for, but not started again', async () => {
    begin = () => {
      throw new ServiceError('conflict', 'A rebuild of TEST is already running');
    };
    expect(await run(['rebuild'])).toMatchObject({
      code: 2,
      stderr: 'cadastre: A rebuild of TEST is already running\n',
    });
    sources[0] = indexOf('TEST', { rebuilding: true, rebuild: exporting });
    watched = [[finished]];
    expect(await run(['rebuild', '--wait'])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('a rebuild of TEST is already running: waiting for that one\n'),
    });
  });

  test('Ctrl-C ends the waiting only, and says so', async () => {
    watched = [[exporting]];
    expect(await run(['rebuild', '--wait'], 'objects copied')).toEqual({
      code: 130,
      stdout: '',
      stderr:
        'TEST: 2 of about 5 objects copied\n' +
        'interrupted; the rebuild of TEST continues, "cadastre index status" shows its progress\n',
    });
  });

  test('an unknown source exits with 2', async () => {
    begin = () => {
      throw new ServiceError('invalid', "Invalid source 'NOWHERE'");
    };
    expect((await run(['rebuild', 'NOWHERE'])).code).toBe(2);
  });
});

describe('while no replica is ready', () => {
  const authority = createAuthority();
  const files = authority.certify('operator', ['search.invalid']);
  const tls = mutualTls(files)!;
  const handlers = { getIndexStatus: async () => ({ sources }), rebuildIndex: async () => ({ id: '8' }) };
  const server = createRpcServer({
    ...{ name: 'search', logger: testLogger(), metrics: createMetrics('search'), tls },
    // The certificate has no such address.
    address: '127.0.0.2:0',
    implementations: [implement(SearchServiceService as ServiceDefinition, handlers)],
  });
  let env: Record<string, string>;
  beforeAll(async () => {
    const { address } = await server.start();
    env = {
      CADASTRE_SEARCH_ADDRESS: 'search.invalid:9090',
      CADASTRE_SEARCH_ANY_ADDRESS: address,
      CADASTRE_TLS_CERT_FILE: files.tlsCertFile,
      CADASTRE_TLS_KEY_FILE: files.tlsKeyFile,
      CADASTRE_TLS_CA_FILE: files.tlsCaFile,
    };
  });
  afterAll(async () => {
    await server.stop(0);
    tls.close();
    authority.remove();
  });

  test.each([
    [['status'], 'export'],
    [['rebuild'], 'rebuild 8 of TEST runs'],
  ])('index %s asks one that builds its index, which has the certificate of the service', async (args, shown) => {
    sources[0] = indexOf('TEST', { rebuild: exporting });
    const { stdout } = await cadastre(['index', ...args], env);
    expect(stdout).toContain(shown);
  });

  test('replicas with another certificate are not asked', async () => {
    const { stderr } = await cadastre(['index', 'status'], { ...env, CADASTRE_SEARCH_ADDRESS: 'other.invalid:9090' });
    expect(stderr).toContain('does not respond');
  });

  test('a ready replica is asked first', async () => {
    sources[0] = indexOf('TEST', { objects: 4711n });
    const { stdout } = await cadastre(['index', 'status'], {
      ...registry.env,
      CADASTRE_SEARCH_ANY_ADDRESS: 'none.invalid:1',
    });
    expect(stdout).toContain('4711');
  });
});
