// Simulates a year of a copy of another registry that is replaced every day, and prints what it takes on disk:
//   node scripts/mirror-year.mjs [--objects 20000] [--days 365] [--keep 30] [--versions]
// Each day 0.8 % of the objects change, 0.1 % vanish and 0.1 % are new. It loads only the changed ones: a replacing load
// stores nothing for the others. --keep is CADASTRE_OBJECTS_CHANGE_DAYS, --versions is
// CADASTRE_OBJECTS_GRS_VERSIONS=true. Vacuum runs once a day where the defaults of autovacuum demand it; its thresholds
// are shares of a table, so the bytes per object hold for a copy of any size. Needs a build.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseObject, primaryKey } from '@cadastre/rpsl';
import { createLogger } from '@cadastre/service';
import { generateRegistry } from '@cadastre/synthetic';
import { startEmbeddedPostgres } from '../libs/system/dist/embedded-postgres.js';
import { createContext } from '../services/objects/dist/context.js';
import { defaultPolicy } from '../services/objects/dist/domain/policy.js';
import { load } from '../services/objects/dist/load/load.js';
import { migrateObjects } from '../services/objects/dist/migrate.js';
import { deleteMany } from '../services/objects/dist/store/bulk.js';
import { lockSourceAlone } from '../services/objects/dist/store/locks.js';
import { takeSerials } from '../services/objects/dist/store/serials.js';
import { trimBatchSize, trimChanges, trimChangesAndVersions } from '../services/objects/dist/store/trimmed-changes.js';

const { values } = parseArgs({
  options: {
    objects: { type: 'string', default: '20000' },
    days: { type: 'string', default: '365' },
    keep: { type: 'string', default: '30' },
    versions: { type: 'boolean', default: false },
  },
});
const objects = Number(values.objects);
const keepDays = Number(values.keep);
const dayMs = 24 * 60 * 60 * 1000;
const tables = ['object', 'version', 'change', 'former_span'];

const folder = await mkdtemp(join(tmpdir(), 'cadastre-year-'));
const postgres = await startEmbeddedPostgres({
  dataDirectory: join(folder, 'data'),
  durable: false,
  settings: { autovacuum: 'off', shared_buffers: '256MB' },
});
const logger = createLogger({ service: 'mirror-year', level: 'warn' });
await migrateObjects({ url: postgres.url, logger });
let now = Date.parse('2026-01-01T03:00:00Z');
const { context, close } = await createContext({
  databaseUrl: postgres.url,
  source: 'TEST',
  grsSources: ['COPY-GRS'],
  readConnections: 1,
  writeConnections: 1,
  publicCallers: [],
  accounts: { resolve: async () => new Map(), resolveSubjects: async () => new Map() },
  policy: defaultPolicy,
  clock: () => new Date(now),
  logger,
});
const source = context.sources.byName('COPY-GRS');

const registry = [...generateRegistry({ objects, seed: 1, source: 'COPY' })];
/** Texts of the objects of a day by the number with which they were added. */
const copy = new Map(registry.map((text, index) => [index, text]));
let entered = copy.size;

/** The texts that change on one day, and those that it deletes. */
function change(day) {
  const share = (part) => Math.round(objects * part);
  const numbers = [...copy.keys()];
  const picked = new Set();
  while (picked.size < share(0.009)) picked.add(numbers[Math.floor(Math.random() * numbers.length)]);
  const [gone, modified] = [[...picked].slice(0, share(0.001)), [...picked].slice(share(0.001))];
  for (const number of modified) {
    const text = copy.get(number).replace(/^remarks: +day .*\n/m, '');
    copy.set(number, text.replace(/^source:/m, `remarks:        day ${day}\nsource:`));
  }
  const added = Array.from({ length: share(0.001) }, () => entered++);
  for (const number of added) copy.set(number, newObject(number));
  const deleted = gone.map((number) => copy.get(number));
  for (const number of gone) copy.delete(number);
  return { changed: [...modified, ...added].map((number) => copy.get(number)), deleted };
}

