import type { IncomingHttpHeaders } from 'node:http';
import https from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import type { CertificateWithKey } from '../../../../services/gateway/src/server/self-signed.js';
import type { Cluster } from './cluster.js';
import { personText } from './person-text.js';
import type { Stalls } from './stalls.js';
import { jsonBody } from './whois.js';

/** The response to a request of a `ClusterClient`. */
export interface Sent {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** What a request has instead of the usual method, and besides or instead of the usual headers. */
export interface Other {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether a request with a body has no credential. */
  readonly isAnonymous?: true;
}

/** A client of the REST interface of a cluster. */
export interface ClusterClient {
  /** Sends a read, or a POST when there is a body; or this method and these headers. */
  send(path: string, body?: string, more?: Other): Promise<Sent>;
  /** Sends new requests to these gateways only. */
  use(gateways: readonly string[]): void;
  /** Ends the connections to a gateway, and the requests on them. */
  disconnect(gateway: string): void;
  close(): void;
}

/**
 * A client with one connection to each gateway. Like a load balancer, it uses the other gateway when it cannot connect
 * to one (nothing was sent then); any other error is a failed request. `gateways`: those in use.
 * With a certificate, it uses the ports for client certificates.
 */
export function createClusterClient(
  cluster: Cluster,
  gateways = cluster.gateways,
  certificate?: CertificateWithKey,
): ClusterClient {
  const options = { keepAlive: true, maxSockets: 1, rejectUnauthorized: false, ...certificate };
  const places = new Map(
    cluster.replicas.gateway.map(({ address, certHttps }) => [
      address,
      { place: certificate ? certHttps! : address, agent: new https.Agent(options) },
    ]),
  );
  let inUse = gateways;
  let turn = 0;
  const sendTo = (gateway: string, path: string, body: string | undefined, other: Other) =>
    new Promise<Sent>((resolve, reject) => {
      const { place, agent } = places.get(gateway)!;
      const [host, port] = place.split(':');
      const headers = {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(body !== undefined && !other.isAnonymous && { authorization: `Basic ${cluster.credential}` }),
        ...other.headers,
      };
      const options = {
        host,
        port,
        path,
        method: other.method ?? (body === undefined ? 'GET' : 'POST'),
        headers,
        agent,
      };
      const request = https.request(options, async (response) => {
        let text = '';
        try {
          for await (const chunk of response) text += chunk;
        } catch (error) {
          return reject(error);
        }
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
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
    async send(path, body, other = {}) {
      const first = turn++;
      for (let n = 0; ; n++) {
        const gateway = inUse[(first + n) % inUse.length];
        if (gateway === undefined) {
          await delay(50);
          throw new Error('no gateway is ready');
        }
        try {
          return await sendTo(gateway, path, body, other);
        } catch (error) {
          if (!(error instanceof NotConnected) || n >= inUse.length) throw error;
        }
      }
    },
    use: (gateways) => {
      inUse = gateways;
    },
    disconnect: (gateway) => places.get(gateway)!.agent.destroy(),
    close: () => {
      for (const { agent } of places.values()) agent.destroy();
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
  /** The end of the request, by performance.now(). */
  readonly at: number;
}

/** Whether the machine stood still during a request, or shortly before it. */
export const wasDuringStall = (stalls: Stalls, { at, milliseconds }: Answered): boolean =>
  stalls.affected(at - milliseconds, at);

const reads = [
  '/TEST/mntner/EXAMPLE-MNT',
  '/search?query-string=EXAMPLE-MNT',
  '/abuse-contact/192.0.2.1',
  '/metadata/sources',
];

/** Sends a request and returns the response. */
async function report(
  client: ClusterClient,
  path: string,
  onAnswered: (answered: Answered) => void,
  writes?: string,
): Promise<number> {
  const body = writes === undefined ? undefined : jsonBody(personText('Traffic Writer', writes));
  const begun = performance.now();
  const sent = await client
    .send(path, body)
    .catch((error: Error) => ({ status: 0, headers: {}, text: String(error.cause ?? error) }));
  const at = performance.now();
  onAnswered({ ...sent, path, milliseconds: Math.round(at - begun), at, ...(writes === undefined ? {} : { writes }) });
  return sent.status;
}

/** Repeats a step; returns the function that stops this and closes the client. */
function repeat(client: ClusterClient, step: (n: number) => Promise<unknown>): () => Promise<void> {
  let running = true;
  const done = (async () => {
    for (let n = 1; running; n++) await step(n);
  })();
  return async () => {
    running = false;
    await done;
    client.close();
  };
}

/**
 * Writes and reads without a pause: creates persons whose keys begin with `prefix`; after each, reads it, if it was
 * created, and something else. Returns the function that stops this.
 */
export function startTraffic(
  client: ClusterClient,
  prefix: string,
  onAnswered: (answered: Answered) => void,
): () => Promise<void> {
  return repeat(client, async (n) => {
    const key = `${prefix}${n}-TEST`;
    if ((await report(client, '/TEST/person', onAnswered, key)) === 200) {
      await report(client, `/TEST/person/${key}`, onAnswered);
    }
    await report(client, reads[n % reads.length]!, onAnswered);
  });
}

/** Reads what `path` returns about twenty times a second. Returns the function that stops this. */
export function startReads(
  client: ClusterClient,
  path: () => string,
  onAnswered: (answered: Answered) => void,
): () => Promise<void> {
  return repeat(client, async () => {
    await report(client, path(), onAnswered);
    await delay(50);
  });
}
