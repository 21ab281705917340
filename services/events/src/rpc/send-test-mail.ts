import type { MailServiceService, SendTestMailResponse } from '@cadastre/proto/events';
import { bareEmail, isEmail } from '@cadastre/rpsl';
import { type Handler, type Logger, ServiceError } from '@cadastre/service';
import { composeTest, domainOf, type Sender } from '../mail/compose.js';
import { adviceAfter } from '../mail/steps.js';
import { MailFailure, openTransport, type TransportSettings } from '../mail/transport.js';

/** Shorter than the deadline of `cadastre`. */
const timeoutMs = 25_000;
/** Characters of the reply of a mail server, and of the reason of a failure. */
const maxReply = 1_000;

/** The parameters of test mails. */
export interface TestMailOptions {
  /** Absent if the service sends no mails. */
  readonly mail: { readonly settings: TransportSettings; readonly sender: Sender } | undefined;
  readonly source: string;
  readonly logger: Logger;
}

/** Sends a mail through a transport of its own, which must connect: those of notifications may be connected for hours. */
export function sendTestMail(o: TestMailOptions): Handler<typeof MailServiceService.sendTestMail> {
  return async ({ address }, { caller }) => {
    if (!isEmail(address) || bareEmail(address) !== address) {
      throw new ServiceError('invalid', 'The address must be one e-mail address, such as noc@example.net');
    }
    if (o.mail === undefined)
      throw new ServiceError('not-found', 'The events service sends no mails: CADASTRE_MAIL_URL');
    const { settings, sender } = o.mail;
    let tls = '';
    const transport = openTransport({ ...settings, mailConnections: 1 }, (version) => {
      tls = version;
    });
    const mail = composeTest(address, o.source, sender);
    const shown = (text: string) => withoutLogin(text, settings.mailUrl).slice(0, maxReply);
    const result = await transport.send(mail, timeoutMs).catch(asFailure);
    transport.close();
    const failure = result instanceof MailFailure ? result : undefined;
    o.logger.info({ caller, ...(failure && { code: failure.code }) }, 'tested the mail server');
    return {
      from: sender.from,
      messageId: mail.messageId!,
      dkimKey: dkimKeyOf(settings),
      destination: destinationOf(),
      failure: failure && {
        step: failure.step,
        reason: shown(failure.message),
        advice: adviceAfter(failure.step, failure.class === 'temporary'),
      },
    };

    function destinationOf(): SendTestMailResponse['destination'] {
      if ('file' in result) return { $case: 'file', value: result.file };
      if (transport.server === undefined) return undefined;
      return { $case: 'server', value: { ...transport.server, tls, reply: shown(result.reply) } };
    }
  };
}

function asFailure(error: unknown): MailFailure {
  return error instanceof MailFailure ? error : new MailFailure(error);
}

/** The DNS name of the key that signs; empty without one, and for files, which nothing signs. */
function dkimKeyOf({ mailUrl, mailFrom, dkimSelector }: TransportSettings): string {
  if (dkimSelector === undefined || mailUrl.startsWith('file:')) return '';
  return `${dkimSelector}._domainkey.${domainOf(mailFrom)}`;
}

/** Replies of mail servers may repeat a command: hides the password in each form in which it is sent. */
function withoutLogin(text: string, mailUrl: string): string {
  const url = new URL(mailUrl);
  const [user, password] = [url.username, url.password].map(decodeURIComponent) as [string, string];
  if (password === '') return text;
  const base64 = (plain: string) => Buffer.from(plain).toString('base64');
  const forms = [base64(`\0${user}\0${password}`), base64(password), password];
  return forms.reduce((shown, form) => shown.replaceAll(form, '***'), text);
}
