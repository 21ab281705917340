import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { migrate } from '../src/index.js';
import { testLogger } from './testing.js';

// The roles and databases of docs/operate/production.md, under names that no other test has.
const page = readFileSync(new URL('../../../docs/operate/production.md', import.meta.url), 'utf8');
const [, statements] = /^```sql\n(create role objects .*?)^```$/ms.exec(page)!;
const owners = ['objects', 'auth', 'mirror'];
const suffix = randomUUID().slice(0, 8);
const named = (owner: string) => `${owner}_${suffix}`;
const server = inject('postgresUrl');

async function withClient<T>(url: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** The URL of a database of the page for a role. */
function urlOf(role: string, database: string): string {
  const url = new URL(server);
  Object.assign(url, { username: named(role), password: 'page', pathname: `/${named(database)}` });
  return url.href;
}

beforeAll(() =>
  withClient(server, async (client) => {
    const text = statements!.replaceAll("'...'", "'page'").replaceAll(/\b(objects|auth|mirror)\b/g, named('$1'));
    // A database cannot be created beside other statements of one query.
    for (const statement of text.split(';')) if (statement.trim() !== '') await client.query(statement);
  }),
);
afterAll(() =>
  withClient(server, async (client) => {
    for (const owner of owners) {
      await client.query(`drop database if exists ${named(owner)} with (force)`);
      await client.query(`drop role if exists ${named(owner)}`);
    }
  }),
);

test.each(owners)('%s makes its tables as the role of the page', async (owner) => {
  const directory = new URL(`../../../services/${owner}/migrations/`, import.meta.url);
  await migrate({ url: urlOf(owner, owner), directory, logger: testLogger() });
  const { rows } = await withClient(urlOf(owner, owner), (client) =>
    client.query("select distinct tableowner from pg_tables where schemaname = 'public'"),
  );
  expect(rows).toEqual([{ tableowner: named(owner) }]);
});

test.each(owners)('the role of %s cannot use the databases of others', async (owner) => {
  for (const other of owners.filter((name) => name !== owner)) {
    const connected = withClient(urlOf(owner, other), async () => {});
    await expect(connected).rejects.toThrow(`permission denied for database "${named(other)}"`);
  }
});
