import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Configuration, Provider } from 'oidc-provider';
import type { IdentityAccount, IdentityAccounts } from './identity-accounts.js';
import { readBody } from './request-body.js';

/** Path of the sign-in page. */
export const signInPath = '/sign-in';

/** The page on which anyone picks an account, without a password. */
export function signInHandler(provider: Provider, accounts: IdentityAccounts) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const interaction = await provider.interactionDetails(request, response).catch(() => undefined);
    if (!interaction) return page(response, 400, '<p>This sign-in has expired. Go back to the application.</p>');
    if (request.method !== 'POST') return page(response, 200, accountForm(accounts.all()));
    const picked = new URLSearchParams((await readBody(request)) ?? '').get('account') ?? '';
    const account = accounts.find(picked);
    if (!account || account.active === false) return page(response, 400, accountForm(accounts.all()));
    await provider.interactionFinished(request, response, { login: { accountId: account.id } });
  };
}

/** Grants the web application everything it requests, without a consent page. */
export const grantWithoutAsking: NonNullable<Configuration['loadExistingGrant']> = async (ctx) => {
  const grant = new ctx.oidc.provider.Grant({
    accountId: ctx.oidc.session!.accountId!,
    clientId: ctx.oidc.client!.clientId,
  });
  grant.addOIDCScope('openid email profile offline_access');
  await grant.save();
  return grant;
};

function accountForm(accounts: IdentityAccount[]): string {
  const buttons = accounts.map(
    ({ id, userName }) => `<p><button name="account" value="${escapeHtml(id)}">${escapeHtml(userName)}</button></p>`,
  );
  return `<form method="post"><p>Sign in as</p>${buttons.join('')}</form>`;
}

/** The page that asks before it ends the session here; that of the library loads fonts from another host. */
export function signOutPage(form: string): string {
  return document(`${form}<p><button name="logout" value="yes" form="op.logoutForm">Yes, sign me out</button></p>`);
}

function page(response: ServerResponse, status: number, content: string): void {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  };
  response.writeHead(status, headers).end(document(content));
}

function document(content: string): string {
  const head = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Sign in</title>';
  return `${head}<h1>Local identity provider</h1>${content}</html>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
