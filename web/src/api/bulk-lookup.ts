import type { ResourceDescription } from '@cadastre/client';
import { answerOf, RequestFailed, registry } from './registry.js';

/** Maximum resources of one request. */
export const maxInRequest = 10_000;

/**
 * Looks up at most 10,000 resources; yields their descriptions in order, as they arrive. Throws a RequestFailed, also
 * when the response aborts.
 */
export async function* lookUpResources(
  resources: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<readonly ResourceDescription[]> {
  const body = await answerOf(
    registry.POST('/bulk-lookup', {
      body: { resources: [...resources] },
      headers: { accept: 'application/x-ndjson' },
      parseAs: 'stream',
      signal,
    }),
  );
  let answered = 0;
  for await (const lines of linesOf(body!)) {
    answered += lines.length;
    yield lines.map((line) => JSON.parse(line));
  }
  if (answered < resources.length) throw aborted();
}

/** The lines of a stream; those that arrive together are in one list. */
async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string[]> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { value, done } = await reader.read().catch(() => {
        throw aborted();
      });
      const lines = (rest + decoder.decode(value, { stream: !done })).split('\n');
      rest = lines.pop()!;
      if (lines.length > 0) yield lines;
      if (done) return;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

function aborted(): RequestFailed {
  return new RequestFailed(0, [{ severity: 'Error', text: 'The response aborted. Check your network.' }]);
}
