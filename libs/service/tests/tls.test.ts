import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import { connect as connectTcp } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { credentials, Metadata, makeClientConstructor } from '@grpc/grpc-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  connect,
  createAccess,
  createMetrics,
  createRpcServer,
  implement,
  type Metrics,
  type MutualTls,
  mutualTls,
  type RpcServer,
  readSettings,
  rpcSettings,
} from '../src/index.js';
import { arithmetic, NumberService } from './number-service.js';
import { type CertificateFiles, createAuthority, replaceCertificate } from './test-certificates.js';
import { testLogger } from './testing.js';

const authority = createAuthority();
const intervalMs = 20;
const double = NumberService.double.path;
const opened: { close(): void }[] = [];

function open(files: CertificateFiles): MutualTls {
  const tls = mutualTls(files, { intervalMs })!;
  opened.push(tls);
  return tls;
}

interface Started {
  server: RpcServer;
  address: string;
  metrics: Metrics;
  /** The last caller. */
  seen(): string;
}

async function start(files: CertificateFiles, env: Record<string, string> = {}): Promise<Started> {
  let seen = '';
  const metrics = createMetrics('test');
  const handlers = {
    ...arithmetic,
    double: async (n: number, { caller }: { caller: string }) => {
      seen = caller;
      return 2 * n;
    },
  };
  const server = createRpcServer({
    name: 'test',
    logger: testLogger(),
    metrics,
    address: 'localhost:0',
    tls: open(files),
    implementations: [implement(NumberService, handlers)],
    access: createAccess({
      settings: readSettings(rpcSettings, env),
      allowedCallers: { [double]: ['gateway'] },
      withTls: true,
      logger: testLogger(),
      metrics,
      intervalMs,
    }),
  });
  return { server, address: (await server.start()).address, metrics, seen: () => seen };
}

/** The outcome of a call of a method: "ok", or the kind of its failure. */
async function outcome(address: string, tls: MutualTls | undefined, method: 'double' | 'sum' = 'double') {
  const client = connect(NumberService, { address, tls, deadlineMs: 60_000 });
  try {
    await (method === 'double' ? client.double(1) : client.sum(numbers()));
    return 'ok';
  } catch (error) {
    return (error as { kind: string }).kind;
  } finally {
    client.close();
  }
}

async function* numbers() {
  yield 1;
}

const tokens = { billing: 'token-of-billing', other: 'token-of-another' };
const tokensFile = join(authority.directory, 'tokens');
const tokenLine = (name: keyof typeof tokens) => `${name} ${createHash('sha256').update(tokens[name]).digest('hex')}\n`;

/** The gRPC status of a call with a token and no certificate. */
function codeWithToken(address: string, token: string | undefined): Promise<number> {
  const Client = makeClientConstructor({ double: NumberService.double } as never, 'NumberService');
  const client = new Client(address, credentials.createSsl(readFileSync(join(authority.directory, 'ca.crt'))));
  const metadata = new Metadata();
  if (token !== undefined) metadata.set('authorization', `Bearer ${token}`);
  return new Promise((resolve) => {
    client.double!(1, metadata, { deadline: Date.now() + 60_000 }, (error: { code: number } | null) => {
      client.close();
      resolve(error?.code ?? 0);
    });
  });
}

let strict: Started;
let withTokens: Started;

beforeAll(async () => {
  writeFileSync(tokensFile, `# callers\n${tokenLine('billing')}`);
  const server = authority.certify('server', ['server']);
  const rules = {
    CADASTRE_RPC_ALLOW:
      'billing=cadastre.test.v1.NumberService/Double,spiffe://example.net/audit=cadastre.test.v1.NumberService',
  };
  strict = await start(server, rules);
  withTokens = await start(server, { ...rules, CADASTRE_RPC_TOKENS_FILE: tokensFile });
});
afterAll(async () => {
  await strict.server.stop(0);
  await withTokens.server.stop(0);
  for (const one of opened) one.close();
  authority.remove();
});

