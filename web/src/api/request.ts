import { type Message, readMessage, type SentMessage } from './message.js';

/** An answer that is no success, or no answer at all (status 0). */
export class RequestFailed extends Error {
  override readonly name = 'RequestFailed';

  constructor(
    readonly status: number,
    readonly messages: readonly Message[],
    /** The body, when it was JSON. */
    readonly body?: unknown,
  ) {
    super(messages[0]?.text ?? `The registry answered with status ${status}`);
  }
}

/** Anything thrown as messages to be shown. */
export function messagesOf(error: unknown): readonly Message[] {
  return error instanceof RequestFailed ? error.messages : [{ severity: 'Error', text: String(error) }];
}

export interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The JSON that a path answers. Throws a RequestFailed. */
export async function requestJson<T>(path: string, options: RequestOptions = {}): Promise<T> {
  const response = await send(path, 'application/json', options);
  const body = await readJson(response);
  if (!response.ok) throw failed(response.status, body);
  return body as T;
}

/** The text that a path answers. Throws a RequestFailed. */
export async function requestText(path: string, options: RequestOptions = {}): Promise<string> {
  const response = await send(path, 'text/plain', options);
  const text = await response.text();
  if (!response.ok) throw new RequestFailed(response.status, [{ severity: 'Error', text: text.trim() }]);
  return text;
}

/** Dispatched on the window when the registry has said that the session is over. */
export const sessionEnded = 'cadastre:session-ended';

/** With such an answer the cookie is gone; asked again, the registry answers as it does to anybody. */
function tellsEndOfSession({ status, headers }: Response): boolean {
  return status === 401 && (headers.get('www-authenticate') ?? '').startsWith('Cookie');
}

async function send(path: string, accept: string, { method = 'GET', body, signal, headers }: RequestOptions) {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const contentType: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  const init = { method, headers: { accept, ...contentType, ...headers }, ...sent, ...(signal ? { signal } : {}) };
  try {
    const response = await fetch(path, init);
    if (method !== 'GET' || !tellsEndOfSession(response)) return response;
    dispatchEvent(new Event(sessionEnded));
    return path === '/session' ? response : await fetch(path, init);
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new RequestFailed(0, [{ severity: 'Error', text: 'The registry cannot be reached. Is the network there?' }]);
  }
}

async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function failed(status: number, body: unknown): RequestFailed {
  const list = (body as { errormessages?: { errormessage?: SentMessage[] } } | undefined)?.errormessages?.errormessage;
  const messages = (list ?? []).map(readMessage);
  const unexplained: Message = { severity: 'Error', text: `The registry answered with status ${status}` };
  return new RequestFailed(status, messages.length > 0 ? messages : [unexplained], body);
}
