import { AbuseContactServiceService } from '@cadastre/proto/geo';
import { connect, ServiceError } from '@cadastre/service';
import type { RegistryPlan } from '@cadastre/synthetic';
import { closedLoop, type Series } from './closed-loop.js';
import type { TestedSystem } from './tested-system.js';

const clients = 8;
const streamLength = 2_000;
const streams = 2;
const stride = 7_919;
const deadlineMs = 60_000;

/** Abuse contacts per second, over gRPC. */
export interface ContactResult {
  readonly kind: 'single' | 'stream';
  readonly clients: number;
  /** For streams: answers per second, and the time of a whole stream. */
  readonly series: Series;
  /** Questions in one call. */
  readonly questions: number;
  /** Share of the questions with a contact, in percent. */
  readonly foundPercent: number;
}

/** Measures abuse contacts of networks across the registry: one question per call, then streams of questions. */
export async function measureContacts(
  system: TestedSystem,
  plan: RegistryPlan,
  seconds: number,
): Promise<ContactResult[]> {
  const geo = connect(AbuseContactServiceService, { address: system.addresses.geo, name: 'bench', deadlineMs });
  const resource = (n: number) => plan.key('inetnum', 1 + ((n * stride) % (plan.counts.inetnum - 1)));
  let asked = 0;
  let found = 0;
  const single = async (n: number) => {
    const hasContact = await isFound(geo.findAbuseContact({ resource: resource(n) }));
    asked += 1;
    found += hasContact ? 1 : 0;
    return 1;
  };
  const stream = async (n: number) => {
    let answers = 0;
    for await (const { contact } of geo.findAbuseContacts(questions(resource, n * streamLength))) {
      answers += 1;
      asked += 1;
      found += contact === undefined ? 0 : 1;
    }
    return answers;
  };
  const measure = async (kind: ContactResult['kind'], count: number, length: number, work: typeof single) => {
    asked = 0;
    found = 0;
    const series = await closedLoop(system.pid, count, seconds, work);
    return { kind, clients: count, series, questions: length, foundPercent: (100 * found) / asked };
  };
  try {
    return [await measure('single', clients, 1, single), await measure('stream', streams, streamLength, stream)];
  } finally {
    geo.close();
  }
}

async function* questions(resource: (n: number) => string, from: number) {
  for (let n = from; n < from + streamLength; n += 1) yield { resource: resource(n) };
}

function isFound(answer: Promise<unknown>): Promise<boolean> {
  return answer.then(
    () => true,
    (error) => {
      if (error instanceof ServiceError && error.kind === 'not-found') return false;
      throw error;
    },
  );
}
