// /session, /session/login, /session/callback

import { isReturnPath, ServiceError } from '@cadastre/service';
import { longCall } from '../backends/call-options.js';
import type { Context } from '../context.js';
import { HttpError, sessionChallenge } from '../errors.js';
import { jsonContent } from '../openapi/content.js';
import { parameter } from '../parameters.js';
import { jsonReply, type RouteReply } from '../reply/send.js';
import { clearCookie, cookieNames, cookieOf, sessionOf, setCookie } from '../reply/session-cookies.js';
import { messages } from '../ripe-messages.js';
import type { PathParameters, Resource, Route, RouteRequest } from '../route.js';

const startQuery = {
  return: parameter.text('Path of this service to return to; default: `/session`.', { example: '/session' }),
};

/** GET that redirects the browser to the identity provider. */
const signInStart: Route<PathParameters, typeof startQuery> = {
  id: 'startSignIn',
  tag: 'Account',
  summary: 'Sign in',
  doc: 'For browsers. Redirects to the identity provider, which redirects back to `/session/callback`; from a page under another name of this host, to the sign-in at its public URL.',
  query: startQuery,
  success: { status: 302, doc: 'Redirect to the identity provider.', headers: ['Location', 'Set-Cookie'] },
  credentials: 'none',
  handler: startSignIn,
};

const callbackQuery = {
  state: parameter.text('The state that the identity provider received.'),
  code: parameter.text('The authorization code.'),
  iss: parameter.text('The identity provider that responded (RFC 9207).'),
  error: parameter.text('Reason why the sign-in failed.'),
};

/** GET to which the identity provider redirects the browser. */
const signInCallback: Route<PathParameters, typeof callbackQuery> = {
  id: 'finishSignIn',
  tag: 'Account',
  summary: 'Finish a sign-in',
  doc: 'The identity provider redirects the browser here (OpenID Connect Core section 3.1.2.5). The sign-in ends, whether it succeeds or fails.',
  query: callbackQuery,
  success: {
    status: 302,
    doc: 'Redirect to the path at which the sign-in began.',
    headers: ['Location', 'Set-Cookie'],
  },
  credentials: 'none',
  handler: finishSignIn,
};

/** GET of the session. */
const sessionRead: Route = {
  id: 'getSession',
  tag: 'Account',
  summary: 'Show the session',
  doc: 'Returns the session of the cookie, with its account.',
  query: {},
  success: { doc: 'The session.', content: jsonContent('CurrentSession') },
  credentials: 'required',
  handler: getSession,
};

/** DELETE of the session: revokes it and removes its cookie. */
const sessionEnd: Route = {
  id: 'endSession',
  tag: 'Account',
  summary: 'Sign out',
  doc: 'Ends the session of the cookie, if there is one. The identity provider has a session of its own: the response has the URL that ends it, or else the next sign-in asks for the account.',
  query: {},
  success: { doc: 'The session has ended.', content: jsonContent('EndedSession'), headers: ['Set-Cookie'] },
  credentials: 'optional',
  handler: endSession,
};

export const sessionResource: Resource = {
  name: 'session',
  url: '/session',
  format: 'json',
  isSecret: true,
  GET: sessionRead,
  DELETE: sessionEnd,
};
export const signInResource: Resource = {
  name: 'sign-in',
  url: '/session/login',
  format: 'text',
  isSecret: true,
  GET: signInStart,
};
export const signInCallbackResource: Resource = {
  name: 'sign-in-callback',
  url: '/session/callback',
  format: 'text',
  isSecret: true,
  GET: signInCallback,
};

/** How long after signing out a sign-in asks for the account. */
const askForAccountMs = 30 * 24 * 3_600_000;

