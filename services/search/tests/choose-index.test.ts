import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { readSettings, SettingsError } from '@cadastre/service';
import { createAuthority, testLogger } from '@cadastre/service/testing';
import { afterAll, afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { chooseIndex } from '../src/choose-index.js';
import { searchSettings } from '../src/settings.js';

const opensearch = 'CADASTRE_SEARCH_OPENSEARCH';
const storeCa = 'CADASTRE_STORE_CA_FILE';

function indexOf(settings: Record<string, string>) {
  const addresses = { CADASTRE_OBJECTS_ADDRESS: '127.0.0.1:9', CADASTRE_GEO_ADDRESS: '127.0.0.1:9' };
  return chooseIndex(readSettings(searchSettings, { ...addresses, ...settings }), testLogger());
}

test.each<[string, Record<string, string>, string]>([
  ['OpenSearch without URL', { [`${opensearch}_URL`]: '' }, `${opensearch}_URL: missing`],
  ['a URL without scheme', { [`${opensearch}_URL`]: 'http://n1:9200, n2:9200' }, `${opensearch}_URL: must be http or`],
  ['a key without certificate', { [`${opensearch}_KEY_FILE`]: '/nowhere' }, `${opensearch}_CERT_FILE: missing`],
  ['no CA file', { [storeCa]: '/nowhere' }, `${storeCa}: the file cannot be read (ENOENT)`],
])('%s is a settings error', async (_, settings, said) => {
  const valid = { CADASTRE_SEARCH_ADAPTER: 'opensearch', [`${opensearch}_URL`]: 'http://n1:9200' };
  const opening = indexOf({ ...valid, ...settings });
  await expect(opening).rejects.toThrow(SettingsError);
  await expect(opening).rejects.toThrow(said);
});

describe('OpenSearch over TLS', () => {
  const authority = createAuthority();
  const certificate = authority.certify('opensearch');
  const servers: Server[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
  });
  afterAll(() => authority.remove());

  /** A node that finds nothing; resolves to its URL. Adds the credentials of each client to `asking`. */
  async function startNode(asking: string[], status = 200): Promise<string> {
    const [cert, key, ca] = [certificate.tlsCertFile, certificate.tlsKeyFile, certificate.tlsCaFile].map((file) =>
      readFileSync(file),
    );
    const options = { cert: cert!, key: key!, ca: ca!, requestCert: true, rejectUnauthorized: false };
    const server = createServer(options, (request, response) => {
      const [, credentials = ''] = request.headers.authorization?.split(' ') ?? [];
      const { authorized } = request.socket as TLSSocket;
      asking.push(`${status} ${Buffer.from(credentials, 'base64')} ${authorized ? 'certified' : 'unknown'}`);
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `https://localhost:${(server.address() as AddressInfo).port}`;
  }

  const trusted = { CADASTRE_SEARCH_ADAPTER: 'opensearch', [storeCa]: certificate.tlsCaFile };

  test('search proves who it is by the password of the URL and the certificate of the settings', async () => {
    const asking: string[] = [];
    const url = await startNode(asking);
    const { tlsCertFile, tlsKeyFile } = authority.certify('search');
    const index = await indexOf({
      ...trusted,
      [`${opensearch}_URL`]: url.replace('//', '//search:a%3Asecret@'),
      [`${opensearch}_CERT_FILE`]: tlsCertFile,
      [`${opensearch}_KEY_FILE`]: tlsKeyFile,
    });
    await index.check();
    await index.stop();
    expect(asking).toEqual(['200 search:a:secret certified']);
  });

  test('a request goes to the next node when one cannot serve, and later ones leave that node out', async () => {
    // No read is repeated because its node is slow, and no node comes back.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const asking: string[] = [];
    const nodes = ['https://localhost:1', await startNode(asking, 503), await startNode(asking)];
    const index = await indexOf({ ...trusted, [`${opensearch}_URL`]: nodes.join(', ') });
    for (let n = 0; n < 6; n++) await index.check();
    await index.stop();
    expect(asking.filter((one) => one.startsWith('503'))).toHaveLength(1);
    expect(asking.filter((one) => one.startsWith('200'))).toHaveLength(6);
  });
});
