import https from 'node:https';
import type { Cluster } from './cluster.js';
import { personText } from './person-text.js';
import { jsonBody } from './whois.js';

/** The response to a request of a `ClusterClient`. */
export interface Sent {
  readonly status: number;
  readonly text: string;
}

/** A client of the REST interface of a cluster. */
export interface ClusterClient {
  /** Sends a read, or a POST when there is a body. */
  send(path: string, body?: string): Promise<Sent>;
  close(): void;
}

/**
 * A client with one connection to each gateway. Like a load balancer, it uses the other gateway when it cannot connect to
 * one (nothing was sent then); any other error is a failed request. `gateways`: those that it uses.
 */
export function createClusterClient(cluster: Cluster, gateways = cluster.gateways): ClusterClient {
  const agents = gateways.map(() => new https.Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false }));
  let turn = 0;
  const sendTo = (which: number, path: string, body: string | undefined) =>
    new Promise<Sent>((resolve, reject) => {
      const [host, port] = gateways[which]!.split(':');
      const headers = {
        accept: 'application/json',
        ...(body === undefined
          ? {}
          : { 'content-type': 'application/json', authorization: `Basic ${cluster.credential}` }),
      };
      const options = { host, port, path, method: body === undefined ? 'GET' : 'POST', headers, agent: agents[which] };
      const request = https.request(options, async (response) => {
        let text = '';
        for await (const chunk of response) text += chunk;
        resolve({ status: response.statusCode ?? 0, text });
      });
      let isConnected = false;
      request.once('socket', (socket) => {
        if (request.reusedSocket) isConnected = true;
        else socket.once('secureConnect', () => (isConnected = true));
      });
      request.once('error', (error) => reject(isConnected ? error : new NotConnected(error)));
      request.end(body);
    });
  return {
    async send(path, body) {
      const first = turn++ % agents.length;
      for (let n = 0; ; n++) {
        try {
          return await sendTo((first + n) % agents.length, path, body);
        } catch (error) {
          if (!(error instanceof NotConnected) || n === agents.length) throw error;
        }
      }
    },
    close: () => {
      for (const agent of agents) agent.destroy();
    },
  };
}

/**
 * The connection ended before TLS was established, so no request was sent: the port was closed, or the gateway closed it
 * while the connection waited to be accepted.
 */
class NotConnected extends Error {
  constructor(cause: Error) {
    super(String(cause), { cause });
  }
}

/** A request of the traffic with its response; status 0 without one. */
export interface Answered extends Sent {
  readonly path: string;
  /** The key of the person that it creates; absent for a read. */
  readonly writes?: string;
  readonly milliseconds: number;
}

const reads = [
  '/TEST/mntner/EXAMPLE-MNT',
  '/search?query-string=EXAMPLE-MNT',
  '/abuse-contact/192.0.2.1',
  '/metadata/sources',
];

/**
 * Writes and reads without a pause: creates persons whose keys begin with `prefix`, and after each one reads it, if it was
 * created, and something else. Returns what ends it.
 */
export function startTraffic(
  client: ClusterClient,
  prefix: string,
  onAnswered: (answered: Answered) => void,
): () => Promise<void> {
  let running = true;
  const send = async (path: string, writes?: string) => {
    const body = writes === undefined ? undefined : jsonBody(personText('Traffic Writer', writes));
    const begun = performance.now();
    const sent = await client.send(path, body).catch((error: Error) => ({ status: 0, text: String(error) }));
    const milliseconds = Math.round(performance.now() - begun);
    onAnswered({ ...sent, path, milliseconds, ...(writes === undefined ? {} : { writes }) });
    return sent.status;
  };
  const done = (async () => {
    for (let n = 1; running; n++) {
      const key = `${prefix}${n}-TEST`;
      if ((await send('/TEST/person', key)) === 200) await send(`/TEST/person/${key}`);
      await send(reads[n % reads.length]!);
    }
  })();
  return async () => {
    running = false;
    await done;
    client.close();
  };
}
