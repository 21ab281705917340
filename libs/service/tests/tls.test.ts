import { fileURLToPath } from 'node:url';
import { AuthenticationServiceService } from '@cadastre/proto/auth';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect, createMetrics, createRpcServer, implement, type RpcServer, type TlsFiles } from '../src/index.js';
import { testLogger } from '../src/testing.js';

const file = (name: string) => fileURLToPath(new URL(`tls/${name}`, import.meta.url));
const tls = (name: string): TlsFiles => ({
  certFile: file(`${name}.crt`),
  keyFile: file(`${name}.key`),
  caFile: file('ca.crt'),
});

let server: RpcServer;
let address: string;
let seenCaller: string;

beforeAll(async () => {
  const implementation = implement(AuthenticationServiceService, {
    authenticate: async (_request, call) => {
      seenCaller = call.caller;
      return { outcome: 1, principal: undefined, messages: [] };
    },
  });
  server = createRpcServer({
    name: 'test',
    logger: testLogger(),
    metrics: createMetrics('test'),
    address: 'localhost:0',
    tls: tls('server'),
    implementations: [implementation],
    allowedCallers: { 'cadastre.auth.v1.AuthenticationService': ['gateway'] },
  });
  address = (await server.start()).address;
});
afterAll(() => server.stop(0));

async function callAs(files: TlsFiles | undefined): Promise<string> {
  const client = connect(AuthenticationServiceService, { address, tls: files, deadlineMs: 5000, name: 'test' });
  try {
    await client.authenticate({ basic: '', bearerToken: '', session: '', clientCertificate: Buffer.alloc(0) });
    return 'ok';
  } catch (error) {
    return (error as { kind: string }).kind;
  } finally {
    client.close();
  }
}

test('a caller on the list is let in and known by the name in its certificate', async () => {
  expect(await callAs(tls('gateway'))).toBe('ok');
  expect(seenCaller).toBe('gateway');
});

test('a caller that is certified but not on the list is refused', async () => {
  expect(await callAs(tls('stranger'))).toBe('forbidden');
});

test('a caller without a certificate gets no connection', async () => {
  expect(await callAs(undefined)).toBe('unavailable');
});
