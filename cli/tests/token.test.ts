import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ObjectReaderServiceService, SourceKind } from '@cadastre/proto/objects';
import {
  createAccess,
  createMetrics,
  createRpcServer,
  implement,
  mutualTls,
  type RpcServer,
  readSettings,
  rpcSettings,
  type ServiceDefinition,
} from '@cadastre/service';
import { createAuthority, testLogger } from '@cadastre/service/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cadastre } from './fake-registry.js';

const authority = createAuthority();
const file = (name: string, content: string) => {
  const path = join(authority.directory, name);
  writeFileSync(path, content);
  return path;
};
const token = file('token', 'token-of-the-operator\n');
const wrong = file('wrong-token', 'another-token\n');
const certificate = authority.certify('objects');
const tls = mutualTls(certificate)!;
const ca = certificate.tlsCaFile;
let server: RpcServer;
let address: string;

beforeAll(async () => {
  const digest = createHash('sha256').update('token-of-the-operator').digest('hex');
  const tokens = file('tokens', `operator ${digest}\n`);
  const [metrics, logger] = [createMetrics('objects'), testLogger()];
  const settings = readSettings(rpcSettings, { CADASTRE_RPC_TOKENS_FILE: tokens });
  const sources = [{ name: 'TEST', kind: SourceKind.SOURCE_KIND_MAIN, serial: 7n }];
  server = createRpcServer({
    ...{ name: 'objects', logger, metrics, address: 'localhost:0', tls },
    implementations: [
      implement(ObjectReaderServiceService as ServiceDefinition, { listSources: async () => ({ sources }) }),
    ],
    access: createAccess({ settings, allowedCallers: {}, withTls: true, logger, metrics }),
  });
  ({ address } = await server.start());
});

afterAll(async () => {
  await server.stop(0);
  tls.close();
  authority.remove();
});

test.each<[string, Record<string, string>, number, string]>([
  ['its token', { CADASTRE_TOKEN_FILE: token, CADASTRE_TLS_CA_FILE: ca }, 0, 'TEST'],
  [
    'another token',
    { CADASTRE_TOKEN_FILE: wrong, CADASTRE_TLS_CA_FILE: ca },
    2,
    'A certificate or a token is required',
  ],
  ['a token that it would send to anybody', { CADASTRE_TOKEN_FILE: token }, 2, 'needs CADASTRE_TLS_CA_FILE'],
  [
    'a token and a certificate',
    { CADASTRE_TOKEN_FILE: token, CADASTRE_TLS_CA_FILE: ca, CADASTRE_TLS_CERT_FILE: certificate.tlsCertFile },
    2,
    'excludes the other TLS files',
  ],
  ['a file that is not there', { CADASTRE_TOKEN_FILE: '/nowhere', CADASTRE_TLS_CA_FILE: ca }, 2, '/nowhere'],
  ['an empty file', { CADASTRE_TOKEN_FILE: '/dev/null', CADASTRE_TLS_CA_FILE: ca }, 2, 'has no token'],
])('the program with %s', async (_what, env, code, said) => {
  const finished = await cadastre(['status'], { CADASTRE_OBJECTS_ADDRESS: address, ...env });
  expect([finished.code, finished.stdout + finished.stderr]).toEqual([code, expect.stringContaining(said)]);
});
