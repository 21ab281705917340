import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { text } from 'node:stream/consumers';
import type { TestedSystem } from './tested-system.ts';
import { type Attributes, creation } from './write-scenarios.ts';

/** A response. */
export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** One keep-alive connection to the REST interface for reads over HTTP, and one for writes over HTTPS. */
export interface RestClient extends Disposable {
  get(path: string): Promise<Answer>;
  /** Creates an object. Errors: Error when the registry refuses it. */
  create(type: string, attributes: Attributes): Promise<void>;
}

export async function restClient({ addresses, credential }: TestedSystem): Promise<RestClient> {
  const shared = { keepAlive: true, maxSockets: 1 };
  const http = new HttpAgent(shared);
  const https = new Agent({ ...shared, ca: await readFile(addresses.certificate), servername: 'localhost' });
  const headers = { accept: 'application/json' };
  return {
    get: (path) => answerTo(httpRequest(new URL(path, addresses.http), { headers, agent: http })),
    async create(type, attributes) {
      const { path, body, ...options } = creation(credential, type, attributes);
      const { status, body: answer } = await answerTo(
        request(new URL(path, addresses.https), { ...options, agent: https }),
        body,
      );
      if (status !== 200) throw new Error(`The creation of ${attributes[0]![1]} returned status ${status}: ${answer}`);
    },
    [Symbol.dispose]() {
      http.destroy();
      https.destroy();
    },
  };
}

async function answerTo(call: ClientRequest, body?: string): Promise<Answer> {
  call.end(body);
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, body: await text(response) };
}
