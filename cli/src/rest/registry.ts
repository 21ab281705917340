import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { Message, WhoisResources } from '@cadastre/client';
import { failureMessage, formatMessage, retryPause } from '@cadastre/service';
import { type Command, Option } from 'commander';
import { CommandFailure } from '../failure.js';
import { type Io, note } from '../io.js';
import { contextOf, type RegistryContext } from './contexts.js';

/** The options of a command that uses a registry over REST. */
export interface RegistryOptions {
  readonly context?: string;
  readonly source?: string;
}

/** The parameters of a query; a flag has the value `true`. */
export type Query = Readonly<Record<string, string | readonly string[] | boolean | undefined>>;

/** A registry over REST. Each method throws a CommandFailure with the messages of the registry when it refuses. */
export interface Registry {
  /** The source of the command. */
  readonly source: string;
  text(path: readonly string[], query?: Query): Promise<string>;
  json(path: readonly string[], query?: Query): Promise<WhoisResources>;
  /**
   * Sends a document, and sends it again when it gets no answer: the registry writes it once (`Idempotency-Key`).
   * Returns refusals, too, if they are documents with results.
   */
  post(path: readonly string[], query: Query, body: object): Promise<WhoisResources & { readonly isRefused: boolean }>;
}

/** Adds the options of a command that uses a registry over REST. */
export function overRest(io: Io, command: Command): Command {
  const source = new Option('--source <name>', 'source (default: that of the registry)');
  // For completion only: a source may be newer than the login.
  source.argChoices = knownSources(io);
  return command.option('--context <name>', 'registry to use (default: the current one)').addOption(source);
}

function knownSources(io: Io): string[] {
  try {
    return [...contextOf(io, undefined).sources];
  } catch {
    return [];
  }
}

/** Opens the registry of a command. Throws a CommandFailure when there is none. */
export function openRegistry(io: Io, { context, source }: RegistryOptions): Registry {
  const chosen = contextOf(io, context);
  const onRetry = () => note(io, `${chosen.url} does not answer; sending the request again`);
  return registryAt({ ...chosen, source: source ?? chosen.source }, onRetry);
}

/** A registry with an address and credentials. `onRetry` is called before it sends a document again. */
export function registryAt(
  { url, source, apiKey, ca }: Omit<RegistryContext, 'sources'>,
  onRetry = () => {},
): Registry {
  if (ca !== undefined) setDefaultCACertificates([...getCACertificates('default'), ca]);
  const send = async (path: readonly string[], query: Query, { headers, ...write }: RequestParts): Promise<Answer> => {
    const address = `${url}/${path.map(encodeURIComponent).join('/')}${queryText(query)}`;
    if (apiKey !== undefined) headers.authorization = `Basic ${apiKey}`;
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      // A redirection would lead the credential away.
      const response = await fetch(address, { headers, ...write, redirect: 'error', signal });
      return { response, text: await response.text() };
    } catch (error) {
      throw new NoAnswer(`${url} does not respond (${reasonOf(error as FetchError)})`);
    }
  };
  const read = async (path: readonly string[], query: Query, accept: string) => {
    const { response, text } = await send(path, query, { headers: { accept } });
    if (!response.ok) throw refusal(response, text);
    return text;
  };
  return {
    source,
    text: (path, query = {}) => read(path, query, 'text/plain'),
    json: async (path, query = {}) => JSON.parse(await read(path, query, 'application/json')),
    async post(path, query, body) {
      const headers: Record<string, string> = { accept: 'application/json', 'content-type': 'application/json' };
      // Only accounts may name a request.
      if (apiKey !== undefined) headers['idempotency-key'] = randomUUID();
      const request = { method: 'POST', headers, body: JSON.stringify(body) };
      const { response, text } = await untilAnswered(() => send(path, query, request), onRetry);
      const document = documentIn(text);
      if (!response.ok && document?.results === undefined) throw refusal(response, text);
      return { ...document, isRefused: !response.ok };
    },
  };
}

/** Maximum time of a request: writes may wait for others. */
const timeoutMs = 120_000;

function queryText(query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === false) continue;
    for (const one of value === true ? ['true'] : [value].flat()) parameters.append(name, one);
  }
  return parameters.size === 0 ? '' : `?${parameters}`;
}

function documentIn(text: string): WhoisResources | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refusal({ status, statusText }: Response, text: string): CommandFailure {
  const messages = documentIn(text)?.errormessages?.errormessage.map(messageText) ?? [plainMessages(text)];
  return new CommandFailure(messages.filter(Boolean).join('\n') || `The registry answered ${status} ${statusText}`);
}

/** The messages of a refusal in text, without the lines around them. */
function plainMessages(text: string): string {
  return /<html|<!doctype/i.test(text) ? '' : text.replace(/^Severity: \w+\nText: /gm, '').trim();
}

/** A message, after the attribute that it is about. */
export function messageText({ text, args = [], attribute }: Message): string {
  const values = args.map(({ value }) => value);
  const filled = formatMessage(failureMessage(text, values)).trim();
  return attribute === undefined ? filled : `${attribute.name}: ${attribute.value.trim()}: ${filled}`;
}

interface RequestParts {
  readonly headers: Record<string, string>;
  readonly method?: string;
  readonly body?: string;
}

interface Answer {
  readonly response: Response;
  readonly text: string;
}

/** The connection could not be opened, or ended before the response did. */
class NoAnswer extends CommandFailure {}

const pauses = { firstMs: 500, maxMs: 8_000 };
const maxRetries = 5;

/** The answer of a request that may be repeated. */
async function untilAnswered(send: () => Promise<Answer>, onRetry: () => void): Promise<Answer> {
  const end = Date.now() + timeoutMs;
  for (let failures = 0; ; failures++) {
    const isLast = failures === maxRetries || Date.now() > end;
    try {
      const answer = await send();
      if (isLast || !isPassing(answer)) return answer;
    } catch (error) {
      if (isLast || !(error instanceof NoAnswer)) throw error;
    }
    onRetry();
    await delay(retryPause(failures, pauses));
  }
}

/** Whether the same request may get another answer soon: the registry restarts, or still works at it. */
function isPassing({ response: { status }, text }: Answer): boolean {
  return [502, 503, 504].includes(status) || (status === 409 && documentIn(text)?.results === undefined);
}

type FetchError = Error & { cause?: { code?: string; message?: string } };

function reasonOf(error: FetchError): string {
  return error.cause?.code ?? error.cause?.message ?? error.message;
}
