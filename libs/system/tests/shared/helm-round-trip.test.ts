import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import type { Finished } from '../harness/cadastre.js';

// What `helm test` runs in the cluster, on a real system: only the addresses differ.
const checkout = fileURLToPath(new URL('../../../../', import.meta.url));
const script = join(checkout, 'deploy/helm/cadastre/test/round-trip.mjs');
const system = inject('sharedSystem');
let directory: string;

// The script retries each of its steps for a minute.
vi.setConfig({ testTimeout: 600_000 });

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cadastre-round-trip-'));
  await writeClientCertificate();
});

afterAll(() => rm(directory, { recursive: true }));

/** The client certificate that the chart creates for its test. */
async function writeClientCertificate(): Promise<void> {
  const template = [
    'template',
    'trial',
    join(checkout, 'deploy/helm/cadastre'),
    '-s',
    'templates/tests/round-trip.yaml',
  ];
  const { stdout } = await promisify(execFile)(process.execPath, [join(checkout, 'scripts/helm.mjs'), ...template]);
  for (const kind of ['crt', 'key']) {
    const [, base64] = new RegExp(`^  tls\\.${kind}: (\\S+)$`, 'm').exec(stdout)!;
    await writeFile(join(directory, `client.${kind}`), Buffer.from(base64!, 'base64'));
  }
}

function runScript(env: Record<string, string>): Promise<Finished> {
  const settings = {
    PATH: process.env.PATH,
    CADASTRE_DATA_DIR: system.dataDirectory,
    TEST_SOURCE: 'TEST',
    TEST_URL: system.https,
    TEST_CERTIFICATE_URL: system.certHttps,
    TEST_CA_FILE: system.certificate,
    TEST_WHOIS: system.whois,
    TEST_CERT_FILE: join(directory, 'client.crt'),
    TEST_KEY_FILE: join(directory, 'client.key'),
    TEST_CADASTRE: JSON.stringify([join(checkout, 'bin/cadastre')]),
    ...env,
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [script], { env: settings }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

describe('the round trip of `helm test`', () => {
  test('creates, finds, changes and deletes an object, and can run again', async () => {
    for (const _ of ['first', 'second']) {
      const { code, stdout, stderr } = await runScript({ TEST_WRITE: 'true' });
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toContain('can be found');
      expect(stdout).toContain('The registry works.');
    }
  });

  test('waits for a registry that does not respond yet', async () => {
    const flag = join(directory, 'was-asked');
    const program = `[ -e '${flag}' ] || { touch '${flag}'; exit 2; }; exec '${join(checkout, 'bin/cadastre')}' "$@"`;
    const cadastre = JSON.stringify(['sh', '-c', program, 'cadastre']);
    const { code, stderr } = await runScript({ TEST_WRITE: 'true', TEST_CADASTRE: cadastre });
    expect([code, stderr]).toEqual([0, '']);
  });

  test('only reads where it may not write', async () => {
    const { code, stdout } = await runScript({ TEST_WRITE: 'false', TEST_CERTIFICATE_URL: 'https://localhost:1' });
    expect([code, stdout]).toEqual([0, expect.not.stringContaining('POST')]);
  });

  test('fails with the response', async () => {
    const { code, stderr } = await runScript({ TEST_WRITE: 'false', TEST_SOURCE: 'NOWHERE' });
    expect([code, stderr]).toEqual([1, expect.stringContaining('expected: sources name NOWHERE')]);
  });
});
