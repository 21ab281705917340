import { type BootstrapName, readBootstrapFile } from '@cadastre/rdap';
import type { Logger, Metrics } from '@cadastre/service';
import { Counter } from 'prom-client';
import type { GatewaySettings } from '../settings.js';
import { type BootstrapTexts, type FollowedDirectory, followDirectory } from './bootstrap-directory.js';
import { noRedirects, type Redirects, readRedirects } from './redirects.js';

/** The bootstrap files that clients get, by name; none without `CADASTRE_RDAP_BOOTSTRAP_DIR`. */
export type ServedFiles = ReadonlyMap<BootstrapName, Buffer>;

/** What the gateway takes from directories of bootstrap files; it follows them from `start` to `stop`. */
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

/** Reads the directories that the settings name. Throws a SettingsError when their files cannot be used. */
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

/** The files as they are; throws when one is no bootstrap file. */
function checked(texts: BootstrapTexts): ServedFiles {
  const entries = Object.entries(texts) as [BootstrapName, string][];
  for (const [name, text] of entries) readBootstrapFile(name, text);
  return new Map(entries.map(([name, text]) => [name, Buffer.from(text)]));
}
