import { createHash, randomBytes } from 'node:crypto';
import { keepSecret } from '@cadastre/service/testing';
import { webClientId } from '../../src/identity-client.js';
import type { Answer, RequestOptions, Rest } from './rest.js';
import type { RunningSystem } from './run-system.js';

/** The redirect URL of the web application of a trial. */
export const redirectUrl = 'https://localhost:8443/session/callback';

/** Signs in like the web application, and returns the tokens. */
export async function obtainTokens(
  issuer: string,
  login: string,
  redirectUri = redirectUrl,
): Promise<{ id_token: string; access_token: string }> {
  const verifier = randomBytes(32).toString('base64url');
  const question = new URLSearchParams({
    client_id: webClientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid email',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const back = await signIn(`${issuer}/auth?${question}`, login, redirectUri);
  const code = new URL(back).searchParams.get('code') ?? '';
  const grant = { grant_type: 'authorization_code', client_id: webClientId, redirect_uri: redirectUri };
  const body = new URLSearchParams({ ...grant, code, code_verifier: verifier });
  const response = await fetch(`${issuer}/token`, { method: 'POST', body });
  const tokens = (await response.json()) as { id_token: string; access_token: string };
  keepSecret(verifier, code, tokens.id_token, tokens.access_token);
  return tokens;
}

/** The cookies that a response sets, for the header Cookie. */
export const cookiesOf = (answer: Answer) =>
  (answer.headers['set-cookie'] ?? []).map((one) => one.split(';')[0]!).join('; ');

/** A user who is signed in in a page of the web interface: the options for all requests. */
export async function openSession(
  rest: Rest,
  { https }: Pick<RunningSystem, 'https'>,
  login: string,
): Promise<RequestOptions> {
  const started = await rest('/session/login');
  const back = new URL(await signIn(started.headers.location!, login, `${https}/session/callback`));
  const opened = await rest(`${back.pathname}${back.search}`, { headers: { cookie: cookiesOf(started) } });
  return { credential: undefined, headers: { cookie: cookiesOf(opened), origin: https } };
}

/** Follows redirects with cookies and picks an account, like a browser, until redirected to the application. */
export async function signIn(start: string, login: string, redirect: string): Promise<string> {
  const cookies = new Map<string, string>();
  const visit = async (url: string, init: RequestInit = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { ...init, redirect: 'manual', headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      cookies.set(name!, value!);
    }
    return response;
  };
  let response = await visit(start);
  for (let step = 0; step < 6; step++) {
    const location = response.headers.get('location');
    if (location?.startsWith(redirect)) return location;
    if (!location) throw new Error(`no redirect: ${await response.text()}`);
    const url = new URL(location, start).href;
    response = await visit(url);
    const account = accountButton(await response.clone().text(), login);
    if (account) response = await visit(url, { method: 'POST', body: new URLSearchParams({ account }) });
  }
  throw new Error('never sent back');
}

/** The value of the button with this label. */
function accountButton(page: string, name: string): string | undefined {
  return new RegExp(`value="([^"]+)">${name}<`).exec(page)?.[1];
}
