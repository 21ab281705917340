import { createPrivateKey } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SettingsError } from '@cadastre/service';
import { createTransport, type SendMailOptions } from 'nodemailer';
import type { EventsSettings } from '../settings.js';
import { enhancedStatus, refusesMailbox } from './mailbox-status.js';

/** Delivers mails. */
export interface MailTransport {
  /** Resolves when the mail server has accepted the mail. Rejects with a MailFailure. */
  send(mail: SendMailOptions): Promise<void>;
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

  constructor(cause: unknown) {
    const failure = cause as SmtpFailure;
    const { message, code = 'EUNKNOWN', responseCode = 0 } = failure;
    super(message, { cause });
    this.code = responseCode > 0 ? String(responseCode) : code;
    this.class = classOf(failure);
    this.isPermanent = (this.class === 'recipient' || this.class === 'refused') && !isOfOperator(failure);
  }
}

/** An error of nodemailer. */
interface SmtpFailure extends Error {
  readonly code?: string;
  readonly responseCode?: number;
  readonly response?: string;
  /** The command that failed; "API" when none was sent. */
  readonly command?: string;
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

/** Timeout of one attempt. */
const attemptMs = 60_000;
const timeouts = { dnsTimeout: 10_000, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };
const mailsPerConnection = 100;

type TransportSettings = Pick<EventsSettings, 'mailConnections' | 'dkimSelector' | 'dkimKey'> & {
  readonly mailUrl: string;
  readonly mailFrom: string;
};

/** Opens the transport of CADASTRE_MAIL_URL; connects with the first mail. Throws a SettingsError for another URL. */
export function openTransport(settings: TransportSettings): MailTransport {
  const url = URL.canParse(settings.mailUrl) ? new URL(settings.mailUrl) : undefined;
  if (url === undefined || !['smtp:', 'smtps:', 'file:'].includes(url.protocol)) {
    throw new SettingsError(['CADASTRE_MAIL_URL: must be a URL that begins with smtp://, smtps:// or file:///']);
  }
  return url.protocol === 'file:' ? fileTransport(fileURLToPath(url)) : smtpTransport(url, settings);
}

function smtpTransport(
  url: URL,
  { mailFrom, mailConnections, dkimSelector, dkimKey }: TransportSettings,
): MailTransport {
  const isSecure = url.protocol === 'smtps:';
  const user = decodeURIComponent(url.username);
  const ignoresTls = url.searchParams.get('starttls') === 'never';
  if (ignoresTls && user !== '') throw new SettingsError([plainLogin]);
  if ((dkimSelector === undefined) !== (dkimKey === undefined)) throw new SettingsError([halfSigned]);
  const transport = createTransport({
    pool: true,
    maxConnections: mailConnections,
    maxMessages: mailsPerConnection,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (isSecure ? 465 : 587),
    secure: isSecure,
    ignoreTLS: ignoresTls,
    ...(user !== '' && { auth: { user, pass: decodeURIComponent(url.password) }, requireTLS: !isSecure }),
    ...(dkimSelector !== undefined &&
      dkimKey !== undefined && {
        dkim: {
          domainName: mailFrom.slice(mailFrom.lastIndexOf('@') + 1),
          keySelector: dkimSelector,
          privateKey: signingKey(dkimKey),
          headerFieldNames: signedHeaders.join(':'),
        },
      }),
    ...timeouts,
  });
  return {
    async send(mail) {
      const { promise: late, reject } = Promise.withResolvers<never>();
      const timer = setTimeout(() => reject(new Error(`no answer within ${attemptMs} ms`)), attemptMs);
      try {
        await Promise.race([transport.sendMail(mail), late]);
      } catch (error) {
        throw new MailFailure(error);
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => transport.close(),
  };
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
    async send(mail) {
      try {
        const { message, messageId } = await transport.sendMail(mail);
        await mkdir(directory, { recursive: true, mode: 0o700 });
        const file = join(directory, `${messageId.replace(/[^A-Za-z0-9._@-]/g, '')}.eml`);
        await writeFile(`${file}.part`, message as Buffer, { mode: 0o600 });
        await rename(`${file}.part`, file);
      } catch (error) {
        throw new MailFailure(error);
      }
    },
    close: () => transport.close(),
  };
}
