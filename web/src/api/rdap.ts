import { answerOf, reached } from './registry.js';

/** The document of RDAP at a path, indented. Throws a RequestFailed. */
export async function findRdap(path: string, signal: AbortSignal): Promise<string> {
  const response = await reached(new Request(new URL(path, location.href), { signal }));
  const document: unknown = await response.json().catch(() => undefined);
  const data = response.ok ? JSON.stringify(document, undefined, 2) : undefined;
  return answerOf(Promise.resolve({ response, ...(data === undefined ? {} : { data }) }));
}
