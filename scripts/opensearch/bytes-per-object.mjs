// Prints what the search index of a synthetic registry takes in OpenSearch on this machine:
//   node scripts/opensearch/bytes-per-object.mjs 100000 1000000 [--heap 512]
// For each number of objects: a server of its own, an index of one shard that a rebuild fills, then batches that replace
// 10 % of the objects, and at the end a merge into one segment. Heap is what is left after a collection of garbage. Needs
// a build, and the programs that server.mjs names.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseArgs, promisify } from 'node:util';
import { parseObject, primaryKey } from '@cadastre/rpsl';
import { generateRegistry } from '@cadastre/synthetic';
import { indexDocument } from '../../services/search/dist/document.js';
import { createOpenSearchIndex } from '../../services/search/dist/opensearch/opensearch-index.js';
import { assemble } from './assemble.mjs';
import { startServer } from './server.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { heap: { type: 'string', default: '512' } },
});
const source = 'TEST';
const pageSize = 1_000;
const run = promisify(execFile);

for (const objects of positionals.map(Number)) {
  const server = await startServer(await assemble(), { heapMb: Number(values.heap) });
  const index = createOpenSearchIndex({ url: server.url });
  const ask = async (path, method = 'GET') => (await fetch(`${server.url}${path}`, { method })).json();
  const report = async (step, start) => {
    for (const action of ['/_refresh', '/_flush']) await ask(action, 'POST');
    const { stdout: size } = await run('du', ['--summarize', '--bytes', `/proc/${server.pid()}/cwd/data/`]);
    await run('jcmd', [String(server.pid()), 'GC.run']);
    const { docs, segments } = (await ask('/_stats'))._all.primaries;
    const { jvm } = Object.values((await ask('/_nodes/stats/jvm')).nodes)[0];
    const status = readFileSync(`/proc/${server.pid()}/status`, 'utf8');
    rows[`${objects} objects, ${step}`] = {
      seconds: Math.round((performance.now() - start) / 1000),
      'text per object': Math.round(bytes / objects),
      'bytes per object': Math.round(Number.parseInt(size, 10) / objects),
      'deleted documents': docs?.deleted ?? 0,
      segments: segments?.count ?? 0,
      'heap MB': Math.round(jvm.mem.heap_used_in_bytes / 2 ** 20),
      'resident MB': Math.round(/VmRSS:\s+(\d+)/.exec(status)[1] / 1024),
    };
  };
  const rows = {};
  let bytes = 0;
  let start = performance.now();
  await report('empty', start);
  start = performance.now();
  const rebuild = await index.beginRebuild(source, { serial: 0n });
  for (const page of pages(objects, 1)) {
    bytes += page.reduce((sum, { text }) => sum + text.length, 0);
    await rebuild.fill(page, 'page');
  }
  await rebuild.finish({ serial: 1n });
  await report('built', start);
  start = performance.now();
  let serial = 1n;
  for (const page of pages(objects, 2)) {
    const documents = page.filter((_, at) => at % 10 === 0);
    await index.apply(source, { after: serial, documents, deletions: [], serial: serial + 1n });
    serial++;
  }
  await report('10 % replaced', start);
  start = performance.now();
  await ask('/_forcemerge?max_num_segments=1', 'POST');
  await report('merged', start);
  console.table(rows);
  await index.stop();
  await server.stop();
}

/** Documents in pages like those of an export. */
function* pages(objects, revision) {
  let page = [];
  for (const text of generateRegistry({ objects, seed: 1, source })) {
    const { object } = parseObject(text);
    const key = primaryKey(object).shown;
    const now = new Date();
    const state = { source, type: object.type, key, text, revision, serial: 1n, created: now, lastModified: now };
    page.push(indexDocument({ ...state, tags: [] }));
    if (page.length < pageSize) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}
