import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A small SCIM server over a list of accounts. */
export interface FakeDirectory {
  url: string;
  users: { id: string; userName: string; active?: boolean }[];
  /** Every request: method and decoded path. */
  requests: string[];
  /**
   * "hang" never answers; "broken" answers 500; "html" answers something other than JSON, "other" something other than
   * a list.
   */
  mode: 'ok' | 'hang' | 'broken' | 'html' | 'other';
  /** Maximum concurrent requests so far. */
  maxAtOnce: number;
  close(): Promise<void>;
}

export const directoryToken = 'directory-token';

export async function startFakeDirectory(): Promise<FakeDirectory> {
  let waiting = 0;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://directory');
    const filter = url.searchParams.get('filter');
    fake.requests.push(`${request.method} ${url.pathname}${filter ? ` ${filter}` : ''}`);
    const send = (status: number, body: unknown) => response.writeHead(status).end(JSON.stringify(body));
    waiting++;
    response.once('close', () => waiting--);
    fake.maxAtOnce = Math.max(fake.maxAtOnce, waiting);
    if (fake.mode === 'hang') return;
    if (fake.mode === 'html') return void response.end('<html>');
    if (fake.mode === 'other') return void send(200, {});
    if (fake.mode === 'broken') return void send(500, {});
    if (request.headers.authorization !== `Bearer ${directoryToken}`) return void send(401, {});
    if (request.method === 'GET') return void send(200, { Resources: matching(fake.users, filter ?? '') });
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      const { userName } = JSON.parse(text) as { userName: string };
      if (!userName.includes('@')) return send(400, { scimType: 'invalidValue' });
      const user = { id: `made-${fake.users.length}`, userName };
      fake.users.push(user);
      send(201, user);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const fake: FakeDirectory = {
    url: `http://127.0.0.1:${port}/scim/v2`,
    users: [],
    requests: [],
    mode: 'ok',
    maxAtOnce: 0,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return fake;
}

function matching(users: FakeDirectory['users'], filter: string): FakeDirectory['users'] {
  const [, attribute, value] = /^(userName|id) eq (".*")$/.exec(filter) ?? [];
  const wanted = value === undefined ? undefined : (JSON.parse(value) as string);
  if (attribute === 'id') return users.filter((user) => user.id === wanted);
  return users.filter((user) => user.userName.toLowerCase() === wanted?.toLowerCase());
}
