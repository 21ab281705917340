// A program that a test kills: applies batches to an index, repeatedly fills a copy beside it, and prints what was
// acknowledged. Needs a build.
import { createEmbeddedIndex } from '../dist/embedded/embedded-index.js';

const quiet = { error: console.error, warn() {}, info() {} };
const index = createEmbeddedIndex({ directory: process.argv[2], logger: quiet });
const source = 'TEST';

function document(serial) {
  const key = `m${serial % 50}-mnt`;
  const text = `mntner: ${key}\nremarks: ${serial}\n`;
  const terms = [`mnt-by=serial-${serial}`, 'mnt-by=all-mnt'];
  const common = { source, type: 'mntner', key, text, revision: serial, serial: BigInt(serial), modified: new Date(0) };
  return { ...common, tags: [], terms, hosts: [], words: new Map([['all', 0]]) };
}

await index.start();
const from = (await index.position(source))?.serial ?? 0n;
console.log(`begun ${from}`);

async function rebuild() {
  const copy = await index.beginRebuild(source, (await index.position(source)) ?? { serial: 0n });
  if (!copy.isFilled && copy.exported === undefined) {
    for (let page = 0; page < 20; page++) {
      const documents = Array.from({ length: 50 }, (_, n) => ({ ...document(n), key: `copy-${page}-${n}` }));
      await copy.fill(documents, `page ${page}`);
    }
  }
  await copy.apply({ documents: [document(1)], deletions: [], serial: 1n });
  await copy.abandon('a test');
}

async function applyBatches() {
  for (let serial = Number(from) + 1; ; serial++) {
    const after = BigInt(serial - 1);
    await index.apply(source, { after, documents: [document(serial)], deletions: [], serial: BigInt(serial) });
    console.log(`applied ${serial}`);
  }
}

async function rebuildAgain() {
  for (;;) await rebuild();
}

await Promise.all([applyBatches(), rebuildAgain()]);
