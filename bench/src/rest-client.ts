import { readFile } from 'node:fs/promises';
import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent, request } from 'node:https';
import type { TestedSystem } from './tested-system.ts';

/** A response. */
export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Keep-alive connections to the REST interface: reads over HTTP, writes over HTTPS with an API key. */
export interface RestClient {
  get(path: string): Promise<Answer>;
  post(path: string, body: unknown): Promise<Answer>;
  close(): void;
}

export async function restClient(system: TestedSystem, connections: number): Promise<RestClient> {
  const shared = { keepAlive: true, maxSockets: connections };
  const http = new HttpAgent(shared);
  const https = new Agent({ ...shared, ca: await readFile(system.addresses.certificate), servername: 'localhost' });
  const headers = { accept: 'application/json' };
  return {
    get: (path) =>
      answerTo((onAnswer) => httpRequest(new URL(path, system.addresses.http), { headers, agent: http }, onAnswer)),
    post: (path, body) => {
      const text = JSON.stringify(body);
      const more = { 'content-type': 'application/json', authorization: `Basic ${system.credential}` };
      const options = { method: 'POST', headers: { ...headers, ...more }, agent: https };
      return answerTo((onAnswer) => request(new URL(path, system.addresses.https), options, onAnswer), text);
    },
    close() {
      http.destroy();
      https.destroy();
    },
  };
}

function answerTo(begin: (onAnswer: Parameters<typeof request>[2]) => ReturnType<typeof request>, body?: string) {
  return new Promise<Answer>((resolve, reject) => {
    const call = begin((response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.once('error', reject).once('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
    });
    call.once('error', reject).end(body);
  });
}
