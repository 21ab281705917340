import pg from 'pg';

/** The services with a database; each name is also the name of its role and its schema. */
export const databaseOwners = ['objects', 'auth', 'mirror'] as const;
export type DatabaseOwner = (typeof databaseOwners)[number];

const database = 'cadastre';

/**
 * Creates the database with one role and one schema per service, unless they exist. A role sees its own schema only.
 * Returns the connection URL of each service.
 */
export async function prepareDatabase(superuserUrl: string): Promise<Record<DatabaseOwner, string>> {
  await withConnection(superuserUrl, createDatabase);
  await withConnection(urlOf(superuserUrl, 'postgres'), async (client) => {
    for (const owner of databaseOwners) await createSchema(client, owner);
  });
  return Object.fromEntries(databaseOwners.map((owner) => [owner, urlOf(superuserUrl, owner)])) as Record<
    DatabaseOwner,
    string
  >;
}

function urlOf(superuserUrl: string, role: string): string {
  const url = new URL(superuserUrl);
  url.username = role;
  url.pathname = `/${database}`;
  return url.href;
}

async function withConnection(url: string, use: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'cadastre-start' });
  // A lost connection fails the running statement, which is reported; the idle event must not end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await use(client);
  } finally {
    await client.end();
  }
}

async function createDatabase(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [database]);
  if (rowCount === 0) await client.query(`create database ${database}`);
  await client.query(`revoke all on database ${database}, postgres, template1 from public`);
}

async function createSchema(client: pg.Client, owner: DatabaseOwner): Promise<void> {
  const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [owner]);
  if (rowCount === 0) await client.query(`create role ${owner} login`);
  await client.query(`grant connect, temporary on database ${database} to ${owner}`);
  await client.query(`create schema if not exists ${owner} authorization ${owner}`);
  await client.query(`alter role ${owner} in database ${database} set search_path = ${owner}`);
  await client.query('revoke all on schema public from public');
}
