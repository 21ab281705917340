import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { baseSettings, setting, type Values } from '@cadastre/service';

/** Folder of this checkout. */
export const checkout = fileURLToPath(new URL('../../..', import.meta.url));

/** What may be set for `make run`. Other CADASTRE_ variables are handed on to the services as they are. */
export const runSettings = {
  dataDirectory: setting.text({
    name: 'CADASTRE_DATA_DIR',
    doc: 'Directory where everything is kept: database, certificate, API key, accounts, logs.',
    default: join(checkout, '.data'),
  }),
  httpPort: setting.port({
    name: 'CADASTRE_HTTP_PORT',
    doc: 'Port for HTTP, which serves reads only; 0 takes a free one.',
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
  bindAddress: setting.text({
    name: 'CADASTRE_BIND_ADDRESS',
    doc: 'Address to listen on; all addresses of the machine unless set.',
    optional: true,
  }),
  logLevel: baseSettings.logLevel,
  parentPipe: setting.oneOf(['0', '1'], {
    name: 'CADASTRE_PARENT_PIPE',
    doc: '1: stop when standard input ends, which is how a program that started the system takes it along.',
    default: '0',
  }),
};

/** The settings of a run. */
export type RunSettings = Values<typeof runSettings>;

/** Files and folders below the data directory. */
export interface DataPaths {
  directory: string;
  database: string;
  logs: string;
  /** Where the gateway keeps its certificate. */
  tls: string;
  accounts: string;
  apiKey: string;
  runFile: string;
}

/** Where things are kept. */
export function dataPaths(settings: RunSettings): DataPaths {
  const directory = resolve(settings.dataDirectory);
  return {
    directory,
    database: join(directory, 'postgres'),
    logs: join(directory, 'logs'),
    tls: join(directory, 'tls'),
    accounts: join(directory, 'accounts.json'),
    apiKey: join(directory, 'api-key.json'),
    runFile: join(directory, 'run.json'),
  };
}
