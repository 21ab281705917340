import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SettingsError } from '@cadastre/service';
import { createTransport, type SendMailOptions } from 'nodemailer';
import type { EventsSettings } from '../settings.js';

/** Delivers mails. */
export interface MailTransport {
  /** Resolves when the mail server has accepted the mail. Rejects with a MailFailure. */
  send(mail: SendMailOptions): Promise<void>;
  close(): void;
}

/** A mail that was not accepted. */
export class MailFailure extends Error {
  override readonly name = 'MailFailure';
  /** Whether a later attempt would fail as well: the server refused the recipient or the mail. */
  readonly isPermanent: boolean;
  /** The server's code, or the kind of the failure: contains no address. */
  readonly code: string;

  constructor(cause: unknown) {
    const { message, code = 'EUNKNOWN', responseCode = 0 } = cause as Error & { code?: string; responseCode?: number };
    super(message, { cause });
    this.code = responseCode > 0 ? String(responseCode) : code;
    // A refused login (EAUTH) or a refused sender of ours is for the operator to repair.
    this.isPermanent = responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE');
  }
}

/** One attempt takes at most this long. */
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
  const transport = createTransport({
    pool: true,
    maxConnections: mailConnections,
    maxMessages: mailsPerConnection,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (isSecure ? 465 : 587),
    secure: isSecure,
    ...(user !== '' && { auth: { user, pass: decodeURIComponent(url.password) }, requireTLS: !isSecure }),
    ...(dkimSelector !== undefined &&
      dkimKey !== undefined && {
        dkim: {
          domainName: mailFrom.slice(mailFrom.lastIndexOf('@') + 1),
          keySelector: dkimSelector,
          privateKey: dkimKey,
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

/** Writes each mail into a file of the directory; a repeated one replaces its file. */
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
