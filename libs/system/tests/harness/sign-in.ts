import { createHash, randomBytes } from 'node:crypto';
import { keepSecret } from '@cadastre/service/testing';
import { webClientId } from '../../src/identity-provider.js';

/** Where the web application of a trial is called back. */
export const redirectUrl = 'https://localhost:8443/session/callback';

/** Signs in as the web application would, and tells the tokens. */
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

/** Follows redirects with cookies and picks an account, as a browser would, until sent back to the application. */
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

/** The value of the button that is labelled with a name. */
function accountButton(page: string, name: string): string | undefined {
  return new RegExp(`value="([^"]+)">${name}<`).exec(page)?.[1];
}
