import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startBreakingProxy } from './harness/breaking-proxy.js';
import { cadastre, cadastreOnce, type Finished } from './harness/cadastre.js';
import { inDatabase as statementIn } from './harness/in-database.js';
import { personText } from './harness/person-text.js';
import { descendants } from './harness/processes.js';
import { freshDirectory, type RunningSystem, runSystem } from './harness/run-system.js';

// Loads and exports resume after every break, by the real command against the real services.
vi.setConfig({ testTimeout: 400_000 });

let data: Awaited<ReturnType<typeof freshDirectory>>;
let system: RunningSystem;
const file = (name: string) => join(data.directory, name);

beforeAll(async () => {
  data = await freshDirectory();
  system = await runSystem(data.directory, { CADASTRE_GRS_SOURCES: 'EXAMPLE-GRS' });
});

afterAll(async () => {
  await system?.stop();
  await data?.remove();
});

const remarks = `remarks:        ${'0123456789abcdef'.repeat(250)}\n`.repeat(60);
/** 29 MB: the service processes only a few MB of it at a time. */
const objects = 120;
const dump = (name: string) =>
  Array.from({ length: objects }, (_, n) =>
    personText(name, `LW${n + 1}-TEST`).replace(/^source:.*/m, `${remarks}source:         EXAMPLE-GRS`),
  ).join('\n');

const inDatabase = (statement: string) => statementIn(data.directory, statement);

const breaks = {
  'the connection is cut': async () => 'cut' as const,
  'objects is killed': async () => {
    const isObjects = ({ command }: { command: string }) => command.includes('services/objects/dist/main.js');
    process.kill(descendants(system.pid).find(isObjects)!.pid, 'SIGKILL');
    return 'cut' as const;
  },
  'PostgreSQL ends the connections': async () => {
    await inDatabase(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'cadastre-objects-%'`,
    );
    return 'continue' as const;
  },
};
type Break = keyof typeof breaks;

interface Broken {
  readonly by: Break;
  readonly counted: 'sent' | 'received';
  readonly bytes: number;
}

/** Runs the command; breaks something after some bytes of its connection. */
async function runBroken(args: string[], stdin: string, { by, counted, bytes }: Broken): Promise<Finished> {
  const path = file('proxy.sock');
  const proxy = await startBreakingProxy({ path, target: system.objects, counted, bytes, breakNow: breaks[by] });
  try {
    return await cadastreOnce(system, args, stdin, { CADASTRE_OBJECTS_ADDRESS: proxy.address });
  } finally {
    await proxy.stop();
  }
}

const load = (args: string[], stdin: string, by: Break) =>
  runBroken(['load', '--source', 'EXAMPLE-GRS', ...args], stdin, { by, counted: 'sent', bytes: 20_000_000 });

/** Loads the text again without a break: everything must be there. */
async function expectLoaded(text: string): Promise<void> {
  const { stdout } = await cadastre(system, ['load', '--source', 'EXAMPLE-GRS', '-'], text);
  expect(stdout).toMatch(new RegExp(`^0 created, 0 modified, ${objects} unchanged`));
}

test('a first load, which stores everything at its end, starts again', async () => {
  await writeFile(file('dump.txt'), dump('First Load'));
  const { code, stdout, stderr } = await load([file('dump.txt')], '', 'the connection is cut');
  expect([code, stderr]).toEqual([0, expect.stringMatching(/^connection lost; starting again, because nothing/)]);
  expect(stdout).toMatch(new RegExp(`^${objects} created, 0 modified, 0 unchanged, 0 deleted, 0 rejected`));
  await expectLoaded(dump('First Load'));
  // From here on the registry is no longer small, so that loads are stored in parts.
  await inDatabase(
    `insert into objects.object (source_id, type, revision, deleted, serial, announced, modified, key, text, refs)
     select id, 11, 1, true, 1, 1, now(), 'many' || n, '', '{}'
     from objects.source, generate_series(1, 20001) as n where name = 'EXAMPLE-GRS'`,
  );
});

const all = Object.keys(breaks) as Break[];

test.each(all)('when %s, a load of a file resumes where it stopped', async (by) => {
  const text = dump(`File ${all.indexOf(by)}`);
  await writeFile(file('dump.txt'), text);
  const { code, stdout, stderr } = await load([file('dump.txt')], '', by);
  expect([code, stderr]).toEqual([0, expect.stringMatching(/^connection lost; resuming at object \d+\n/m)]);
  expect(stdout).toMatch(/, 0 deleted, 0 rejected in /);
  await expectLoaded(text);
});

test.each(all)('when %s, a load with --replace from standard input resumes and deletes what it must', async (by) => {
  const other = personText('To Be Deleted', 'LX1-TEST').replace(/^source:.*/m, 'source: EXAMPLE-GRS');
  await cadastre(system, ['load', '--source', 'EXAMPLE-GRS', '-'], other);
  const text = dump(`Pipe ${all.indexOf(by)}`);
  const { code, stdout, stderr } = await load(['--replace', '-'], text, by);
  expect([code, stderr]).toEqual([0, expect.stringMatching(/^connection lost; resuming at object \d+\n/m)]);
  expect(stdout).toMatch(new RegExp(`^0 created, ${objects} modified, 0 unchanged, 1 deleted, 0 rejected`));
  await expectLoaded(text);
});

test.each(all)('when %s, an export resumes, and its file is complete', async (by) => {
  await cadastre(system, ['load', '--source', 'EXAMPLE-GRS', '-'], dump('Exported'));
  const args = ['export', '--source', 'EXAMPLE-GRS', '--output', file('export.txt')];
  const { code, stderr } = await runBroken(args, '', { by, counted: 'received', bytes: 5_000_000 });
  const text = await readFile(file('export.txt'), 'latin1');
  const count = text.match(/^nic-hdl:/gm)!.length;
  expect([code, stderr]).toEqual([0, expect.stringMatching(new RegExp(`^${count} objects as of serial \\d+\n$`, 'm'))]);
  // Between two pages an export holds no connection to PostgreSQL, so it may not even notice.
  if (by !== 'PostgreSQL ends the connections')
    expect(stderr).toMatch(/^connection lost; resuming after \d+ objects\n/m);
  await expectLoaded(text);
});

test('an export that cannot resume leaves the existing file, and nothing else', async () => {
  await writeFile(file('export.txt'), 'an earlier export');
  const args = ['export', '--source', 'EXAMPLE-GRS', '--output', file('export.txt'), '--retry', '0s'];
  const { code, stderr } = await runBroken(args, '', {
    by: 'the connection is cut',
    counted: 'received',
    bytes: 5_000_000,
  });
  expect([code, stderr]).toEqual([2, expect.stringContaining('The registry does not respond')]);
  expect(await readFile(file('export.txt'), 'utf8')).toBe('an earlier export');
  expect((await readdir(data.directory)).filter((name) => name.includes('.part'))).toEqual([]);
});