function newObject(number) {
  const lines = ['person:         New Person', 'address:        Example Street 1', 'phone:          +44 1632 960000'];
  return `${[...lines, `nic-hdl:        NEW${number}-COPY`, 'mnt-by:         NEW-MNT', 'source:         COPY'].join('\n')}\n`;
}

async function store({ changed, deleted }) {
  const settings = { source: source.name, replace: false, encoding: 0, dryRun: false };
  const client = await context.loadPool.connect();
  let last;
  for await (const news of load(client, source, settings, piecesOf(changed), context)) last = news;
  if (last.counts.rejected > 0) throw new Error(`${last.counts.rejected} objects were rejected`);
  if (deleted.length > 0) await deleteAll(client, deleted);
  client.release();
}

async function* piecesOf(texts) {
  for (const text of texts) yield Buffer.from(`${text}\n`, 'latin1');
}

/** Like the end of a replacing load. */
async function deleteAll(client, texts) {
  const ids = texts.map((text) => {
    const { object } = parseObject(text);
    return { sourceId: source.id, type: object.type, key: primaryKey(object).folded };
  });
  await client.query('begin');
  await lockSourceAlone(client, source.id);
  const firstSerial = await takeSerials(client, source.id, ids.length);
  await deleteMany(client, ids, { firstSerial, instant: context.clock(), reason: '' });
  await client.query('commit');
}

async function forget() {
  const trim = values.versions ? trimChanges : trimChangesAndVersions;
  const client = await context.writePool.connect();
  for (let removed = trimBatchSize; removed === trimBatchSize; ) {
    await client.query('begin');
    removed = await trim(client, source.id, new Date(now - keepDays * dayMs));
    await client.query('commit');
  }
  client.release();
}

/** Like the defaults of autovacuum: 20 % and 50 rows dead, or 20 % and 1,000 inserted. */
async function vacuum() {
  const { rows } = await context.loadPool.query(
    `select s.relname as name from pg_stat_user_tables s join pg_class c on c.oid = s.relid
     where s.relname = any ($1) and (s.n_dead_tup > 50 + 0.2 * greatest(c.reltuples, 0)
       or s.n_ins_since_vacuum > 1000 + 0.2 * greatest(c.reltuples, 0))`,
    [tables],
  );
  for (const { name } of rows) await context.loadPool.query(`vacuum analyze ${name}`);
  return rows.map(({ name }) => name);
}

async function sizes() {
  const { rows } = await context.loadPool.query(
    `select name, pg_table_size(name::regclass) as rows, pg_indexes_size(name::regclass) as indexes
     from unnest($1::text[]) as name`,
    [tables],
  );
  const counts = tables.map((name) => `(select count(*) from ${name}) as ${name}`);
  const counted = await context.loadPool.query(`select ${counts.join()}`);
  const perObject = (bytes) => Math.round(Number(bytes) / copy.size);
  const cells = rows.map(
    ({ name, rows, indexes }) => `${name} ${counted.rows[0][name]} rows, ${perObject(rows)} + ${perObject(indexes)}`,
  );
  const total = rows.reduce((sum, { rows, indexes }) => sum + Number(rows) + Number(indexes), 0);
  return `${cells.join(' | ')} | ${perObject(total)} bytes per object`;
}

const vacuums = Object.fromEntries(tables.map((name) => [name, 0]));
try {
  for (let day = 0; day <= Number(values.days); day++) {
    await store(day === 0 ? { changed: registry, deleted: [] } : change(day));
    await forget();
    for (const name of await vacuum()) vacuums[name] += 1;
    if (day % 30 === 0 || day === Number(values.days)) console.log(`day ${day}: ${await sizes()}`);
    now += dayMs;
  }
  const ran = tables.map((name) => `${name} ${vacuums[name]}`);
  console.log(`${copy.size} objects; rows + indexes in bytes per object; vacuums: ${ran.join(', ')}`);
} finally {
  await close();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
