import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import type { OnEnd } from './cleaning.ts';
import { checkout, git } from './revision.ts';

const run = promisify(execFile);

/** A built checkout of another commit. */
export interface BaseCheckout {
  /** Abbreviated. */
  readonly commit: string;
  readonly directory: string;
}

interface Options {
  readonly say: (line: string) => void;
  readonly onEnd: OnEnd;
}

/** Checks a commit out into a new directory and builds it; `onEnd` removes it. Errors: Error for an unknown commit. */
export async function checkOutBase(
  revision: string,
  directory: string,
  { say, onEnd }: Options,
): Promise<BaseCheckout> {
  const commit = await git('rev-parse', '--verify', '--short=10', `${revision}^{commit}`).catch(() => {
    throw new Error(`BENCH_BASE: there is no commit "${revision}"`);
  });
  const ending = new AbortController();
  const built = build(commit, directory, ending.signal, say);
  onEnd(async () => {
    ending.abort();
    // A process that still writes files would prevent the removal of the directory.
    await built.catch(() => undefined);
    await git('worktree', 'remove', '--force', directory);
  });
  await built;
  return { commit, directory };
}

async function build(commit: string, directory: string, signal: AbortSignal, say: Options['say']): Promise<void> {
  await git('worktree', 'add', '--quiet', '--detach', directory, commit);
  const isSame = await hasSamePackages(directory);
  if (isSame) await sharePackages(directory);
  say(isSame ? `Building ${commit}` : `Building ${commit}, which needs other npm packages`);
  const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
  await run('make', ['--silent', 'build'], { cwd: directory, env, signal }).catch(
    (error: { stdout?: string; stderr?: string }) => {
      throw new Error(`${commit} cannot be built:\n${error.stdout || error.stderr || error}`);
    },
  );
}

/** Whether the packages of others are the same, and each package of the base is one of ours. */
async function hasSamePackages(directory: string): Promise<boolean> {
  const [ours, theirs] = await Promise.all([checkout, directory].map(installedBy));
  return theirs!.own.every((place) => ours!.own.includes(place)) && isDeepStrictEqual(theirs!.others, ours!.others);
}

/** A package in package-lock.json; a link to one of ours, or one of others. */
interface LockedPackage {
  readonly link?: boolean;
  readonly version?: string;
  readonly integrity?: string;
}

/** What `npm install` installs: links to our packages, and packages of others at their places. */
async function installedBy(root: string) {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  const installed = Object.entries(packages).filter(([place]) => place.includes('node_modules/'));
  const [own, others] = [true, false].map((isLink) => installed.filter(([, { link = false }]) => link === isLink));
  return {
    own: own!.map(([place]) => place),
    others: Object.fromEntries(others!.map(([place, { version, integrity }]) => [place, `${version} ${integrity}`])),
  };
}

const ownScope = '@cadastre';

/** Links to the packages of this checkout, except our own, which must be those of the other one. */
async function sharePackages(directory: string): Promise<void> {
  const { workspaces } = JSON.parse(await readFile(join(checkout, 'package.json'), 'utf8')) as { workspaces: string[] };
  for (const folder of ['.', ...workspaces]) {
    await linkPackages(join(checkout, folder, 'node_modules'), join(directory, folder, 'node_modules'));
  }
  // By these files make knows that the packages are there; those before ADR 0073 have the first.
  for (const name of ['.installed', '.run', '.all']) await writeFile(join(directory, 'node_modules', name), '');
}

async function linkPackages(from: string, to: string): Promise<void> {
  const names = await readdir(from).catch((): string[] => []);
  if (names.length > 0) await mkdir(to, { recursive: true });
  for (const name of names.filter((one) => one !== ownScope)) await symlink(join(from, name), join(to, name));
  if (!names.includes(ownScope)) return;
  await mkdir(join(to, ownScope));
  for (const name of await readdir(join(from, ownScope))) {
    await symlink(await readlink(join(from, ownScope, name)), join(to, ownScope, name));
  }
}
