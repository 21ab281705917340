import { Agent, request } from 'node:http';

/** Keep-alive connections to OpenSearch's own HTTP interface. */
export interface OpenSearchClient {
  /** Runs a search or count in the index of the source; throws unless the status is 200. */
  ask<T>(action: '_search' | '_count', body: object): Promise<T>;
  /** When the index of the source was created, in milliseconds since 1970. */
  createdAt(): Promise<number>;
  close(): void;
}

type Indexes = Record<string, { settings: { index: { creation_date: string } } }>;

export function openSearchClient(url: string, source: string, connections: number): OpenSearchClient {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const alias = `cadastre.v1.${source.toLowerCase()}`;
  const send = <T>(method: string, action: string, body?: object) =>
    new Promise<T>((resolve, reject) => {
      const options = { method, agent, headers: { 'content-type': 'application/json' } };
      const call = request(new URL(`/${alias}/${action}`, url), options, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.once('error', reject).once('end', () => {
          if (response.statusCode === 200) resolve(JSON.parse(text) as T);
          else reject(new Error(`OpenSearch returned status ${response.statusCode}: ${text}`));
        });
      });
      call.once('error', reject).end(body && JSON.stringify(body));
    });
  return {
    ask: (action, body) => send('POST', action, body),
    createdAt: async () => {
      const [index] = Object.values(await send<Indexes>('GET', '_settings'));
      return Number(index!.settings.index.creation_date);
    },
    close: () => agent.destroy(),
  };
}
