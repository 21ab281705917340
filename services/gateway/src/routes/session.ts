import { ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { Refusal, sessionChallenge } from '../errors.js';
import type { Exchange } from '../exchange.js';
import type { TargetOf } from '../locator.js';
import { messages } from '../messages.js';
import { textOf } from '../parameters.js';
import type { Answer } from '../respond.js';
import { clearCookie, cookieNames, cookieOf, sessionOf, setCookie } from '../session-cookies.js';
import { jsonAnswer } from './json-answer.js';

const longestReturnPath = 2000;

/** GET that sends the browser to the identity provider. */
export async function startSignIn(context: Context, exchange: Exchange<TargetOf<'sign-in'>>): Promise<Answer> {
  const returnPath = textOf(exchange.parameters, 'return') ?? '';
  if (returnPath !== '' && !isOwnPath(returnPath)) throw new Refusal(400, messages.badReturnPath());
  const started = await context.sessions.startSignIn({ returnPath }, callOptions(context, exchange));
  const cookie = setCookie(cookieNames.signIn, started.signInToken, lasting(started.expires));
  return redirect(started.authorizationUrl, [cookie]);
}

/** GET to which the identity provider sends the browser back. The sign-in is over, whatever comes out. */
export async function finishSignIn(
  context: Context,
  exchange: Exchange<TargetOf<'sign-in-callback'>>,
): Promise<Answer> {
  const { request, parameters } = exchange;
  const over = clearCookie(cookieNames.signIn);
  const signInToken = cookieOf(request, cookieNames.signIn);
  if (signInToken === undefined) throw new Refusal(401, messages.noSignIn(), sessionChallenge);
  const parameter = (name: string) => textOf(parameters, name) ?? '';
  const sent = { state: parameter('state'), code: parameter('code'), issuer: parameter('iss') };
  try {
    const finished = await context.sessions.finishSignIn(
      { signInToken, ...sent, error: parameter('error') },
      callOptions(context, exchange),
    );
    const cookie = setCookie(cookieNames.session, finished.session, lasting(finished.expires));
    return redirect(isOwnPath(finished.returnPath) ? finished.returnPath : '/session', [cookie, over]);
  } catch (thrown) {
    if (!(thrown instanceof ServiceError) || thrown.kind !== 'unauthenticated') throw thrown;
    throw new Refusal(401, thrown.messages, { ...sessionChallenge, 'set-cookie': over });
  }
}

/** GET of who is signed in. */
export async function getSession(context: Context, exchange: Exchange<TargetOf<'session'>>): Promise<Answer> {
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

/** DELETE of the session: it is revoked, and its cookie taken away. */
export async function endSession(context: Context, exchange: Exchange<TargetOf<'session'>>): Promise<Answer> {
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
