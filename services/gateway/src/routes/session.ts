import { ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { Refusal, sessionChallenge } from '../errors.js';
import type { Exchange } from '../exchange.js';
import type { TargetOf } from '../locator.js';
import { messages } from '../messages.js';
import { jsonContent } from '../openapi/content.js';
import { parameter } from '../parameters.js';
import type { Answer } from '../respond.js';
import { clearCookie, cookieNames, cookieOf, sessionOf, setCookie } from '../session-cookies.js';
import { jsonAnswer } from './json-answer.js';
import type { Route } from './route.js';

const startQuery = {
  return: parameter.text('Path of this service to come back to; `/session` unless given.', { example: '/session' }),
};

/** GET that sends the browser to the identity provider. */
export const signInStart: Route<'sign-in', typeof startQuery> = {
  id: 'startSignIn',
  tag: 'Account',
  summary: 'Sign in',
  doc: 'Sends the browser to the identity provider, which sends it back to `/session/callback`. For browsers.',
  query: startQuery,
  success: { status: 302, doc: 'To the identity provider.', headers: ['Location', 'Set-Cookie'] },
  credentials: 'none',
  answer: startSignIn,
};

const callbackQuery = {
  state: parameter.text('As it was given to the identity provider.'),
  code: parameter.text('The authorization code.'),
  iss: parameter.text('The identity provider that answers (RFC 9207).'),
  error: parameter.text('Why nobody signed in.'),
};

/** GET to which the identity provider sends the browser back. */
export const signInCallback: Route<'sign-in-callback', typeof callbackQuery> = {
  id: 'finishSignIn',
  tag: 'Account',
  summary: 'Come back from the identity provider',
  doc: 'Called by the identity provider through the browser (OpenID Connect Core section 3.1.2.5); the sign-in is over, whatever comes out.',
  query: callbackQuery,
  success: { status: 302, doc: 'Signed in; back to where it was begun.', headers: ['Location', 'Set-Cookie'] },
  credentials: 'none',
  answer: finishSignIn,
};

/** GET of who is signed in. */
export const sessionRead: Route<'session'> = {
  id: 'getSession',
  tag: 'Account',
  summary: 'Tell who is signed in',
  doc: 'The session of the cookie.',
  query: {},
  success: { doc: 'The session.', content: jsonContent('Session') },
  credentials: 'required',
  answer: getSession,
};

/** DELETE of the session: it is revoked, and its cookie taken away. */
export const sessionEnd: Route<'session'> = {
  id: 'endSession',
  tag: 'Account',
  summary: 'Sign out',
  doc: 'Ends the session of the cookie, if there is one.',
  query: {},
  success: { doc: 'Nobody is signed in any more.', content: jsonContent('EndedSession'), headers: ['Set-Cookie'] },
  credentials: 'optional',
  answer: endSession,
};

const longestReturnPath = 2000;

async function startSignIn(
  context: Context,
  exchange: Exchange<TargetOf<'sign-in'>, typeof startQuery>,
): Promise<Answer> {
  const { return: returnPath } = exchange.parameters;
  if (returnPath !== '' && !isOwnPath(returnPath)) throw new Refusal(400, messages.badReturnPath());
  const started = await context.sessions.startSignIn({ returnPath }, callOptions(context, exchange));
  const cookie = setCookie(cookieNames.signIn, started.signInToken, lasting(started.expires));
  return redirect(started.authorizationUrl, [cookie]);
}

/** The sign-in is over, whatever comes out. */
async function finishSignIn(
  context: Context,
  exchange: Exchange<TargetOf<'sign-in-callback'>, typeof callbackQuery>,
): Promise<Answer> {
  const { request, parameters } = exchange;
  const over = clearCookie(cookieNames.signIn);
  const signInToken = cookieOf(request, cookieNames.signIn);
  if (signInToken === undefined) throw new Refusal(401, messages.noSignIn(), sessionChallenge);
  const { state, code, iss: issuer, error } = parameters;
  try {
    const finished = await context.sessions.finishSignIn(
      { signInToken, state, code, issuer, error },
      callOptions(context, exchange),
    );
    const cookie = setCookie(cookieNames.session, finished.session, lasting(finished.expires));
    return redirect(isOwnPath(finished.returnPath) ? finished.returnPath : '/session', [cookie, over]);
  } catch (thrown) {
    if (!(thrown instanceof ServiceError) || thrown.kind !== 'unauthenticated') throw thrown;
    throw new Refusal(401, thrown.messages, { ...sessionChallenge, 'set-cookie': over });
  }
}

async function getSession(context: Context, exchange: Exchange<TargetOf<'session'>>): Promise<Answer> {
  const session = sessionOf(exchange.request);
  if (session === undefined) throw new Refusal(401, messages.notSignedIn(), sessionChallenge);
  const { account, created, expires, idleExpires } = await context.sessions.getSession(
    { session },
    callOptions(context, exchange),
  );
  if (account === undefined) {
    const forget = { 'set-cookie': clearCookie(cookieNames.session) };
    throw new Refusal(401, messages.notSignedIn(), { ...sessionChallenge, ...forget });
  }
  return jsonAnswer({ session: { account: account.name, created, expires, 'idle-expires': idleExpires } });
}

async function endSession(context: Context, exchange: Exchange<TargetOf<'session'>>): Promise<Answer> {
  const session = sessionOf(exchange.request);
  if (session !== undefined) await context.sessions.endSession({ session }, callOptions(context, exchange));
  return jsonAnswer({}, { 'set-cookie': clearCookie(cookieNames.session) });
}

/** A path of this very origin: what browsers could take for another host is none. */
function isOwnPath(path: string): boolean {
  return path.length <= longestReturnPath && /^\/(?!\/)[!-[\]-~]*$/.test(path);
}

function redirect(location: string, cookies: string[]): Answer {
  return { status: 302, headers: { location, 'set-cookie': cookies }, content: Buffer.alloc(0) };
}

function lasting(expires: Date | undefined): Date {
  if (expires === undefined) throw new Refusal(500, messages.unexpected());
  return expires;
}

function callOptions({ settings }: Context, { request }: Exchange) {
  // The auth service asks the identity provider in turn.
  return { deadlineMs: settings.writeDeadline, requestId: request.id };
}