test.each([
  ['our service, for what it needs', 'gateway', 'double', 'ok', 'gateway'],
  ['our service, for what it does not need', 'gateway', 'sum', 'forbidden', undefined],
  ['the operator, for everything', 'operator', 'sum', 'ok', undefined],
  ['a system, for the method that it may use', 'Billing', 'double', 'ok', 'billing'],
  ['a system, for another method', 'billing', 'sum', 'forbidden', undefined],
  ['a system with a URI, for its service', 'spiffe://example.net/audit', 'sum', 'ok', undefined],
  ['a certified stranger, whatever the common name says', 'stranger', 'double', 'forbidden', undefined],
] as const)('%s', async (_, name, method, expected, seen) => {
  const tls = open(authority.certify(name.replaceAll('/', '-'), [name]));
  expect(await outcome(strict.address, tls, method)).toBe(expected);
  if (seen) expect(strict.seen()).toBe(seen);
});

test('without a certificate there is no connection', async () => {
  expect(await outcome(strict.address, undefined)).toBe('unavailable');
});

test('a certificate of another CA gets no connection', async () => {
  const foreign = createAuthority();
  const files = { ...foreign.certify('gateway'), tlsCaFile: join(authority.directory, 'ca.crt') };
  expect(await outcome(strict.address, open(files))).toBe('unavailable');
  expect(await outcome(withTokens.address, open(files))).toBe('unauthenticated');
  foreign.remove();
});

test('the operator may rename our services; their own names then mean nothing', async () => {
  const files = authority.certify('renamed', ['renamed']);
  const renamed = await start(files, { CADASTRE_RPC_PEERS: 'gateway=Registry-Gateway.example' });
  const named = (name: string) => open(authority.certify(name, [name]));
  expect(await outcome(renamed.address, named('registry-gateway.example'))).toBe('ok');
  expect(renamed.seen()).toBe('gateway');
  expect(await outcome(renamed.address, named('gateway'))).toBe('forbidden');
  await renamed.server.stop(0);
});

test('a token identifies its owner, and the file may change', async () => {
  expect(await codeWithToken(withTokens.address, tokens.billing)).toBe(0);
  expect(withTokens.seen()).toBe('billing');
  expect(await codeWithToken(withTokens.address, undefined)).toBe(16);
  expect(await codeWithToken(withTokens.address, tokens.other)).toBe(16);
  writeFileSync(tokensFile, 'billing is not a digest\n');
  writeFileSync(tokensFile, tokenLine('billing') + tokenLine('other'));
  // Known now, but nothing was granted to it.
  await expect.poll(() => codeWithToken(withTokens.address, tokens.other)).toBe(7);
});

test('certificates still count where there are tokens', async () => {
  const tls = open(authority.certify('gateway-again', ['gateway']));
  expect(await outcome(withTokens.address, tls)).toBe('ok');
  expect(await outcome(withTokens.address, tls, 'sum')).toBe('forbidden');
});

test('a caller that makes too many calls is refused; our services are not limited', async () => {
  const files = authority.certify('limited', ['limited']);
  const limited = await start(files, { CADASTRE_RPC_CALLER_LIMITS: 'rate=3' });
  const asOperator = open(authority.certify('operator-again', ['operator']));
  const asGateway = open(authority.certify('gateway-third', ['gateway']));
  // On one connection, so that they arrive together.
  const client = connect(NumberService, {
    address: limited.address,
    tls: asOperator,
    deadlineMs: 60_000,
  });
  const calls = Array.from({ length: 20 }, () =>
    client.double(1).then(
      () => 'ok',
      (error: { kind: string }) => error.kind,
    ),
  );
  const outcomes = await Promise.all(calls);
  client.close();
  expect(outcomes.slice(0, 3)).toEqual(['ok', 'ok', 'ok']);
  expect(outcomes).toContain('exhausted');
  expect(await limited.metrics.metrics()).toMatch(
    /cadastre_rpc_limited_total\{caller="operator",limit="rate".*\} [1-9]/,
  );
  const ours = await Promise.all(Array.from({ length: 20 }, () => outcome(limited.address, asGateway)));
  expect(new Set(ours)).toEqual(new Set(['ok']));
  await limited.server.stop(0);
});

