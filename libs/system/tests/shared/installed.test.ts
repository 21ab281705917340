import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ObjectReaderServiceService, SourceKind } from '@cadastre/proto/objects';
import {
  createAccess,
  createMetrics,
  createRpcServer,
  implement,
  mutualTls,
  readSettings,
  rpcSettings,
  type ServiceDefinition,
} from '@cadastre/service';
import { createAuthority, testLogger } from '@cadastre/service/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { runProgram } from '../harness/run-program.js';

// The command line program as others install it: from a package, without this checkout and without a registry.
const packer = fileURLToPath(new URL('../../../../scripts/pack-cli.mjs', import.meta.url));
const system = inject('sharedSystem');
/** Node.js 24 before others; npm may belong to another one. */
const path = `${dirname(process.execPath)}:${process.env.PATH}`;
let directory: string;
let program: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cadastre-installed-'));
  const packed = (await runProgram(process.execPath, [packer, join(directory, 'packed')], { PATH: path })).trim();
  const prefix = join(directory, 'elsewhere');
  await mkdir(prefix);
  const npm = { PATH: path, HOME: directory, npm_config_cache: join(directory, 'cache') };
  // `--offline` makes npm fail where it would need a registry.
  await runProgram('npm', ['install', '--offline', '--no-audit', '--no-fund', '--prefix', prefix, packed], npm);
  expect(await readdir(join(prefix, 'node_modules'))).toEqual(['.bin', '.package-lock.json', 'cadastre']);
  program = join(prefix, 'node_modules/.bin/cadastre');
});

afterAll(() => rm(directory, { recursive: true, force: true }));

const cadastre = (args: string[], env: Record<string, string>) => runProgram(program, args, { PATH: path, ...env });

test.each([
  ['the directory of make run', { CADASTRE_DATA_DIR: system.dataDirectory }],
  ['gRPC addresses', { CADASTRE_OBJECTS_ADDRESS: system.objects, CADASTRE_SEARCH_ADDRESS: system.search }],
])('it finds a registry by %s', async (_, env) => {
  expect(await cadastre(['status'], env)).toMatch(/^SOURCE .*\nTEST +main +\d+ +\d+\n/);
  expect(await cadastre(['export', '--source', 'TEST', '--type', 'irt'], env)).toMatch(/^irt: .*\n/);
});

test('it proves itself by a certificate', async () => {
  const authority = createAuthority();
  const tls = mutualTls(authority.certify('objects'))!;
  const [metrics, logger] = [createMetrics('objects'), testLogger()];
  const settings = readSettings(rpcSettings, {});
  const sources = [{ name: 'TEST', kind: SourceKind.SOURCE_KIND_MAIN, serial: 7n }];
  const server = createRpcServer({
    ...{ name: 'objects', logger, metrics, address: 'localhost:0', tls },
    implementations: [
      implement(ObjectReaderServiceService as ServiceDefinition, { listSources: async () => ({ sources }) }),
    ],
    access: createAccess({ settings, allowedCallers: {}, withTls: true, logger, metrics }),
  });
  try {
    const { address } = await server.start();
    const files = ({ tlsCertFile, tlsKeyFile, tlsCaFile }: ReturnType<typeof authority.certify>) => ({
      CADASTRE_OBJECTS_ADDRESS: address,
      CADASTRE_TLS_CERT_FILE: tlsCertFile,
      CADASTRE_TLS_KEY_FILE: tlsKeyFile,
      CADASTRE_TLS_CA_FILE: tlsCaFile,
    });
    expect(await cadastre(['status'], files(authority.certify('operator')))).toMatch(/^TEST +main +7 +not asked\n/m);
    await expect(cadastre(['status'], files(authority.certify('stranger')))).rejects.toThrow('Unknown caller');
  } finally {
    await server.stop(0);
    tls.close();
    authority.remove();
  }
});

test('it finds make run in the current folder', async () => {
  const found = await new Promise((resolve) => {
    execFile(program, ['status'], { cwd: directory, env: { PATH: path } }, (_error, _stdout, stderr) =>
      resolve(stderr),
    );
  });
  expect(found).toContain(`No registry is running in ${join(directory, '.data')}.`);
});

test('it knows its version, and generates', async () => {
  expect(await cadastre(['--version'], {})).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(await cadastre(['generate', '--objects', '100'], {})).toContain('source:         TEST\n');
});
