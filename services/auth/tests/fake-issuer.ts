import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

/** A small identity provider that signs whatever a test wants, right or wrong. */
export interface FakeIssuer {
  url: string;
  /** The claims of the identity token of the next sign-in, in addition to issuer, audience and times. */
  idToken: JWTPayload;
  /** Signs a token; the claims given replace the usual ones, `undefined` leaves one out. */
  sign(claims: JWTPayload, options?: { key?: CryptoKey | Uint8Array; alg?: string; kid?: string }): Promise<string>;
  /** How often its keys were fetched. */
  keyRequests: number;
  /** The requests to the token endpoint. */
  exchanges: URLSearchParams[];
  /** "hang" never answers; "broken" answers 500; "refuse" rejects the code. */
  mode: 'ok' | 'hang' | 'broken' | 'refuse';
  /** Ends every connection, and with it the waiting requests. */
  hangUp(): void;
  close(): Promise<void>;
}

export const clientId = 'cadastre-web';
export const audience = 'https://rest.example.net/test';

/** All issuers of a test file have this key: generating an RSA key is slow. */
const keyPair = generateKeyPair('RS256');

export async function startFakeIssuer(): Promise<FakeIssuer> {
  const { privateKey, publicKey } = await keyPair;
  const jwk = { ...(await exportJWK(publicKey)), kid: 'key-1', alg: 'RS256', use: 'sig' };
  const server = createServer(async (request, response) => {
    const send = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.url === '/jwks') fake.keyRequests++;
    if (request.url === '/token' && fake.mode === 'hang') fake.exchanges.push(new URLSearchParams());
    if (fake.mode === 'hang') return;
    if (fake.mode === 'broken') return void send(500, {});
    if (request.url === '/.well-known/openid-configuration') return void send(200, metadata(fake.url));
    if (request.url === '/jwks') return void send(200, { keys: [jwk] });
    fake.exchanges.push(new URLSearchParams(await bodyOf(request)));
    if (fake.mode === 'refuse') return void send(400, { error: 'invalid_grant' });
    const idToken = await fake.sign({ aud: clientId, ...fake.idToken });
    send(200, { access_token: 'opaque', token_type: 'bearer', id_token: idToken });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const fake: FakeIssuer = {
    url: `http://127.0.0.1:${port}`,
    idToken: {},
    exchanges: [],
    keyRequests: 0,
    mode: 'ok',
    async sign(claims, { key = privateKey, alg = 'RS256', kid = 'key-1' } = {}) {
      const seconds = Math.floor(Date.now() / 1000);
      const usual = { iss: fake.url, aud: audience, sub: 'a-1', iat: seconds, exp: seconds + 300 };
      return new SignJWT({ ...usual, ...claims }).setProtectedHeader({ alg, kid }).sign(key);
    },
    hangUp: () => server.closeAllConnections(),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return fake;
}

function metadata(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    end_session_endpoint: `${issuer}/logout`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    authorization_response_iss_parameter_supported: true,
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
