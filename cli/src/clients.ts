import { connect, type RpcClient, type ServiceDefinition } from '@cadastre/service';
import { accessOf } from './access.js';
import { findAddresses } from './addresses.js';
import { CommandFailure } from './failure.js';
import type { Io } from './io.js';

const ordinaryDeadlineMs = 30_000;
/** The operator may be far away, and a ping waits behind the dump on a slow connection. */
const keepalive = { timeMs: 10_000, timeoutMs: 5_000 };

/** `searchAny`: replicas of search, ready or not. */
type ServiceName = 'objects' | 'auth' | 'search' | 'searchAny' | 'mirror' | 'events';

/** Runs `use` with a client of one of the registry's services, then closes the client. */
export async function withClient<D extends ServiceDefinition, R>(
  io: Io,
  service: ServiceName,
  definition: D,
  use: (client: RpcClient<D>) => Promise<R>,
): Promise<R> {
  const addresses = findAddresses(io.env);
  const address = addresses[service];
  if (!address && addresses.local) throw new CommandFailure(`This registry was started without ${service}`);
  if (!address) throw new CommandFailure(`CADASTRE_${service.toUpperCase()}_ADDRESS is not set (host:port)`);
  const access = accessOf(io.env);
  // Every replica has the certificate of the service.
  const certificateName = service === 'searchAny' ? addresses.search?.replace(/:\d+$/, '') : undefined;
  const options = { name: 'cli', deadlineMs: ordinaryDeadlineMs, retries: false, keepalive, certificateName };
  const client = connect(definition, { address, ...access, ...options });
  try {
    return await use(client);
  } finally {
    client.close();
    access.tls?.close();
  }
}
