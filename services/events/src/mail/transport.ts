import { createPrivateKey } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { MailStep } from '@cadastre/proto/events';
import { contentOfFile, SettingsError } from '@cadastre/service';
import { createTransport, type SendMailOptions } from 'nodemailer';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { EventsSettings } from '../settings.js';
import { domainOf } from './compose.js';
import { enhancedStatus, refusesMailbox } from './mailbox-status.js';
import { failedStep, type SmtpFailure } from './steps.js';

/** Where a mail is: at the mail server, which replied this, or in a file. */
type Accepted = { readonly reply: string } | { readonly file: string };

/** Delivers mails. */
export interface MailTransport {
  /** The mail server; undefined when mails are written into files. */
  readonly server: { readonly host: string; readonly port: number } | undefined;
  /** Resolves when the mail server has accepted the mail. Rejects with a MailFailure, after a minute if not before. */
  send(mail: SendMailOptions, timeoutMs?: number): Promise<Accepted>;
  close(): void;
}

/**
 * Why a mail was not accepted: there was no answer; the server requests another attempt; the address does not work; or
 * it refused for another reason.
 */
export type FailureClass = 'connection' | 'temporary' | 'recipient' | 'refused';

/** A mail that was not accepted. */
export class MailFailure extends Error {
  override readonly name = 'MailFailure';
  readonly class: FailureClass;
  /** Whether a later attempt would fail as well: the server refused the recipient or the mail. */
  readonly isPermanent: boolean;
  /** The server's code, or the kind of the failure: contains no address. */
  readonly code: string;
  /** The step of the attempt that failed. */
  readonly step: MailStep;
  /** What the mail server replied; empty without a reply. */
  readonly reply: string;

  constructor(cause: unknown, step?: MailStep) {
    const failure = cause as SmtpFailure;
    const { message, code = 'EUNKNOWN', responseCode = 0 } = failure;
    super(message, { cause });
    this.step = step ?? failedStep(failure);
    this.reply = failure.response ?? '';
    this.code = responseCode > 0 ? String(responseCode) : code;
    this.class = classOf(failure);
    this.isPermanent = (this.class === 'recipient' || this.class === 'refused') && !isOfOperator(failure);
  }
}

function classOf({ code = '', responseCode = 0, response = '', command }: SmtpFailure): FailureClass {
  if (responseCode === 0) return ofMail.has(code) ? 'refused' : 'connection';
  if (responseCode < 500) return 'temporary';
  if (command === 'RCPT TO' && refusesMailbox(responseCode, response)) return 'recipient';
  // Some servers refuse the recipient only after the mail.
  return code === 'EMESSAGE' && enhancedStatus(response)?.startsWith('5.1.') ? 'recipient' : 'refused';
}

/** Codes of failures because of this mail. */
const ofMail: ReadonlySet<string> = new Set(['EENVELOPE', 'EMESSAGE']);

/** A refused login, or a refused sender unless because of the size: the operator can repair it. */
function isOfOperator({ code = '', responseCode, command }: SmtpFailure): boolean {
  return !ofMail.has(code) || (command === 'MAIL FROM' && code === 'EENVELOPE' && responseCode !== 552);
}

/** Timeout of one attempt, unless there is another. */
const attemptMs = 60_000;
const timeouts = { dnsTimeout: 10_000, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };
const mailsPerConnection = 100;

/** The settings of mails. */
export type TransportSettings = Pick<EventsSettings, 'mailCaFile' | 'mailConnections' | 'dkimSelector' | 'dkimKey'> & {
  readonly mailUrl: string;
  readonly mailFrom: string;
};

/**
 * Opens the transport of CADASTRE_MAIL_URL; connects with the first mail. Calls `onTls` with the version of TLS when a
 * connection has it, if there is one connection only. Throws a SettingsError for another URL.
 */
export function openTransport(settings: TransportSettings, onTls?: (version: string) => void): MailTransport {
  const url = URL.canParse(settings.mailUrl) ? new URL(settings.mailUrl) : undefined;
  if (url === undefined || !['smtp:', 'smtps:', 'file:'].includes(url.protocol)) {
    throw new SettingsError(['CADASTRE_MAIL_URL: must be a URL that begins with smtp://, smtps:// or file:///']);
  }
  return url.protocol === 'file:' ? fileTransport(fileURLToPath(url)) : smtpTransport(url, settings, onTls);
}

