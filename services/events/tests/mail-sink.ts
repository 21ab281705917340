import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail in the form in which a mail server received it. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: string;
  /** Headers by lower-case name, unfolded. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  /** As received. */
  readonly raw: string;
  /** The login of the client; undefined without one. */
  readonly user: string | undefined;
  /** Whether it came over TLS. */
  readonly isSecure: boolean;
}

/** A mail server that accepts one login. */
export interface Login {
  readonly user: string;
  readonly password: string;
  /** TLS from the start, by STARTTLS, or none. */
  readonly tls: 'smtps' | 'starttls' | 'none';
  /** Certificate and key, PEM. */
  readonly certificate: { readonly cert: string; readonly key: string };
  /** What the server replies to a wrong password, given that. */
  readonly refusal?: (password: string) => string;
}

/** A mail server of tests. */
export interface MailSink {
  readonly url: string;
  readonly mails: ReceivedMail[];
  /** Called for each mail after its DATA, before the server accepts it; throw to refuse the mail. */
  beforeAccept: (mail: ReceivedMail) => Promise<void> | void;
  close(): Promise<void>;
}

/** Starts a mail server that accepts all recipients except those of `refused`, with their status. */
export async function startMailSink(refused: Readonly<Record<string, number>> = {}, login?: Login): Promise<MailSink> {
  const server = new SMTPServer({
    ...(login === undefined ? { disabledCommands: ['STARTTLS', 'AUTH'] } : loginOptions(login)),
    authOptional: true,
    logger: false,
    onRcptTo({ address }, _session, done) {
      const responseCode = refused[address];
      done(responseCode === undefined ? null : Object.assign(new Error(`no mail for ${address}`), { responseCode }));
    },
    onData(stream, { envelope, user, secure }, done) {
      text(stream)
        .then(async (raw) => {
          const from = envelope.mailFrom ? envelope.mailFrom.address : '';
          const to = envelope.rcptTo.map(({ address }) => address).join();
          const mail = { from, to, ...partsOf(raw), raw, user: user as string | undefined, isSecure: secure };
          await sink.beforeAccept(mail);
          sink.mails.push(mail);
        })
        .then(() => done(), done);
    },
  });
  server.on('error', () => {}); // A client that was killed in the middle of a mail.
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  const sink: MailSink = {
    url: urlOf(port, login),
    mails: [],
    beforeAccept: () => {},
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return sink;
}

function loginOptions({ user, password, tls, certificate, refusal }: Login): SMTPServerOptions {
  const refuse = (given: string) => new Error(refusal?.(given) ?? 'wrong password');
  return {
    ...certificate,
    secure: tls === 'smtps',
    disabledCommands: tls === 'none' ? ['STARTTLS'] : [],
    allowInsecureAuth: tls === 'none',
    onAuth: (auth, _session, done) =>
      auth.username === user && auth.password === password ? done(null, { user }) : done(refuse(auth.password ?? '')),
  };
}

/** The URL for localhost, with its certificate if there is one. */
function urlOf(port: number, login: Login | undefined): string {
  if (login === undefined) return `smtp://127.0.0.1:${port}`;
  const scheme = login.tls === 'smtps' ? 'smtps' : 'smtp';
  return `${scheme}://${encodeURIComponent(login.user)}:${encodeURIComponent(login.password)}@localhost:${port}`;
}

function partsOf(raw: string): Pick<ReceivedMail, 'headers' | 'body'> {
  const [head = '', ...rest] = raw.split('\r\n\r\n');
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  const headers = new Map(
    lines.map((line) => {
      const [name = '', ...value] = line.split(':');
      return [name.toLowerCase(), value.join(':').trim()];
    }),
  );
  const encoded = rest.join('\r\n\r\n').replaceAll('\r\n', '\n');
  const isQuoted = headers.get('content-transfer-encoding') === 'quoted-printable';
  return { headers, body: isQuoted ? decodeQuoted(encoded) : encoded };
}

function decodeQuoted(encoded: string): string {
  const bytes = encoded
    .replace(/=\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
