// A publisher in a process of its own, as built. It publishes on request, and kills itself at a step of it. Arguments:
// JSON with `databaseUrl`, `address` of objects, `folder`, `source` (a PublicSource) and `privateKey`. Messages to it:
// the time (`now`, ISO 8601) and optionally a death, "before rename delta"; its answer: all steps.
import fs from 'node:fs';
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { createLogger, createMetrics, inTransaction, onceAvailable, openDatabase } from '@cadastre/service';
import pg from 'pg';

const { databaseUrl, address, folder, source, privateKey } = JSON.parse(process.argv[2]);
let death;
let steps = [];

/** No JavaScript of this process runs after it. */
function dieAt(moment) {
  if (moment === death) process.kill(process.pid, 'SIGKILL');
}

/** Makes a change that survives the process. */
async function step(name, work) {
  dieAt(`before ${name}`);
  steps.push(name);
  const result = await work();
  dieAt(`after ${name}`);
  return result;
}

const kindOf = (name) => /(snapshot|delta|notification|unfinished)/.exec(name)[1];

const { rename, rm, writeFile } = files;
const { createWriteStream } = fs;
const { query } = pg.Client.prototype;

files.rename = (from, to) => step(`rename ${kindOf(to)}`, () => rename(from, to));
files.rm = (name, options) => step(`remove ${kindOf(name)}`, () => rm(name, options));
files.writeFile = (name, content, options) =>
  step('write notification', () => {
    if (death === 'during write notification') fs.writeFileSync(name, content.subarray(0, content.length / 2));
    dieAt('during write notification');
    return writeFile(name, content, options);
  });
fs.createWriteStream = (name, options) => {
  const stream = createWriteStream(name, options);
  steps.push('write file');
  // The first bytes of a compressed file.
  stream.once('open', (file) => {
    if (death === 'during write file') fs.writeSync(file, Buffer.from([0x1f, 0x8b]));
    dieAt('during write file');
  });
  return stream;
};
syncBuiltinESMExports();

let written;
/** Commits, named by the last statement that wrote; and the statement that is its own transaction. */
pg.Client.prototype.query = function (statement, ...more) {
  const send = () => query.call(this, statement, ...more);
  if (statement === 'commit') return step(`commit ${written}`, send);
  if (/^(insert|update|delete)/.test(statement.text)) written = statement.name;
  if (written === 'forget-publication-files') dieAt('before forget files');
  return send();
};

const { folderStore } = await import('../dist/files/folder.js');
const { connectObjects } = await import('../dist/objects-client.js');
const { createPublisher } = await import('../dist/publish/publisher.js');
const { publishMetrics } = await import('../dist/publish/publish-metrics.js');
const { publicKeyOf } = await import('@cadastre/nrtm');

let time;
const now = () => time;
const logger = createLogger({ service: 'mirror', level: 'silent' });
const metrics = createMetrics('mirror');
const pool = openDatabase(databaseUrl).createPool({ max: 5, applicationName: 'mortal', statementTimeoutMs: 60_000 });
const lease = {
  name: source.name,
  signal: new AbortController().signal,
  transaction: (fn) => inTransaction(pool, fn),
};
const publisher = createPublisher({
  maxBytes: 1_000_000_000,
  // JSON has no sets.
  source: { ...source, texts: new Set() },
  ...{ pool, store: folderStore(folder), objects: connectObjects({ address, metrics }), now },
  keys: () => ({ privateKey, publicKey: publicKeyOf(privateKey) }),
  logger,
  metrics: publishMetrics(metrics, now),
});

process.on('message', async (message) => {
  ({ death } = message);
  time = new Date(message.now);
  steps = [];
  await publisher.round(lease);
  if (await publisher.snapshot(lease)) await publisher.round(lease);
  process.send(steps);
});
process.once('disconnect', () => process.exit());
// Opens a connection: on a busy machine that may need several attempts.
await onceAvailable(() => pool.query({ text: 'select' }), { logger });
process.send('ready');
