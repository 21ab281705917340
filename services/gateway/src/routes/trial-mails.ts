import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SettingsError, unlessAbsent } from '@cadastre/service';
import type { GatewaySettings } from '../settings.js';

/** The mails that the events service of a trial wrote into files, instead of sending them. */
export interface TrialMails {
  /** The newest mails, newest first: at most 100. */
  list(): Promise<TrialMail[]>;
  /** The bytes of a mail, at most the first MiB; undefined without such a mail. */
  read(name: string): Promise<Buffer | undefined>;
}

/** A mail in a list. */
export interface TrialMail {
  /** Name of its file. */
  readonly name: string;
  /** When it was written (ISO 8601). */
  readonly time: string;
  /** Its first 4 KiB, which have its header. */
  readonly head: string;
}

const maxListed = 100;
/** Files whose times are read; of more, those with the highest numbers in their names. */
const maxCompared = 1_000;
const headBytes = 4 * 1024;
const mailBytes = 1024 * 1024;
const mailFile = /^[\w.@-]+\.eml$/;
const byNumber = new Intl.Collator('en', { numeric: true });

/** The mails in CADASTRE_TRIAL_MAILS_DIR; undefined without it. Throws a SettingsError in production. */
export function createTrialMails({
  trialMailsDirectory: directory,
  environment,
}: Pick<GatewaySettings, 'trialMailsDirectory' | 'environment'>): TrialMails | undefined {
  if (directory === undefined) return undefined;
  if (environment === 'production') {
    throw new SettingsError(['CADASTRE_TRIAL_MAILS_DIR: shows the mails of all people: not in production']);
  }
  return {
    async list() {
      const names = (await unlessAbsent(readdir(directory))) ?? [];
      const compared = names.filter((name) => mailFile.test(name)).sort((a, b) => byNumber.compare(b, a));
      const files = await Promise.all(
        compared.slice(0, maxCompared).map(async (name) => {
          const found = await unlessAbsent(stat(join(directory, name)));
          return found ? [{ name, time: found.mtime.toISOString() }] : [];
        }),
      );
      // Files of the same time keep their order by number.
      const newest = files.flat().sort((a, b) => b.time.localeCompare(a.time));
      const mails = newest.slice(0, maxListed).map(async ({ name, time }) => {
        const head = await beginningOf(join(directory, name), headBytes);
        return head ? [{ name, time, head: head.toString('utf8') }] : [];
      });
      return (await Promise.all(mails)).flat();
    },
    read: async (name) => (mailFile.test(name) ? beginningOf(join(directory, name), mailBytes) : undefined),
  };
}

async function beginningOf(file: string, most: number): Promise<Buffer | undefined> {
  const opened = await unlessAbsent(open(file));
  if (opened === undefined) return undefined;
  try {
    const { buffer, bytesRead } = await opened.read(Buffer.alloc(most), 0, most, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await opened.close();
  }
}
