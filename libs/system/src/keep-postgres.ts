import { startEmbeddedPostgres } from './embedded-postgres.js';
import { type Kept, keepRunning, type Running } from './keep-running.js';

/** For one machine that does other things too: about half a gigabyte for the database. */
const serverSettings = {
  max_connections: '80',
  shared_buffers: '256MB',
  effective_cache_size: '1GB',
  maintenance_work_mem: '128MB',
  max_wal_size: '2GB',
  random_page_cost: '1.1',
  jit: 'off',
};

/** The database server of the system and its superuser's URL. */
export interface KeptPostgres extends Kept {
  url: string;
}

/** Starts PostgreSQL on a unix socket and starts it again whenever it ends. Everything acknowledged is durable. */
export async function keepPostgres(o: {
  dataDirectory: string;
  socketDirectory: string;
  announce: (line: string) => void;
}): Promise<KeptPostgres> {
  let url = '';
  const start = async (): Promise<Running> => {
    const server = await startEmbeddedPostgres({
      dataDirectory: o.dataDirectory,
      socketDirectory: o.socketDirectory,
      durable: true,
      settings: serverSettings,
    });
    url = server.url;
    return {
      exited: server.exited.then(() => 'ended'),
      stop: server.stop,
      kill: () => void process.kill(server.pid, 'SIGQUIT'),
    };
  };
  const kept = await keepRunning({ name: 'PostgreSQL', start, announce: o.announce });
  return { ...kept, url };
}
