import { createClient, type MessageBody, messagesOf as sentMessages } from '@cadastre/client';
import { failureTexts } from './failure-texts.js';
import { type Message, readMessages } from './message.js';

/** A client of the registry that serves these pages. */
export const registry = createClient({ fetch: fetchInSession });

/** An unsuccessful response, or no response (status 0). */
export class RequestFailed extends Error {
  override readonly name = 'RequestFailed';
  readonly document: unknown;
  readonly retryAfterSeconds: number;

  constructor(
    readonly status: number,
    readonly messages: readonly Message[],
    /** The document in the response, if any, and the pause that it requests. */
    { document, retryAfterSeconds = 0 }: { readonly document?: unknown; readonly retryAfterSeconds?: number } = {},
  ) {
    super(messages[0]?.text ?? `The registry returned status ${status}`);
    this.document = document;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Converts any thrown value to messages for display. */
export function messagesOf(error: unknown): readonly Message[] {
  return error instanceof RequestFailed ? error.messages : [{ severity: 'Error', text: String(error) }];
}

/** Whether a call failed with one of these statuses. */
export function hasStatus(error: unknown, ...statuses: readonly number[]): boolean {
  return error instanceof RequestFailed && statuses.includes(error.status);
}

/** The value of a call; undefined when it failed with one of these statuses. Throws its other failures. */
export function undefinedOn<T>(call: Promise<T>, ...statuses: readonly number[]): Promise<T | undefined> {
  return call.catch((error: unknown) => {
    if (hasStatus(error, ...statuses)) return undefined;
    throw error;
  });
}

interface Settled<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/** The result of a call of the registry. Throws a RequestFailed when it failed. */
export async function answerOf<T>(call: Promise<Settled<T>>): Promise<T> {
  return (await wholeAnswerOf(call)).data;
}

/** The result of a call, with the headers of its response. Throws a RequestFailed when it failed. */
export async function wholeAnswerOf<T>(call: Promise<Settled<T>>): Promise<{ data: T; headers: Headers }> {
  const { data, error, response } = await call;
  if (response.ok && data !== undefined) return { data, headers: response.headers };
  const { status } = response;
  // NaN when it is a date or absent.
  const retryAfterSeconds = Number(response.headers.get('retry-after')) || 0;
  const sent = readMessages(sentMessages(error as MessageBody));
  const texts = failureTexts({ status, retryAfterSeconds, sent: sent.map(({ text }) => text) });
  const messages = texts.map((text, at) => ({ ...(sent[at] ?? { severity: 'Error' as const }), text }));
  throw new RequestFailed(status, messages, { document: error, retryAfterSeconds });
}

/** The URL of a link in the headers of a response; undefined without one. */
export function linkedUrl(headers: Headers, rel: string): URL | undefined {
  const [, url] = new RegExp(`<([^>]*)>;\\s*rel="${rel}"`).exec(headers.get('link') ?? '') ?? [];
  return url === undefined ? undefined : new URL(url, location.href);
}

/** Dispatched on the window when the registry reports that the session has ended. */
export const sessionEnded = 'cadastre:session-ended';

/** Dispatched on the window when a write is refused (401): for lack of authority, or because the session has ended. */
export const sessionDoubtful = 'cadastre:session-doubtful';

/** The response that reports the end also removes the cookie: a repeated request is anonymous. */
async function fetchInSession(request: Request): Promise<Response> {
  const again = request.method === 'GET' && !request.url.endsWith('/session') ? request.clone() : undefined;
  const response = await reached(request);
  if (!endsSession(response)) return response;
  dispatchEvent(new Event(request.method === 'GET' ? sessionEnded : sessionDoubtful));
  return again ? reached(again) : response;
}

/**
 * Sends a request. After a pause it sends a safe one once more, when there was no response, because phones and laptops
 * change networks, and a read also when the registry is restarting or overloaded.
 */
export async function reached(request: Request): Promise<Response> {
  const again = storesNothing(request) ? request.clone() : undefined;
  const first = await fetch(request).catch((error: unknown) => ({ error }));
  const pauseMs = again && pauseBeforeSecond(request, first);
  if (again === undefined || pauseMs === undefined || request.signal.aborted) return orUnreached(request, first);
  await pause(pauseMs, request.signal);
  return orUnreached(again, await fetch(again).catch((error: unknown) => ({ error })));
}

type Sent = Response | { readonly error: unknown };

/** A user who must wait longer learns it immediately. */
const maxPauseSeconds = 5;

/** Milliseconds before a request is sent again; undefined when it is not. The pauses of many browsers differ. */
function pauseBeforeSecond({ method }: Request, first: Sent): number | undefined {
  const shortMs = 500 + Math.random() * 500;
  if ('error' in first) return shortMs;
  if (method !== 'GET' || ![502, 503, 504].includes(first.status)) return undefined;
  const seconds = Number(first.headers.get('retry-after')) || 0;
  return seconds > maxPauseSeconds ? undefined : Math.max(seconds * 1000, shortMs);
}

function orUnreached({ signal }: Request, sent: Sent): Response {
  if (!('error' in sent)) return sent;
  if (signal.aborted) throw sent.error;
  throw new RequestFailed(0, [{ severity: 'Error', text: 'The registry cannot be reached. Check your network.' }]);
}

function storesNothing({ method, url }: Request): boolean {
  return method === 'GET' || new URL(url).searchParams.get('dry-run') === 'true';
}

function endsSession({ status, headers }: Response): boolean {
  return status === 401 && (headers.get('www-authenticate') ?? '').startsWith('Cookie');
}

/** Waits for some time, or until the signal is aborted. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
