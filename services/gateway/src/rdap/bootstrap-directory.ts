import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type BootstrapName, bootstrapNames } from '@cadastre/rdap';
import { errorText, follow, type Logger, SettingsError, unlessAbsent } from '@cadastre/service';

/** The texts of the bootstrap files in a directory; those that it does not have are absent. */
export type BootstrapTexts = { readonly [name in BootstrapName]?: string };

/** What a directory says now. */
export interface FollowedDirectory<T> {
  current(): T;
  start(): void;
  stop(): void;
}

export interface DirectoryOptions<T> {
  /** The setting that names the directory, for messages. */
  readonly setting: string;
  readonly directory: string;
  /** Makes the value from the texts. Throws an Error when it cannot use them. */
  readonly read: (texts: BootstrapTexts) => T;
  /** Called each time that the files cannot be used. */
  readonly onProblem: () => void;
  readonly intervalMs: number;
  readonly logger: Logger;
}

/** A larger file is refused: it would hold up other requests while the gateway reads it. */
const maxBytes = 32 * 1024 * 1024;

/**
 * Reads the bootstrap files of a directory now, and after `start` again when they change; while they cannot be used, the
 * former value stays. Throws a SettingsError when they cannot be used at first.
 */
export async function followDirectory<T>(o: DirectoryOptions<T>): Promise<FollowedDirectory<T>> {
  const { setting, directory, logger } = o;
  const first = await readFirst(o);
  let { value } = first;
  let stop = () => {};
  return {
    current: () => value,
    start() {
      stop = follow({
        current: first.texts,
        load: () => readTexts(directory),
        isSame: (one, other) => bootstrapNames.every((name) => one[name] === other[name]),
        use(texts) {
          value = o.read(texts);
          logger.info({ directory }, 'new bootstrap files of RDAP in use');
        },
        onProblem(error, repeated) {
          o.onProblem();
          if (repeated) return;
          logger.error({ setting, reason: errorText(error) }, 'cannot use the bootstrap files; the old ones stay');
        },
        intervalMs: o.intervalMs,
      });
    },
    stop: () => stop(),
  };
}

async function readFirst<T>({
  setting,
  directory,
  read,
}: DirectoryOptions<T>): Promise<{ texts: BootstrapTexts; value: T }> {
  try {
    const texts = await readTexts(directory);
    return { texts, value: read(texts) };
  } catch (error) {
    throw new SettingsError([`${setting}: ${errorText(error)}`]);
  }
}

async function readTexts(directory: string): Promise<BootstrapTexts> {
  const texts: { [name in BootstrapName]?: string } = {};
  for (const name of bootstrapNames) {
    const text = await unlessAbsent(readText(join(directory, `${name}.json`)));
    if (text !== undefined) texts[name] = text;
  }
  if (Object.keys(texts).length === 0) throw new Error(`${directory} has no bootstrap files, such as ipv4.json`);
  return texts;
}

async function readText(file: string): Promise<string> {
  const { size } = await stat(file);
  if (size > maxBytes) throw new Error(`${file} has more than ${maxBytes} bytes`);
  return readFile(file, 'utf8');
}
