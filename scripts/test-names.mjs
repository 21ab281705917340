// Prints the names of all tests of a built checkout, one per line, after their file: `node scripts/test-names.mjs
// CHECKOUT`. Runs no test, but starts Vitest's global setups. With two such lists it prints renamed, moved, removed and
// added tests, by file: `node scripts/test-names.mjs BEFORE AFTER`.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';

const [first, second] = process.argv.slice(2);
if (first === undefined) throw new Error('Usage: node scripts/test-names.mjs CHECKOUT | BEFORE AFTER');
if (second === undefined) for (const name of namesOf(resolve(first))) console.log(name);
else report(listed(first), listed(second));

/** Runs Vitest with a pattern that no test name matches, which skips every test. */
function namesOf(checkout) {
  const directory = mkdtempSync(join(tmpdir(), 'cadastre-names-'));
  const file = join(directory, 'names.json');
  const none = ['--testNamePattern', 'no test has this name', '--reporter', 'json', '--outputFile', file];
  const size = statSync(join(checkout, 'test-sizes.ts'), { throwIfNoEntry: false })
    ? { CADASTRE_TEST_SIZE: 'all' }
    : {};
  try {
    execFileSync('npx', ['vitest', 'run', ...none], {
      cwd: checkout,
      env: { ...process.env, ...size },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const { testResults } = JSON.parse(readFileSync(file, 'utf8'));
    return testResults
      .flatMap(({ name, assertionResults }) =>
        assertionResults.map(({ fullName }) => [relative(checkout, name), fullName]),
      )
      .map(([name, fullName]) => `${name}\t${fullName.replaceAll(/\s+/g, ' ')}`)
      .sort();
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Removes seeds and numbers of rounds, which differ between runs. */
function listed(file) {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => {
    const [path, name] = line.split('\t');
    return { path, name: name.replaceAll(/\(seed \d+\)|\b\d[\d,_]*\b/g, 'N'), line };
  });
}

function report(before, after) {
  const keyOf = ({ path, name }) => `${path}\t${name}`;
  const [old, now] = [Map.groupBy(before, keyOf), Map.groupBy(after, keyOf)];
  const gone = before.filter((one) => !now.has(keyOf(one)));
  const fresh = after.filter((one) => !old.has(keyOf(one)));
  const byName = Map.groupBy(fresh, ({ name }) => name);
  const moved = gone.filter(({ name }) => byName.has(name));
  const removed = gone.filter(({ name }) => !byName.has(name));
  const files = new Set(after.map(({ path }) => path));
  console.log(
    `before ${before.length}, after ${after.length}: ${before.length - gone.length} kept, ${moved.length} moved`,
  );
  for (const [path, ones] of Map.groupBy(removed, ({ path }) => path)) {
    const added = fresh.filter((one) => one.path === path);
    console.log(`\n${path}${files.has(path) ? '' : ' (the file is gone)'}: ${ones.length} gone, ${added.length} new`);
    for (const { line } of ones) console.log(`  - ${line.split('\t')[1]}`);
    for (const { line } of added) console.log(`  + ${line.split('\t')[1]}`);
  }
}
