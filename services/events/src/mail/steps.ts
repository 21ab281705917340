import { MailStep } from '@cadastre/proto/events';

/** An error of nodemailer. */
export interface SmtpFailure extends Error {
  readonly code?: string;
  /** The code of Node.js, for failures of connections. */
  readonly originalCode?: string;
  readonly timeoutType?: string;
  readonly responseCode?: number;
  readonly response?: string;
  /** The command that failed; "API" when none was sent, "CONN" when the connection failed. */
  readonly command?: string;
}

const byCommand: Readonly<Record<string, MailStep>> = {
  STARTTLS: MailStep.MAIL_STEP_TLS,
  AUTH: MailStep.MAIL_STEP_LOGIN,
  MAIL: MailStep.MAIL_STEP_SENDER,
  RCPT: MailStep.MAIL_STEP_RECIPIENT,
  DATA: MailStep.MAIL_STEP_CONTENT,
};

/** The step of an attempt to send a mail that failed. */
export function failedStep({ code, command = '', originalCode, timeoutType }: SmtpFailure): MailStep {
  const ofCommand = byCommand[command.split(' ')[0]!];
  if (ofCommand !== undefined) return ofCommand;
  if (code === 'EDNS') return MailStep.MAIL_STEP_RESOLVE;
  if (code === 'EAUTH') return MailStep.MAIL_STEP_LOGIN;
  // Node.js has codes such as CERT_HAS_EXPIRED for TLS, and ECONNREFUSED for connections.
  if (code === 'ETLS' || timeoutType === 'UPGRADE_TIMEOUT' || originalCode?.includes('_'))
    return MailStep.MAIL_STEP_TLS;
  if (code === 'ESOCKET' || timeoutType === 'CONNECT_TIMEOUT') return MailStep.MAIL_STEP_CONNECT;
  return MailStep.MAIL_STEP_SESSION;
}

const advice: Readonly<Partial<Record<MailStep, string>>> = {
  [MailStep.MAIL_STEP_RESOLVE]: 'Check the host in CADASTRE_MAIL_URL, and whether this service reaches its DNS.',
  [MailStep.MAIL_STEP_CONNECT]:
    'Check host and port in CADASTRE_MAIL_URL, and whether firewalls (in the chart networkPolicy.outside.smtp) allow ' +
    'this connection.',
  [MailStep.MAIL_STEP_SESSION]:
    'Check that this port speaks SMTP (CADASTRE_MAIL_URL begins with smtps:// if it expects TLS from the start, as 465 ' +
    'does) and that the mail server serves this client.',
  [MailStep.MAIL_STEP_TLS]:
    'CADASTRE_MAIL_URL must name the host as the certificate of the mail server does, and begin with smtps:// for TLS ' +
    'from the start or smtp:// for STARTTLS. CADASTRE_MAIL_CA_FILE names a file with the CA of the certificate, if Node.js ' +
    'does not know it.',
  [MailStep.MAIL_STEP_LOGIN]:
    'Check user and password in CADASTRE_MAIL_URL, percent-encoded. Some providers need a password for programs.',
  [MailStep.MAIL_STEP_SENDER]:
    'Let the mail server accept mails of this client from CADASTRE_MAIL_FROM, or set the address that it accepts.',
  [MailStep.MAIL_STEP_RECIPIENT]:
    'Check the address. If it exists, let the mail server relay mails of this client to other domains, or log in by ' +
    'CADASTRE_MAIL_URL.',
  [MailStep.MAIL_STEP_CONTENT]:
    'The mail server accepted both addresses, but not the mail: its reply says why, for example a filter, or a missing ' +
    'SPF record or DKIM signature.',
  [MailStep.MAIL_STEP_FILE]: 'Let this service write into the directory in CADASTRE_MAIL_URL.',
};

/** What the operator should do after a failure at this step. `isTemporary`: the server replied with a 4xx code. */
export function adviceAfter(step: MailStep, isTemporary: boolean): string {
  return isTemporary ? `${wait} ${advice[step]}` : advice[step]!;
}

const wait = 'The mail server may accept it later: try again in some minutes. If it never does:';
