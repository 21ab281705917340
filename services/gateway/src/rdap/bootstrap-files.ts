import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type BootstrapName,
  bootstrapNames,
  createServiceTable,
  readBootstrapFile,
  type ServiceTable,
} from '@cadastre/rdap';
import { errorText, follow, type Logger, type Metrics, SettingsError, unlessAbsent } from '@cadastre/service';
import { Counter } from 'prom-client';
import type { GatewaySettings } from '../settings.js';

/** The public bootstrap files, by name; none without `CADASTRE_RDAP_BOOTSTRAP_DIR`. */
type ServedFiles = ReadonlyMap<BootstrapName, Buffer>;

/** The data from the directories of bootstrap files; follows them from `start` to `stop`. */
export interface RdapFiles {
  readonly redirects: Redirects;
  served(): ServedFiles;
  start(): void;
  stop(): void;
}

type FileSettings = Pick<
  GatewaySettings,
  'baseUrl' | 'rdapHosts' | 'rdapRedirectsDirectory' | 'rdapBootstrapDirectory' | 'rdapFilesCheck'
>;

/** Reads the directories in the settings. Throws a SettingsError when their files are invalid. */
export async function openRdapFiles(settings: FileSettings, logger: Logger, metrics: Metrics): Promise<RdapFiles> {
  const { rdapRedirectsDirectory, rdapBootstrapDirectory, rdapFilesCheck: intervalMs } = settings;
  const failures = new Counter({
    name: 'cadastre_rdap_files_failures_total',
    help: 'Polls of the bootstrap files of a directory that found files which cannot be used.',
    labelNames: ['setting'],
    registers: [metrics],
  });
  const open = <T>(setting: string, directory: string, read: (texts: BootstrapTexts) => T) =>
    followDirectory({
      ...{ setting, directory, read, intervalMs, logger },
      onProblem: () => failures.inc({ setting }),
    });
  const redirects =
    rdapRedirectsDirectory === undefined
      ? always(noRedirects)
      : await open('CADASTRE_RDAP_REDIRECTS_DIR', rdapRedirectsDirectory, (texts) => readRedirects(texts, settings));
  const served =
    rdapBootstrapDirectory === undefined
      ? always<ServedFiles>(new Map())
      : await open('CADASTRE_RDAP_BOOTSTRAP_DIR', rdapBootstrapDirectory, checked);
  return {
    redirects: { serviceFor: (sought) => redirects.current().serviceFor(sought) },
    served: served.current,
    start() {
      redirects.start();
      served.start();
    },
    stop() {
      redirects.stop();
      served.stop();
    },
  };
}

function always<T>(value: T): FollowedDirectory<T> {
  return { current: () => value, start() {}, stop() {} };
}

/** The files unchanged; throws when one is no bootstrap file. */
function checked(texts: BootstrapTexts): ServedFiles {
  const entries = Object.entries(texts) as [BootstrapName, string][];
  for (const [name, text] of entries) readBootstrapFile(name, text);
  return new Map(entries.map(([name, text]) => [name, Buffer.from(text)]));
}

/** The RDAP services of other registries. */
export type Redirects = Pick<ServiceTable, 'serviceFor'>;

/** Without other registries. */
const noRedirects: Redirects = { serviceFor: () => undefined };

/**
 * The services in bootstrap files, without this one, which the settings identify. Throws an Error for invalid files.
 */
function readRedirects(
  texts: BootstrapTexts,
  { baseUrl, rdapHosts }: Pick<GatewaySettings, 'baseUrl' | 'rdapHosts'>,
): Redirects {
  const own = new Set(rdapHosts.map((name) => name.toLowerCase()));
  if (baseUrl !== undefined) own.add(new URL(baseUrl).hostname);
  return createServiceTable(texts, ({ hostname }) => own.has(hostname));
}

/** The texts of the bootstrap files in a directory; missing ones are absent. */
type BootstrapTexts = { readonly [name in BootstrapName]?: string };

/** The current content of a directory. */
interface FollowedDirectory<T> {
  current(): T;
  start(): void;
  stop(): void;
}

interface DirectoryOptions<T> {
  /** The setting that names the directory, for messages. */
  readonly setting: string;
  readonly directory: string;
  /** Converts the texts. Throws an Error for invalid ones. */
  readonly read: (texts: BootstrapTexts) => T;
  /** Called each time that the files are invalid. */
  readonly onProblem: () => void;
  readonly intervalMs: number;
  readonly logger: Logger;
}

/** Refuses a larger file: it would delay other requests while the gateway reads it. */
const maxBytes = 32 * 1024 * 1024;

/**
 * Reads the bootstrap files of a directory now, and after `start` again when they change; while they are invalid,
 * continues with the previous value. Throws a SettingsError when they are invalid at first.
 */
async function followDirectory<T>(o: DirectoryOptions<T>): Promise<FollowedDirectory<T>> {
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
          logger.error(
            { setting, reason: errorText(error) },
            'cannot use the bootstrap files: continuing with the previous ones',
          );
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
