import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { errorText, type Logger, type Metrics, type Service, ServiceError } from '@cadastre/service';
import PostalMime, { type Email } from 'postal-mime';
import { Counter } from 'prom-client';
import { SMTPServer, type SMTPServerAddress, type SMTPServerSession } from 'smtp-server';
import type { Outbox } from '../objects-client.js';
import { mailboxes } from './compose.js';
import { type BounceClass, bounceClassOf } from './delivery-report.js';

export interface BounceListenerOptions {
  /** `host:port`. */
  readonly listen: string;
  /** Domain of the two mailboxes. */
  readonly domain: string;
  readonly outbox: Pick<Outbox, 'reportBounce' | 'unsubscribe' | 'checkMailToken'>;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly bounds?: Partial<ListenerBounds> | undefined;
}

/** What strangers can cost, in case that the port is open to them. */
export interface ListenerBounds {
  readonly connections: number;
  /** So long a connection may last, and so long it may be silent. */
  readonly connectionMs: number;
  readonly silenceMs: number;
  readonly mailsPerMinute: number;
  readonly recipientsPerMail: number;
  /** After so many recipients with other tokens a connection is closed. */
  readonly unknownRecipients: number;
  /** Bytes of a mail; larger ones are refused. */
  readonly mailBytes: number;
}

/** What is parsed, from the beginning: mails that come back carry their report before the mail that was sent. */
const parsedBytes = 128 * 1024;
const parsedLines = 3_000;

const usualBounds: ListenerBounds = {
  connections: 20,
  connectionMs: 120_000,
  silenceMs: 30_000,
  mailsPerMinute: 300,
  recipientsPerMail: 5,
  unknownRecipients: 5,
  mailBytes: 10 * 1024 * 1024,
};
const parserOptions = { maxNestingDepth: 8, maxHeadersSize: 64 * 1024, forceRfc822Attachments: true };

type Outcome = BounceClass | 'unsubscribe' | 'unknown';

/**
 * Takes mails for `bounce+TOKEN` and `unsubscribe+TOKEN` at the domain from the operator's mail server, and tells objects
 * what they mean. It asks objects for the token before it takes the mail. Sends nothing, so it cannot be made to write to strangers. While objects is unavailable, mails have to wait
 * where they are.
 */
export function bounceListener(o: BounceListenerOptions): Service & { address(): string } {
  const bounds = { ...usualBounds, ...o.bounds };
  const count = outcomeCounter(o.metrics);
  const isInTime = pace(bounds.mailsPerMinute);
  const unknown = new WeakMap<SMTPServerSession, number>();
  const server = new SMTPServer({
    name: o.domain,
    disabledCommands: ['AUTH', 'STARTTLS', 'VRFY', 'HELP'],
    authOptional: true,
    disableReverseLookup: true,
    logger: false,
    maxClients: bounds.connections,
    maxRecipients: bounds.recipientsPerMail,
    maxCommandLength: 2 * 1024,
    size: bounds.mailBytes,
    socketTimeout: bounds.silenceMs,
    closeTimeout: 1_000,
    onMailFrom: (_sender, _session, done) =>
      done(isInTime() ? null : new Refusal(451, 'Too many mails, try again later')),
    onRcptTo: (recipient, session, done) => {
      const check = async () => {
        if ((unknown.get(session) ?? 0) >= bounds.unknownRecipients)
          throw new Refusal(421, 'Too many wrong recipients');
        const mailbox = mailboxOf(recipient, o.domain);
        if (mailbox !== undefined && (await isKnown(o.outbox.checkMailToken({ token: mailbox })))) return;
        unknown.set(session, (unknown.get(session) ?? 0) + 1);
        count('unknown');
        throw new Refusal(550, 'No such mailbox');
      };
      answer(check(), done);
    },
    onData: (stream, { envelope }, done) => {
      const receive = async () => {
        const named = envelope.rcptTo.flatMap((recipient) => mailboxOf(recipient, o.domain) ?? []);
        const raw = await head(stream);
        if (stream.sizeExceeded) throw new Refusal(552, 'The mail is too large');
        const email = named.some(({ $case }) => $case === 'bounce') ? await parsed(raw) : undefined;
        const bounce = email ? bounceClassOf(email) : 'other';
        for (const mailbox of named) count(await outcomeOf(o.outbox, mailbox, bounce));
      };
      answer(receive(), done);
    },
  });
  const answer = (work: Promise<void>, done: (error?: Error | null) => void) =>
    work.then(
      () => done(),
      (error: unknown) => {
        if (error instanceof Refusal) return done(error);
        o.logger.warn({ reason: errorText(error) }, 'cannot take a mail that came back');
        done(new Refusal(451, 'Try again later'));
      },
    );
  server.on('error', (error) => o.logger.debug({ reason: errorText(error) }, 'a connection of a mail server failed'));
  server.server.on('connection', (socket) => {
    const timer = setTimeout(() => socket.destroy(), bounds.connectionMs);
    socket.once('close', () => clearTimeout(timer));
  });
  return {
    async start() {
      const [, host = '', port] = /^(.*):(\d+)$/.exec(o.listen) ?? [];
      server.listen(Number(port), host.replace(/^\[|\]$/g, ''));
      await once(server.server, 'listening');
    },
    stop: () => new Promise((resolve) => server.close(resolve)),
    address() {
      const { address, port, family } = server.server.address() as AddressInfo;
      return family === 'IPv6' ? `[${address}]:${port}` : `${address}:${port}`;
    },
  };
}

