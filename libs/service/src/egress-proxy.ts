import http from 'node:http';
import https from 'node:https';
import { isIPv6 } from 'node:net';
import type { Duplex } from 'node:stream';
import tls from 'node:tls';
import { urlToHttpOptions } from 'node:url';

/** Options of a request whose connection may be a tunnel. */
interface TunnelOptions extends https.RequestOptions {
  /** Ends the attempt to open a tunnel. Node.js does not give `signal` to agents. */
  readonly tunnelSignal?: AbortSignal;
}

/**
 * Connections for requests to a URL: through the proxy of this URL, if there is one. `destroy` closes those that are
 * open.
 */
export function openAgent(url: URL, proxy: string | undefined, options: https.AgentOptions): http.Agent {
  if (url.protocol !== 'https:') return new http.Agent(options);
  return proxy === undefined ? new https.Agent(options) : new TunnelAgent(proxy, options);
}

/** The options of a request through a proxy: with TLS in a tunnel, without it with the whole URL as its path. */
export function throughProxy(url: URL, proxy: string, options: https.RequestOptions): TunnelOptions {
  if (url.protocol === 'https:') {
    const { signal, agent = new TunnelAgent(proxy) } = options;
    return { ...options, agent, ...(signal && { tunnelSignal: signal }) };
  }
  const { headers, ...address } = addressOf(proxy);
  return {
    ...options,
    ...address,
    lookup: undefined,
    path: `${url.origin}${url.pathname}${url.search}`,
    headers: { ...(options.headers as http.OutgoingHttpHeaders), host: url.host, ...headers },
  };
}

/** The error when a proxy refuses a request. Its text is not shown: owners of webhooks see errors. */
export function proxyRefusal(status: number | undefined): Error {
  return new Error(`the egress proxy answered with status ${status}`);
}

/**
 * Each connection is a tunnel through a proxy to the host of a request, with TLS in it. The agents of Node.js can do
 * that too (`proxyEnv`), but in 24.21 no signal ends their attempt, and nothing bounds the header of a proxy.
 */
class TunnelAgent extends https.Agent {
  readonly #proxy: string;

  constructor(proxy: string, options: https.AgentOptions = {}) {
    super(options);
    this.#proxy = proxy;
  }

  override createConnection(
    options: TunnelOptions,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    openTunnel(this.#proxy, options)
      .then((socket) => tls.connect({ ...(options as tls.ConnectionOptions), socket }))
      .then(
        (secured) => callback!(null, secured),
        (error) => (callback as (error: Error) => void)(error),
      );
  }
}

/** A connection to the host of a request through a proxy. Errors: the reason, without the address of the proxy. */
function openTunnel(proxy: string, { host, port, timeout, tunnelSignal }: TunnelOptions): Promise<Duplex> {
  const { promise, resolve, reject } = Promise.withResolvers<Duplex>();
  const path = `${isIPv6(host!) ? `[${host}]` : host}:${port || 443}`;
  const { headers, ...address } = addressOf(proxy);
  const request = http.request({
    ...address,
    method: 'CONNECT',
    path,
    headers: { host: path, connection: 'keep-alive', ...headers },
    agent: false,
    signal: tunnelSignal,
    timeout,
  });
  request.on('connect', ({ statusCode }, socket) => {
    if (statusCode === 200) return resolve(socket);
    socket.destroy();
    reject(proxyRefusal(statusCode));
  });
  request.on('timeout', () => {
    reject(new Error(`the egress proxy was silent for ${timeout! / 1000} seconds`));
    request.destroy();
  });
  request.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    reject(new Error(`no tunnel through the egress proxy (${code ?? message})`));
  });
  request.end();
  return promise;
}

/** Where a proxy is, and the header with its credentials. */
function addressOf(proxy: string) {
  const { hostname, port, auth } = urlToHttpOptions(new URL(proxy));
  const headers = auth ? { 'proxy-authorization': `Basic ${Buffer.from(auth).toString('base64')}` } : {};
  return { hostname, port: port || 80, headers };
}
