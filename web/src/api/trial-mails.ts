import { RequestFailed, reached } from './registry.js';

/** A mail that a trial wrote into a file instead of sending it. */
export interface TrialMail {
  /** Name of its file. */
  readonly name: string;
  /** When it was written (ISO 8601). */
  readonly time: string;
  /** Its beginning, with the header. */
  readonly head: string;
}

const path = '/-/trial/mails';

/** The newest mails, newest first; undefined where mails are not for this browser. Throws a RequestFailed. */
export async function listTrialMails(signal?: AbortSignal): Promise<TrialMail[] | undefined> {
  return (await found(path, signal))?.json().then(({ mails }: { mails: TrialMail[] }) => mails);
}

/** A mail as it was written; undefined for an unknown one. Throws a RequestFailed. */
export async function readTrialMail(name: string, signal?: AbortSignal): Promise<string | undefined> {
  return (await found(`${path}/${encodeURIComponent(name)}`, signal))?.text();
}

async function found(url: string, signal: AbortSignal | undefined): Promise<Response | undefined> {
  const response = await reached(new Request(new URL(url, location.href), signal ? { signal } : {}));
  if (response.status === 404) return undefined;
  if (!response.ok) throw new RequestFailed(response.status, []);
  return response;
}
