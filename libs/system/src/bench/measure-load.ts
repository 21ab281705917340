import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { BulkLoadServiceService, DumpEncoding, type LoadRequest, type LoadSummary } from '@cadastre/proto/objects';
import { connect } from '@cadastre/service';
import { untilSearchable } from '../until-searchable.js';
import { cpuUsEach, measureCpu } from './cpu-use.js';
import { processesOf } from './processes.js';
import type { TestedSystem } from './tested-system.js';

const deadlineMs = 3_600_000;

/** Duration of loading a dump. */
export interface LoadResult {
  readonly objects: number;
  readonly bytes: number;
  readonly seconds: number;
  readonly objectsPerSecond: number;
  /** Microseconds of CPU for each object, by group of processes. */
  readonly cpuUs: Record<string, number>;
  readonly foreignPercent: number;
  /** Objects per second that the index took in afterwards, until all were searchable. */
  readonly indexedPerSecond: number;
}

/**
 * Streams the file into the source, like `cadastre load`. A rejected object ends the benchmark. The search service
 * pauses during the load, since the COPY ceiling has no index to feed on the same processors either; afterwards its
 * catch-up is measured.
 */
export async function measureLoad(system: TestedSystem, file: string, source: string): Promise<LoadResult> {
  const search = await processesOf(system.pid, 'search');
  for (const pid of search) process.kill(pid, 'SIGSTOP');
  const start = performance.now();
  const { result, cpu } = await measureCpu(system.pid, () => load(system.addresses.objects, file, source)).finally(
    () => {
      for (const pid of search) process.kill(pid, 'SIGCONT');
    },
  );
  const seconds = (performance.now() - start) / 1000;
  const catchingUp = performance.now();
  await untilSearchable(system.addresses.search, source, result.serial, deadlineMs);
  const indexingSeconds = (performance.now() - catchingUp) / 1000;
  const objects = Number(result.created + result.modified);
  return {
    objects,
    bytes: (await stat(file)).size,
    seconds,
    objectsPerSecond: objects / seconds,
    cpuUs: cpuUsEach(cpu, objects),
    foreignPercent: cpu.foreignPercent,
    indexedPerSecond: objects / indexingSeconds,
  };
}

async function load(address: string, file: string, source: string): Promise<LoadSummary> {
  const client = connect(BulkLoadServiceService, { address, name: 'bench', deadlineMs });
  try {
    for await (const { news } of client.load(requests(file, source), { deadlineMs })) {
      if (news?.$case === 'rejected') {
        throw new Error(`${news.value.name} was rejected: ${news.value.reasons.join('; ')}`);
      }
      if (news?.$case === 'summary') {
        return news.value;
      }
    }
    throw new Error('The load ended without a summary');
  } finally {
    client.close();
  }
}

async function* requests(file: string, source: string): AsyncGenerator<LoadRequest> {
  const encoding = DumpEncoding.DUMP_ENCODING_LATIN1;
  yield { part: { $case: 'settings', value: { source, replace: false, encoding, dryRun: false } } };
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) {
    yield { part: { $case: 'data', value: chunk as Buffer } };
  }
}