/** Serial number of the certificate that a server shows. */
function shownSerial(address: string, files: CertificateFiles): Promise<string> {
  const [host, port] = address.split(':');
  const ca = readFileSync(files.tlsCaFile);
  return new Promise((resolve, reject) => {
    // It shows its certificate before it requests ours.
    const socket = connectTls(
      { host: host!, port: Number(port), ca, servername: 'localhost', ALPNProtocols: ['h2'] },
      () => {
        resolve(socket.getPeerCertificate().serialNumber);
        socket.destroy();
      },
    );
    socket.once('error', reject);
  });
}

test('server and client use replaced certificates for new connections, and ignore bad ones', async () => {
  const files = authority.certify('reloaded', ['gateway']);
  const started = await start(files);
  const before = await shownSerial(started.address, files);
  replaceCertificate(files, authority.certify('renewed', ['gateway']));
  await expect.poll(() => shownSerial(started.address, files)).not.toBe(before);
  const renewed = await shownSerial(started.address, files);
  writeFileSync(files.tlsCertFile, 'not a certificate');
  const clientFiles = authority.certify('client', ['stranger']);
  const clientTls = open(clientFiles);
  expect(await outcome(started.address, clientTls)).toBe('forbidden');
  replaceCertificate(clientFiles, authority.certify('client-renewed', ['gateway']));
  await expect.poll(() => outcome(started.address, clientTls)).toBe('ok');
  expect(await shownSerial(started.address, clientFiles)).toBe(renewed);
  await started.server.stop(0);
});

test('a new CA ends the connections of callers that the old one certified', async () => {
  const files = authority.certify('server-of-two', ['server']);
  const ownAuthority = join(authority.directory, 'own-ca.crt');
  copyFileSync(files.tlsCaFile, ownAuthority);
  const started = await start({ ...files, tlsCaFile: ownAuthority });
  const tls = open(authority.certify('gateway-of-old', ['gateway']));
  const client = connect(NumberService, { address: started.address, tls, deadlineMs: 60_000 });
  expect(await client.double(1)).toBe(2);
  const successor = createAuthority();
  copyFileSync(join(successor.directory, 'ca.crt'), ownAuthority);
  const call = () => client.double(1).catch((error) => error.kind);
  await expect.poll(call).toBe('unavailable');
  client.close();
  successor.remove();
  await started.server.stop(0);
});

test('a metric shows the expiry of the certificate', async () => {
  const metrics = createMetrics('test');
  const tls = mutualTls(authority.certify('told'), { metrics })!;
  const seconds = Number(/not_after_seconds\{.*\} (\S+)/.exec(await metrics.metrics())?.[1]);
  expect(seconds).toBeGreaterThan(Date.now() / 1000);
  tls.close();
});

test.each([
  [
    'some of the files are missing',
    { tlsCertFile: 'x', tlsKeyFile: undefined, tlsCaFile: undefined },
    /set all or none/,
  ],
  ['a file is not there', { tlsCertFile: '/x', tlsKeyFile: '/x', tlsCaFile: '/x' }, /ENOENT/],
])('settings are refused when %s', (_, files, problem) => {
  expect(() => mutualTls(files)).toThrow(problem);
});

test('a server stops though a client has connected and does not begin with TLS', async () => {
  const { server, address } = await start(authority.certify('silent', ['localhost']));
  const [host, port] = address.split(':');
  const client = connectTcp({ host: host!, port: Number(port) });
  await once(client, 'connect');
  await server.stop(0);
  client.destroy();
});

test('a server that stops ends a connection that is established meanwhile', async () => {
  const files = authority.certify('late', ['localhost']);
  const { server, address } = await start(files);
  const [host, port] = address.split(':');
  const socket = connectTcp({ host: host!, port: Number(port) });
  await once(socket, 'connect');
  const stopped = server.stop(60_000);
  const ca = readFileSync(files.tlsCaFile);
  const [cert, key] = [readFileSync(files.tlsCertFile), readFileSync(files.tlsKeyFile)];
  const client = connectHttp2(`https://${address}`, {
    createConnection: () => connectTls({ socket, ca, cert, key, ALPNProtocols: ['h2'], servername: 'localhost' }),
  });
  await once(client, 'goaway');
  client.destroy();
  await stopped;
});