function smtpTransport(
  url: URL,
  { mailCaFile, mailFrom, mailConnections, dkimSelector, dkimKey }: TransportSettings,
  onTls: ((version: string) => void) | undefined,
): MailTransport {
  const isSecure = url.protocol === 'smtps:';
  const user = decodeURIComponent(url.username);
  const ignoresTls = url.searchParams.get('starttls') === 'never';
  if (ignoresTls && user !== '') throw new SettingsError([plainLogin]);
  if ((dkimSelector === undefined) !== (dkimKey === undefined)) throw new SettingsError([halfSigned]);
  const server = { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port) || (isSecure ? 465 : 587) };
  const ca = contentOfFile('CADASTRE_MAIL_CA_FILE', mailCaFile);
  const look = (): void => {
    const version = tlsOf(transport);
    if (version) onTls?.(version);
  };
  const transport = createTransport({
    pool: true,
    maxConnections: mailConnections,
    maxMessages: mailsPerConnection,
    ...server,
    secure: isSecure,
    ignoreTLS: ignoresTls,
    ...(ca !== undefined && { tls: { ca } }),
    ...(user !== '' && { auth: { user, pass: decodeURIComponent(url.password) }, requireTLS: !isSecure }),
    ...(dkimSelector !== undefined &&
      dkimKey !== undefined && {
        dkim: {
          domainName: domainOf(mailFrom),
          keySelector: dkimSelector,
          privateKey: signingKey(dkimKey),
          headerFieldNames: signedHeaders.join(':'),
        },
      }),
    // The library logs what it does with a connection.
    ...(onTls !== undefined && { logger: { info: look, debug: () => {} } }),
    ...timeouts,
  });
  return {
    server,
    async send(mail, timeoutMs = attemptMs) {
      const signal = AbortSignal.timeout(timeoutMs);
      try {
        const { response } = await transport.sendMail({ ...mail, signal });
        return { reply: response };
      } catch (error) {
        throw new MailFailure(signal.aborted ? new Error(`no answer within ${timeoutMs} ms`) : error);
      }
    },
    close: () => transport.close(),
  };
}

/** The version of TLS of the only connection, which the library does not return; undefined without TLS. */
function tlsOf({ transporter }: { readonly transporter: unknown }): string | undefined {
  const [only] = (transporter as { _connections: { connection?: SMTPConnection }[] })._connections;
  const socket = only?.connection?._socket;
  return socket instanceof TLSSocket ? (socket.getProtocol() ?? undefined) : undefined;
}

const plainLogin = 'CADASTRE_MAIL_URL: with a user, the mail server needs TLS: not starttls=never';
const halfSigned = 'CADASTRE_MAIL_DKIM_SELECTOR and CADASTRE_MAIL_DKIM_KEY: both or none, or mails have no signature';

/** RFC 8058, section 4: the signature must cover both fields about unsubscribing. */
const signedHeaders = [
  ...['From', 'Sender', 'Reply-To', 'To', 'Subject', 'Date', 'Message-ID', 'In-Reply-To', 'References'],
  ...['MIME-Version', 'Content-Type', 'Content-Transfer-Encoding'],
  ...['List-Id', 'List-Unsubscribe', 'List-Unsubscribe-Post', 'Auto-Submitted', 'Precedence'],
];

/** The key in the form of the library, which signs by RSA only. Throws a SettingsError for any other key. */
function signingKey(pem: string): string {
  try {
    if (createPrivateKey(pem).asymmetricKeyType === 'rsa') return pem;
  } catch {
    // Reported below.
  }
  throw new SettingsError(['CADASTRE_MAIL_DKIM_KEY: must be an RSA private key in PEM form, without a password']);
}

/** Writes each mail into a file of the directory; a repeated mail replaces its file. */
function fileTransport(directory: string): MailTransport {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return {
    server: undefined,
    async send(mail) {
      try {
        const { message, messageId } = await transport.sendMail(mail);
        await mkdir(directory, { recursive: true, mode: 0o700 });
        const file = join(directory, `${messageId.replace(/[^A-Za-z0-9._@-]/g, '')}.eml`);
        await writeFile(`${file}.part`, message as Buffer, { mode: 0o600 });
        await rename(`${file}.part`, file);
        return { file };
      } catch (error) {
        throw new MailFailure(error, MailStep.MAIL_STEP_FILE);
      }
    },
    close: () => transport.close(),
  };
}
