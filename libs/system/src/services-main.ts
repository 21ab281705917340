import { createInterface } from 'node:readline';
import {
  baseSettings,
  createLogger,
  type Program,
  readSettings,
  runService,
  type Service,
  withParent,
} from '@cadastre/service';
import type { SharedService } from './keep-service.js';
import type { ProgramName } from './run-settings.js';

// Several services in one process, which the supervisor starts. The arguments are the names of their programs, whose
// code it loads immediately; each line on standard input starts a service. When one fails, the process ends.

const load: Record<ProgramName, () => Promise<{ program: Program }>> = {
  'identity-provider': () => import('./identity-provider-program.js'),
  objects: () => import('@cadastre/objects'),
  auth: () => import('@cadastre/auth'),
  search: () => import('@cadastre/search'),
  events: () => import('@cadastre/events'),
  gateway: () => import('@cadastre/gateway'),
  whois: () => import('@cadastre/whois'),
  mirror: () => import('@cadastre/mirror'),
};

/**
 * Starts the requested services one after the other, so that the start of one never delays another that it waits for.
 * `stop` stops the newest first, because it uses the earlier ones.
 */
function createServices(): Service {
  const running: Service[] = [];
  let last = loadAll(process.argv.slice(2).filter((one) => one !== withParent) as ProgramName[]);
  createInterface(process.stdin).on('line', (line) => {
    last = last.then(async () => void running.push(await startService(JSON.parse(line))));
  });
  return {
    start: async () => {},
    async stop() {
      await last;
      for (const service of running.toReversed()) await service.stop();
    },
  };
}

async function loadAll(names: readonly ProgramName[]): Promise<void> {
  for (const name of names) await load[name]();
}

async function startService({ name, env, log }: SharedService): Promise<Service> {
  const { program } = await load[name]();
  const service = await program.prepare(env, log).create();
  await service.start();
  return service;
}

// Listens before the first line can arrive.
const services = createServices();
const { logLevel: level } = readSettings({ logLevel: baseSettings.logLevel });
await runService(async () => services, createLogger({ service: 'services', level }));