/** A mailbox, with the token of a notification that came back, or of an address to unsubscribe. */
interface Mailbox {
  readonly $case: 'bounce' | 'unsubscribe';
  readonly value: string;
}

function mailboxOf({ address }: SMTPServerAddress, domain: string): Mailbox | undefined {
  const [, name, token, at] = /^([a-z]+)\+([0-9a-z-]{1,64})@(.*)$/.exec(address.toLowerCase()) ?? [];
  if (token === undefined || at !== domain.toLowerCase()) return undefined;
  const kinds = ['bounce', 'unsubscribe'] as const;
  const $case = kinds.find((kind) => mailboxes[kind] === name);
  return $case && { $case, value: token };
}

async function outcomeOf(
  outbox: BounceListenerOptions['outbox'],
  { $case, value: token }: Mailbox,
  bounce: BounceClass,
): Promise<Outcome> {
  if ($case === 'unsubscribe') return (await isKnown(outbox.unsubscribe({ token }))) ? 'unsubscribe' : 'unknown';
  if (bounce !== 'hard') return bounce;
  return (await isKnown(outbox.reportBounce({ token }))) ? 'hard' : 'unknown';
}

/** False when objects does not know the token. */
async function isKnown(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'not-found') return false;
    throw error;
  }
}

/** What is parsed of a mail; reads everything. */
async function head(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (size < parsedBytes) chunks.push(chunk);
    size += chunk.length;
  }
  const first = Buffer.concat(chunks).subarray(0, parsedBytes);
  let end = 0;
  for (let line = 0; line < parsedLines; line++) {
    end = first.indexOf('\n', end) + 1;
    if (end === 0) return first;
  }
  return first.subarray(0, end);
}

/** The mail; undefined when its parts are nested too deeply, or its headers are too large. */
async function parsed(raw: Buffer): Promise<Email | undefined> {
  try {
    return await PostalMime.parse(raw, parserOptions);
  } catch {
    return undefined;
  }
}

/** Tells whether one more is in time: at most so many within a minute that begins with the first of them. */
function pace(perMinute: number): () => boolean {
  let began = Number.NEGATIVE_INFINITY;
  let taken = 0;
  return () => {
    const now = performance.now();
    if (now - began > 60_000) [began, taken] = [now, 0];
    return ++taken <= perMinute;
  };
}

/** What the mail server is told; it sends no mail about a mail that came back. */
class Refusal extends Error {
  constructor(
    readonly responseCode: number,
    text: string,
  ) {
    super(text);
  }
}

function outcomeCounter(metrics: Metrics): (outcome: Outcome) => void {
  const counter = new Counter({
    name: 'cadastre_mail_bounces_total',
    help: 'Number of mails that came back, by what they mean: hard (the address does not work), soft, other (no report), unsubscribe, unknown (no valid token)',
    labelNames: ['class'],
    registers: [metrics],
  });
  return (outcome) => counter.inc({ class: outcome });
}
