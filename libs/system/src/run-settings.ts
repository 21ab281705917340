import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { baseSettings, type Setting, setting, type Values } from '@cadastre/service';

/** Folder of this checkout. */
export const checkout = fileURLToPath(new URL('../../..', import.meta.url));

/** The settings of `make run`. It passes other CADASTRE_ variables on to the services. */
export const runSettings = {
  dataDirectory: setting.text({
    name: 'CADASTRE_DATA_DIR',
    doc: 'Directory of all data: database, certificate, API key, accounts, logs.',
    default: join(checkout, '.data'),
  }),
  httpPort: setting.port({
    name: 'CADASTRE_HTTP_PORT',
    doc: 'Port for HTTP (reads only); 0 takes a free one.',
    default: 8080,
  }),
  httpsPort: setting.port({
    name: 'CADASTRE_HTTPS_PORT',
    doc: 'Port for HTTPS; 0 takes a free one.',
    default: 8443,
  }),
  certPort: setting.port({
    name: 'CADASTRE_CERT_PORT',
    doc: 'Port for HTTPS with client certificates; 0 takes a free one.',
    default: 8444,
  }),
  whoisPort: setting.port({
    name: 'CADASTRE_WHOIS_PORT',
    doc: 'TCP port of the whois interface; 0 takes a free one.',
    default: 4343,
  }),
  bindAddress: setting.text({
    name: 'CADASTRE_BIND_ADDRESS',
    doc: 'Address to listen on; default: all addresses of the machine.',
    optional: true,
  }),
  operations: setting.address({
    name: 'CADASTRE_OPERATIONS',
    doc: "Address of the gateway's plain HTTP port with /live, /ready and /metrics; none by default.",
    optional: true,
  }),
  processes: setting.oneOf(['one', 'each'], {
    name: 'CADASTRE_RUN_PROCESSES',
    doc: 'one: all services share one process, which needs least memory and starts soonest. each: every service has its own, as in production, so that they share neither memory nor a processor, and one that fails ends no other.',
    default: 'one',
  }),
  nodeFlags: nodeFlags({
    name: 'CADASTRE_NODE_FLAGS',
    doc: 'Node.js flags for single programs, each of which then has a process of its own; separated by spaces: "objects=--cpu-prof --cpu-prof-dir=/tmp, search=--trace-gc".',
  }),
  published: setting.list({
    name: 'CADASTRE_MIRROR_PUBLISH',
    doc: 'Sources that others may follow at /nrtmv4/; with them the mirror service runs.',
    default: [],
  }),
  dumped: setting.list({
    name: 'CADASTRE_MIRROR_DUMPS',
    doc: 'Sources of which others may fetch dumps at /dumps/; with them the mirror service runs.',
    default: [],
  }),
  originsFile: setting.text({
    name: 'CADASTRE_MIRROR_ORIGINS_FILE',
    doc: 'File with the registries that this one follows; with it the mirror service runs.',
    optional: true,
  }),
  source: sourceName(baseSettings.source),
  environment: trialOnly(baseSettings.environment),
  logLevel: baseSettings.logLevel,
};

export type RunSettings = Values<typeof runSettings>;

/** The programs that `make run` starts with Node.js. */
export const programNames = [
  'gateway',
  'objects',
  'auth',
  'search',
  'events',
  'whois',
  'mirror',
  'identity-provider',
] as const;
export type ProgramName = (typeof programNames)[number];

/** A name of letters, digits, "-" and "_", as in the attribute source of an object; in upper case. */
function sourceName(text: Setting<string>): Setting<string> {
  return {
    ...text,
    parse(name) {
      if (!/^[a-z][a-z0-9_-]{0,79}$/i.test(name)) {
        return { problem: 'must be the name of a source: a letter, then letters, digits, "-" or "_"' };
      }
      return { value: name.toUpperCase() };
    },
  };
}

/**
 * Refuses production: anyone can sign in at the identity provider of `make run`, and its certificate is self-signed.
 */
function trialOnly<T>(environment: Setting<T>): Setting<T> {
  return {
    ...environment,
    parse(text) {
      const read = environment.parse(text);
      if ('problem' in read || text === 'test') return read;
      const problem =
        'make run starts a trial, where anyone can sign in and the certificate is self-signed; for production see ' +
        'docs/start/install.md. Set it to "test", or not at all';
      return { problem };
    },
  };
}

/** Flags by program: "objects=--cpu-prof --cpu-prof-dir=/tmp, gateway=--inspect". */
function nodeFlags({ name, doc }: { name: string; doc: string }): Setting<ReadonlyMap<string, readonly string[]>> {
  return {
    ...setting.list({ name, doc, default: [] }),
    form: 'objects=--cpu-prof,...',
    fallback: new Map(),
    parse(text) {
      const flags = new Map<string, string[]>();
      for (const part of text.split(',')) {
        const [, program, list = ''] = /^\s*([a-z-]+)=(.+)$/.exec(part) ?? [];
        const words = list.split(' ').filter(Boolean);
        if (!programNames.some((one) => one === program) || words.some((word) => !word.startsWith('-'))) {
          return { problem: `must be NAME=--flag --flag,... with a NAME of ${programNames.join(', ')}` };
        }
        flags.set(program!, [...(flags.get(program!) ?? []), ...words]);
      }
      return { value: flags };
    },
  };
}

/** Files and folders below the data directory. */
export interface DataPaths {
  directory: string;
  database: string;
  logs: string;
  /** Directory of the gateway's certificate. */
  tls: string;
  accounts: string;
  /** Directory of the mails, if there is no mail server. */
  mails: string;
  apiKey: string;
  /** File of the key from which the secrets of webhooks are derived. */
  webhookKey: string;
  /** Directory of the keys that sign publications; cli/src/commands/mirror-keys.ts has the same name. */
  mirrorKeys: string;
  /** Directory of the files that others download. */
  publications: string;
  runFile: string;
}

/** The paths of the data. */
export function dataPaths(settings: RunSettings): DataPaths {
  const directory = resolve(settings.dataDirectory);
  return {
    directory,
    database: join(directory, 'postgres'),
    logs: join(directory, 'logs'),
    tls: join(directory, 'tls'),
    accounts: join(directory, 'accounts.json'),
    mails: join(directory, 'mails'),
    apiKey: join(directory, 'api-key.json'),
    webhookKey: join(directory, 'webhook-key.json'),
    mirrorKeys: join(directory, 'mirror-keys'),
    publications: join(directory, 'publications'),
    runFile: join(directory, 'run.json'),
  };
}
