import {
  BulkLoadServiceService,
  DumpEncoding,
  type LoadRequest,
  ObjectReaderServiceService,
  type RejectedObject,
} from '@cadastre/proto/objects';
import { connect } from '@cadastre/service';
import { sampleRegistry } from './sample-registry.js';

/** Loads the sample objects into a source that never had objects. Returns the number of loaded objects. */
export async function loadSamplesOnce(objectsAddress: string, source: string): Promise<number> {
  const options = { address: objectsAddress, name: 'supervisor', deadlineMs: 30_000 };
  if ((await serialOf(objectsAddress, source)) > 0n) return 0;
  using loader = connect(BulkLoadServiceService, options);
  return await collect(loader.load(requests(source, sampleRegistry(new Date(), source))));
}

/** The serial of the newest change of a source; 0 when there is none. */
export async function serialOf(objectsAddress: string, source: string): Promise<bigint> {
  const options = { address: objectsAddress, name: 'supervisor', deadlineMs: 30_000 };
  using reader = connect(ObjectReaderServiceService, options);
  const { sources } = await reader.listSources({});
  return sources.find(({ name }) => name === source)?.serial ?? 0n;
}

async function* requests(source: string, text: string): AsyncGenerator<LoadRequest> {
  const settings = { source, replace: false, encoding: DumpEncoding.DUMP_ENCODING_UTF8, dryRun: false };
  yield { part: { $case: 'settings', value: settings } };
  yield { part: { $case: 'data', value: Buffer.from(text) } };
}

async function collect(
  answers: ReturnType<ReturnType<typeof connect<typeof BulkLoadServiceService>>['load']>,
): Promise<number> {
  const rejected: RejectedObject[] = [];
  let created = 0;
  for await (const { news } of answers) {
    if (news?.$case === 'rejected') rejected.push(news.value);
    if (news?.$case === 'summary') created = Number(news.value.created);
  }
  if (rejected.length > 0) throw new Error(`sample objects were rejected: ${JSON.stringify(rejected, bigintAsText)}`);
  return created;
}

function bigintAsText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