async function startSignIn(
  context: Context,
  request: RouteRequest<PathParameters, typeof startQuery>,
): Promise<RouteReply> {
  const { return: returnPath } = request.query;
  if (!isReturnPath(returnPath)) throw new HttpError(400, messages.badReturnPath());
  const elsewhere = placeOfSignIn(context, request);
  if (elsewhere !== undefined) return redirect(elsewhere, []);
  const started = await context.sessions.startSignIn({ returnPath }, longCall(context, request));
  const cookie = setCookie(cookieNames.signIn, started.signInToken, lasting(started.expires));
  const at = new URL(started.authorizationUrl);
  if (cookieOf(request, cookieNames.signedOut) === undefined) return redirect(at.href, [cookie]);
  at.searchParams.set('prompt', 'select_account');
  return redirect(at.href, [cookie, clearCookie(cookieNames.signedOut)]);
}

/**
 * The sign-in at the public URL, for a page that has another origin: the identity provider redirects to the public URL,
 * where the browser would not send the cookie. The page's own address is in Referer; the header Host may be a proxy's.
 * Only a page of this service is led there, so only once.
 */
function placeOfSignIn({ settings }: Context, { headers, link }: RouteRequest): string | undefined {
  const { referer = '', 'sec-fetch-site': site } = headers;
  if (settings.baseUrl === undefined || site !== 'same-origin' || !URL.canParse(referer)) return undefined;
  return new URL(referer).origin === new URL(settings.baseUrl).origin ? undefined : link;
}

/** Ends the sign-in, whether it succeeds or not. */
async function finishSignIn(
  context: Context,
  request: RouteRequest<PathParameters, typeof callbackQuery>,
): Promise<RouteReply> {
  const over = clearCookie(cookieNames.signIn);
  const signInToken = cookieOf(request, cookieNames.signIn);
  if (signInToken === undefined) throw new HttpError(401, messages.noSignIn(), sessionChallenge);
  const { state, code, iss: issuer, error } = request.query;
  try {
    const finished = await context.sessions.finishSignIn(
      { signInToken, state, code, issuer, error },
      longCall(context, request),
    );
    const cookie = setCookie(cookieNames.session, finished.session, lasting(finished.expires));
    return redirect((isReturnPath(finished.returnPath) && finished.returnPath) || '/session', [cookie, over]);
  } catch (thrown) {
    if (!(thrown instanceof ServiceError) || thrown.kind !== 'unauthenticated') throw thrown;
    throw new HttpError(401, thrown.messages, { ...sessionChallenge, 'set-cookie': over });
  }
}

async function getSession(context: Context, request: RouteRequest): Promise<RouteReply> {
  const session = sessionOf(request);
  if (session === undefined) throw new HttpError(401, messages.notSignedIn(), sessionChallenge);
  const { account, created, expires, idleExpires } = await context.sessions.getSession(
    { session },
    longCall(context, request),
  );
  if (account === undefined) {
    const forget = { 'set-cookie': clearCookie(cookieNames.session) };
    throw new HttpError(401, messages.notSignedIn(), { ...sessionChallenge, ...forget });
  }
  return jsonReply({ session: { account: account.name, created, expires, 'idle-expires': idleExpires } });
}

async function endSession(context: Context, request: RouteRequest): Promise<RouteReply> {
  const session = sessionOf(request);
  const over = clearCookie(cookieNames.session);
  const ended =
    session === undefined ? undefined : await context.sessions.endSession({ session }, longCall(context, request));
  context.identities.forgetAccount(request.principal?.accountId ?? '');
  if (ended === undefined) return jsonReply({}, { 'set-cookie': over });
  const { signOutUrl } = ended;
  if (signOutUrl !== '') return jsonReply({ 'sign-out-url': signOutUrl }, { 'set-cookie': over });
  const asks = setCookie(cookieNames.signedOut, '1', new Date(Date.now() + askForAccountMs));
  return jsonReply({}, { 'set-cookie': [over, asks] });
}

function redirect(location: string, cookies: string[]): RouteReply {
  return { status: 302, headers: { location, 'set-cookie': cookies }, content: Buffer.alloc(0) };
}

function lasting(expires: Date | undefined): Date {
  if (expires === undefined) throw new HttpError(500, messages.unexpected());
  return expires;
}
