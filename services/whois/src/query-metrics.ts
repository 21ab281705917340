import type { Metrics } from '@cadastre/service';
import { Histogram } from 'prom-client';
import type { Answer, Answering } from './dialect.js';

/** Measures what a dialect answers. */
export type MeasureQueries = <Line>(dialect: 'irrd' | 'nrtm' | 'ripe', answering: Answering<Line>) => Answering<Line>;

/** Registers the metric of queries. */
export function registerQueryMetrics(metrics: Metrics): MeasureQueries {
  const histogram = new Histogram({
    name: 'cadastre_whois_query_seconds',
    help: 'Time from a line of port 43, or of /v1/whois, to the end of its answer, as fast as the client reads; of an endless answer to its begin.',
    labelNames: ['dialect'],
    buckets: [0.0001, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10],
    registers: [metrics],
  });
  return (dialect, answering) => {
    const seconds = histogram.labels(dialect);
    return (line, state, connection) => {
      const begun = performance.now();
      const end = () => seconds.observe((performance.now() - begun) / 1000);
      const answer = answering(line, state, connection);
      return answer instanceof Promise ? answer.then((known) => endedBy(known, end)) : endedBy(answer, end);
    };
  };
}

/** Calls `end` when all of an answer was made. */
function endedBy(answer: Answer, end: () => void): Answer {
  const { body } = answer;
  if (!Buffer.isBuffer(body) && !('open' in body)) return { ...answer, body: piecesThen(body, end) };
  end();
  return answer;
}

async function* piecesThen(body: AsyncIterable<Buffer>, end: () => void): AsyncGenerator<Buffer> {
  try {
    yield* body;
  } finally {
    end();
  }
}
