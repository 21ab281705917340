import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeSettings } from '@cadastre/service';
import { benchSettings, readBenchSettings } from './bench-settings.ts';
import { createCleaning } from './cleaning.ts';
import { measureEverything } from './full-run.ts';
import { keepResults } from './keep-results.ts';
import { withTime } from './progress.ts';
import { compareCommits } from './quick-run.ts';

const print = (text: string) => console.log(text);

const help = `Measures the whole system beside what the machine could do at most, and writes the tables of docs/measurements/performance.md.
With BENCH_QUICK=1: compares this working tree with another commit. Settings, read from the environment:
`;

async function main(): Promise<void> {
  const settings = readBenchSettings(process.env);
  const { onEnd, clean } = createCleaning();
  const directory = await mkdtemp(join(tmpdir(), 'cadastre-bench-'));
  // PostgreSQL does not run as root, and the other commit may have its own copy of it in here.
  await chmod(directory, 0o711);
  onEnd(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
  try {
    const around = { settings, directory, say: withTime(print), onEnd };
    if (settings.quick === '1') print(await compareCommits(around));
    else await keepResults(await measureEverything(around), print);
  } finally {
    await clean();
  }
}

if (process.argv.includes('--help')) {
  print(`${help}\n${describeSettings(benchSettings)}`);
} else {
  await main();
}
