import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { reservePort } from '@cadastre/service';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { parse } from 'yaml';
import { isInstalled, isSkipped } from '../../../service/tests/testing.js';
import { eventually } from '../harness/eventually.js';

// The modules of the chart's probes, in a real blackbox exporter, on a real system.
const system = inject('sharedSystem');
const modules = fileURLToPath(new URL('../../../../deploy/helm/cadastre/monitoring/blackbox.yaml', import.meta.url));
const program = 'prometheus-blackbox-exporter';

describe.skipIf(
  isSkipped(
    'the probes of the chart',
    [program].filter((name) => !isInstalled(name)),
  ),
)('probes', () => {
  let directory: string;
  let address: string;
  let exporter: ChildProcess;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'cadastre-probes-'));
    const config = parse(await readFile(modules, 'utf8')) as { modules: Record<string, Record<string, object>> };
    // The system has a certificate of its own.
    for (const module of [config.modules.cadastre_rest!, config.modules.cadastre_rdap!]) {
      module.http = { ...module.http, tls_config: { ca_file: system.certificate } };
    }
    const file = join(directory, 'blackbox.json');
    await writeFile(file, JSON.stringify(config));
    address = `127.0.0.1:${await reservePort()}`;
    exporter = spawn(program, [`--config.file=${file}`, `--web.listen-address=${address}`], { stdio: 'ignore' });
    await eventually(() => fetch(`http://${address}/-/healthy`));
  });
  afterAll(async () => {
    const exited = once(exporter, 'exit');
    if (exporter.kill()) await exited;
    await rm(directory, { recursive: true, force: true });
  });

  async function probe(module: string, target: string) {
    const query = new URLSearchParams({ module: `cadastre_${module}`, target, debug: 'true' });
    const log = await (await fetch(`http://${address}/probe?${query}`)).text();
    return { success: /^probe_success (\d)$/m.exec(log)?.[1], log };
  }

  test.each([
    ['rest', `${system.https}/TEST/mntner/EXAMPLE-MNT`],
    ['rdap', `${system.https}/rdap/entity/EXAMPLE-MNT`],
    ['whois', system.whois],
  ])('%s succeeds at %s, also when repeated', async (module, target) => {
    for (const _ of [1, 2]) {
      const { success, log } = await probe(module, target);
      expect(success, log).toBe('1');
    }
  });

  test('the end of the certificate is known', async () => {
    expect((await probe('rest', `${system.https}/TEST/mntner/EXAMPLE-MNT`)).log).toMatch(
      /^probe_ssl_earliest_cert_expiry [\d.e+]+$/m,
    );
  });

  test.each([
    ['rest', 'an object that does not exist', `${system.https}/TEST/mntner/NOBODY-HAS-THIS-MNT`],
    ['rest', 'a page', `${system.https}/`],
    ['rest', 'without TLS', `${system.http}/TEST/mntner/EXAMPLE-MNT`],
    ['rdap', 'an object that does not exist', `${system.https}/rdap/entity/NOBODY-HAS-THIS-MNT`],
    ['rdap', 'REST', `${system.https}/TEST/mntner/EXAMPLE-MNT`],
    ['whois', 'a server of HTTP', new URL(system.http).host],
    ['whois_tls', 'port 43 without TLS', system.whois],
  ])('%s fails for %s', async (module, _, target) => {
    const { success, log } = await probe(module, target);
    expect(success, log).toBe('0');
  });

  test('port 43 that answers with an error fails', async () => {
    const server = createServer((socket) => socket.end('%ERROR:100: internal software error\n\n\n'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { success, log } = await probe('whois', `127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.close();
    expect(success, log).toBe('0');
  });
});
