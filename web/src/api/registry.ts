import { createClient, type Message as SentMessage, messagesOf as sentMessages, type Telling } from '@cadastre/client';
import { type Message, readMessage } from './message.js';

/** The registry whose pages these are. */
export const registry = createClient({ fetch: fetchInSession });

/** An answer that is no success, or no answer at all (status 0). */
export class RequestFailed extends Error {
  override readonly name = 'RequestFailed';

  constructor(
    readonly status: number,
    readonly messages: readonly Message[],
    /** The document that was answered, if any. */
    readonly document?: unknown,
  ) {
    super(messages[0]?.text ?? `The registry answered with status ${status}`);
  }
}

/** Anything thrown as messages to be shown. */
export function messagesOf(error: unknown): readonly Message[] {
  return error instanceof RequestFailed ? error.messages : [{ severity: 'Error', text: String(error) }];
}

interface Settled<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/** What a call of the registry answers. Throws a RequestFailed when it is no success. */
export async function answerOf<T>(call: Promise<Settled<T>>): Promise<T> {
  const { data, error, response } = await call;
  if (response.ok && data !== undefined) return data;
  const unexplained: SentMessage = { severity: 'Error', text: `The registry answered with status ${response.status}` };
  const said = sentMessages(error as Telling);
  throw new RequestFailed(response.status, (said.length > 0 ? said : [unexplained]).map(readMessage), error);
}

/** Dispatched on the window when the registry has said that the session is over. */
export const sessionEnded = 'cadastre:session-ended';

/** With the answer that tells of its end the cookie is gone: asked again, the registry answers as it does to anybody. */
async function fetchInSession(request: Request): Promise<Response> {
  const again = request.method === 'GET' && !request.url.endsWith('/session') ? request.clone() : undefined;
  const response = await reached(request);
  if (!tellsEndOfSession(response)) return response;
  if (request.method === 'GET') dispatchEvent(new Event(sessionEnded));
  return again ? reached(again) : response;
}

/** What changes nothing is sent once more when no answer came: networks change under phones and laptops. */
async function reached(request: Request, isFirst = true): Promise<Response> {
  const again = isFirst && storesNothing(request) ? request.clone() : undefined;
  try {
    return await fetch(request);
  } catch (error) {
    if (request.signal.aborted) throw error;
    if (again !== undefined) return reached(again, false);
    throw new RequestFailed(0, [{ severity: 'Error', text: 'The registry cannot be reached. Is the network there?' }]);
  }
}

function storesNothing({ method, url }: Request): boolean {
  return method === 'GET' || new URL(url).searchParams.get('dry-run') === 'true';
}

function tellsEndOfSession({ status, headers }: Response): boolean {
  return status === 401 && (headers.get('www-authenticate') ?? '').startsWith('Cookie');
}
