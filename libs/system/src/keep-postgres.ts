import { startEmbeddedPostgres } from './embedded-postgres.js';
import { keepRunning, type Running, type Supervised } from './keep-running.js';

/** For a machine that also does other work: about half a gigabyte for the database. */
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
export interface SupervisedPostgres extends Supervised {
  url: string;
}

/** Starts PostgreSQL on a unix socket and restarts it whenever it ends. Every acknowledged write is durable. */
export async function keepPostgres(o: {
  dataDirectory: string;
  socketDirectory: string;
  announce: (line: string) => void;
}): Promise<SupervisedPostgres> {
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
  const running = await keepRunning({ name: 'PostgreSQL', start, announce: o.announce });
  return { ...running, url };
}
