// What the steps of a release share. They run in the top folder of a checkout.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix, resolve } from 'node:path';

/** A reason to stop that a publisher can remove. */
export class Refusal extends Error {}

/**
 * Runs a step with the arguments of its program. `--help` prints its description instead: the comment at the top of its
 * file. A refusal is printed without its stack.
 */
export async function runStep(file, step) {
  const args = process.argv.slice(2);
  if (args[0] === '--help') {
    const [description] = /^(?:\/\/.*\n)+/.exec(readFileSync(file, 'utf8'));
    process.stdout.write(description.replaceAll(/^\/\/ ?/gm, ''));
    return;
  }
  try {
    await step(...args);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}

/** The version in package.json. */
export function currentVersion() {
  return JSON.parse(readFileSync('package.json', 'utf8')).version;
}

/** The tag that is released: RELEASE_TAG, else that of the version in package.json. */
export function releaseTag() {
  return process.env.RELEASE_TAG || `v${currentVersion()}`;
}

/** The folder of what is released: RELEASE_DIR, else one for each version. Creates it. */
export function releaseDirectory() {
  const directory = resolve(process.env.RELEASE_DIR || `dist/release/${currentVersion()}`);
  mkdirSync(directory, { recursive: true });
  return directory;
}

/** The result of `pack` for a temporary folder, which is removed afterwards. */
export function inStaging(pack) {
  const staging = mkdtempSync(join(tmpdir(), 'cadastre-release-'));
  try {
    return pack(staging);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** The address of the publisher's repository, without "/" at the end: RELEASE_HOME. */
export function homePage() {
  return setting('RELEASE_HOME', /^https:\/\/[^\s/]+\/\S*[^\s/]$/, 'https://github.com/example/cadastre');
}

/** The registry of images and the chart, and the path in it: RELEASE_REGISTRY. */
export function imageRegistry() {
  return setting('RELEASE_REGISTRY', /^[a-z0-9.-]+(:\d+)?(\/[a-z0-9._-]+)*$/, 'ghcr.io/example');
}

function setting(name, form, example) {
  const value = process.env[name] ?? '';
  if (!form.test(value)) throw new Refusal(`Set ${name}, for example ${name}=${example}`);
  return value;
}

/** Markdown of a file in a folder of the repository, with links that work elsewhere. */
export function withAbsoluteLinks(markdown, folder = '.') {
  const root = `${homePage()}/blob/${releaseTag()}`;
  return markdown.replaceAll(
    /(?<=\]\()(?![a-z]+:|#)[^)\s]+(?=\))/g,
    (link) => `${root}/${posix.join(folder, link).replace(/^(\.\.\/)+/, '')}`,
  );
}

/** What package.json says of a package in a folder of the publisher's repository. */
export function packageLinks(folder) {
  const home = homePage();
  return {
    homepage: `${home}/tree/${releaseTag()}/${folder}`,
    repository: { type: 'git', url: `git+${home}.git`, directory: folder },
  };
}
