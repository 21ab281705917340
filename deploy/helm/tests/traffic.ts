import https from 'node:https';
import { setTimeout } from 'node:timers/promises';

/** Requests of clients that run until they are stopped. */
export interface Traffic {
  /** Number of responses so far. */
  answered(): number;
  /**
   * Ends the traffic. Returns what failed, what the services logged at the first failures, and the handles of all
   * persons whose creation was acknowledged.
   */
  stop(): Promise<{ failures: string[]; logs: string[]; written: string[] }>;
}

interface Response {
  status: number;
  text: string;
}

/** One request to a registry, whose certificate is not verified. Resolves with status 0 when there was no response. */
export function ask(url: string, credential: string, agent: https.Agent, body?: unknown): Promise<Response> {
  const headers = {
    accept: 'application/json',
    authorization: `Basic ${credential}`,
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  const options = { method: body === undefined ? 'GET' : 'POST', headers, agent, timeout: 60_000 };
  return new Promise((resolve) => {
    const failed = (error: Error) => resolve({ status: 0, text: String(error) });
    const request = https.request(url, options, async (response) => {
      let text = '';
      try {
        for await (const chunk of response) text += chunk;
        resolve({ status: response.statusCode ?? 0, text });
      } catch (error) {
        failed(error as Error);
      }
    });
    request.once('timeout', () => request.destroy(new Error('no response for a minute')));
    request.once('error', failed);
    request.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

interface Load {
  clients?: number;
  /** Shortest time of a client's four requests. Default: all clients together create at most 80 persons a second. */
  roundMs?: number;
  /** What the services logged in the last seconds; requested after the first failures, because pods may end soon. */
  recentLogs?: () => Promise<string>;
}

const maxExplained = 3;

/** One account may make 100 updates a second; refusals come so fast that clients without a pace exceed that. */
const roundsPerSecond = 80;

/**
 * Starts clients that create persons maintained by `mntner`, look them up, search, and ask for an abuse contact, so that
 * every service has work. Half of them keep their connection; the others open one for each request.
 */
export function startTraffic(
  url: string,
  credential: string,
  mntner: string,
  { clients = 2, roundMs = (clients * 1000) / roundsPerSecond, recentLogs }: Load = {},
): Traffic {
  const failures: string[] = [];
  const explained: Promise<string>[] = [];
  const written: string[] = [];
  let answered = 0;
  let running = true;
  const runClient = async (which: number) => {
    const agent = new https.Agent({ keepAlive: which % 2 === 0, maxSockets: 1, rejectUnauthorized: false });
    const succeeds = async (path: string, body?: unknown, expected = 200) => {
      const { status, text } = await ask(`${url}${path}`, credential, agent, body);
      answered += 1;
      if (status === expected) return true;
      failures.push(`${new Date().toISOString()} ${body === undefined ? 'GET' : 'POST'} ${path}: ${status} ${text}`);
      if (recentLogs && explained.length < maxExplained) explained.push(recentLogs().catch(String));
      return false;
    };
    while (running) {
      const next = setTimeout(roundMs);
      const handle = `CT${++handles}-TEST`;
      if (await succeeds('/TEST/person', person(handle, mntner))) {
        written.push(handle);
        await succeeds(`/TEST/person/${handle}`);
      }
      await succeeds(`/search?query-string=${mntner}&type-filter=mntner`);
      await succeeds('/abuse-contact/AS64500', undefined, 404);
      await next;
    }
    agent.destroy();
  };
  const done = Promise.all(Array.from({ length: clients }, (_, which) => runClient(which)));
  return {
    answered: () => answered,
    async stop() {
      running = false;
      await done;
      return { failures, written, logs: await Promise.all(explained) };
    },
  };
}

let handles = 0;

function person(handle: string, mntner: string) {
  const values = {
    person: 'Cluster Test',
    address: '1 Example Street',
    phone: '+31 20 555 0100',
    'e-mail': 'person@example.net',
    'nic-hdl': handle,
    'mnt-by': mntner,
    source: 'TEST',
  };
  const attribute = Object.entries(values).map(([name, value]) => ({ name, value }));
  return { objects: { object: [{ attributes: { attribute } }] } };
}
