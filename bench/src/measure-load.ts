import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { BulkLoadServiceService, DumpEncoding, type LoadRequest, type LoadSummary } from '@cadastre/proto/objects';
import { connect } from '@cadastre/service';
import { cpuUsEach, measureCpu } from './cpu-use.ts';
import { processesOf } from './processes.ts';
import { startProgress } from './progress.ts';
import type { TestedSystem } from './tested-system.ts';

const deadlineMs = 4 * 3_600_000;

/** Duration of loading a dump. */
export interface LoadResult {
  readonly objects: number;
  readonly bytes: number;
  readonly seconds: number;
  /** Microseconds of CPU for each object, by program. */
  readonly cpuUs: Readonly<Record<string, number>>;
  readonly foreignPercent: number;
  /** From the end of the load until the index has all objects. */
  readonly indexSeconds: number;
}

/** Streams the file into the source, like `cadastre load`, and waits for the index. A rejected object ends the benchmark. */
export async function loadDump(
  system: TestedSystem,
  file: string,
  source: string,
  say: (line: string) => void,
): Promise<LoadSummary> {
  const summary = await load(system.addresses.objects, file, source, say);
  await untilIndexed(system, source, summary.serial, say);
  return summary;
}

/**
 * Loads the file and measures it. The search service pauses during the load, since the COPY ceiling has no index to feed
 * on the same processors either; afterwards its catch-up is measured.
 */
export async function measureLoad(
  system: TestedSystem,
  file: string,
  source: string,
  say: (line: string) => void,
): Promise<LoadResult> {
  const search = await processesOf(system.pid, 'search');
  for (const pid of search) process.kill(pid, 'SIGSTOP');
  const start = performance.now();
  const { result, cpu } = await measureCpu([system.pid], () =>
    load(system.addresses.objects, file, source, say),
  ).finally(() => {
    for (const pid of search) process.kill(pid, 'SIGCONT');
  });
  const loaded = performance.now();
  await untilIndexed(system, source, result.serial, say);
  const objects = Number(result.created + result.modified);
  return {
    objects,
    bytes: (await stat(file)).size,
    seconds: (loaded - start) / 1000,
    cpuUs: cpuUsEach(cpu, objects),
    foreignPercent: cpu.foreignPercent,
    indexSeconds: (performance.now() - loaded) / 1000,
  };
}

async function untilIndexed(system: TestedSystem, source: string, serial: bigint, say: (line: string) => void) {
  say('Waiting for the index');
  if (!(await system.untilSearchable(source, serial, deadlineMs))) {
    throw new Error('The index did not reach the newest change');
  }
}

async function load(address: string, file: string, source: string, say: (line: string) => void): Promise<LoadSummary> {
  say('Loading');
  const progress = startProgress(say, 'Loading', (await stat(file)).size);
  using client = connect(BulkLoadServiceService, { address, deadlineMs });
  for await (const { news } of client.load(requests(file, source), { deadlineMs })) {
    if (news?.$case === 'progress') progress(Number(news.value.bytes));
    if (news?.$case === 'rejected') {
      throw new Error(`${news.value.name} was rejected: ${news.value.reasons.join('; ')}`);
    }
    if (news?.$case === 'summary') return news.value;
  }
  throw new Error('The load ended without a summary');
}

async function* requests(file: string, source: string): AsyncGenerator<LoadRequest> {
  const encoding = DumpEncoding.DUMP_ENCODING_LATIN1;
  yield { part: { $case: 'settings', value: { source, replace: false, encoding, dryRun: false } } };
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) {
    yield { part: { $case: 'data', value: chunk as Buffer } };
  }
}
