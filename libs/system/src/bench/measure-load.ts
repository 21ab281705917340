import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { BulkLoadServiceService, DumpEncoding, type LoadRequest, type LoadSummary } from '@cadastre/proto/objects';
import { connect } from '@cadastre/service';
import { cpuUsEach, measureCpu } from './cpu-use.js';
import type { TestedSystem } from './tested-system.js';

const deadlineMs = 3_600_000;

/** How long the system took to load a dump. */
export interface LoadResult {
  readonly objects: number;
  readonly bytes: number;
  readonly seconds: number;
  readonly objectsPerSecond: number;
  /** Microseconds of CPU for each object, by group of processes. */
  readonly cpuUs: Record<string, number>;
  readonly foreignPercent: number;
}

/** Streams the file into the source, as `cadastre load` does. An object that is rejected ends the benchmark. */
export async function measureLoad(system: TestedSystem, file: string, source: string): Promise<LoadResult> {
  const start = performance.now();
  const { result, cpu } = await measureCpu(system.pid, () => load(system.addresses.objects, file, source));
  const seconds = (performance.now() - start) / 1000;
  const objects = Number(result.created + result.modified);
  return {
    objects,
    bytes: (await stat(file)).size,
    seconds,
    objectsPerSecond: objects / seconds,
    cpuUs: cpuUsEach(cpu, objects),
    foreignPercent: cpu.foreignPercent,
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
