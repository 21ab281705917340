import { type Message, Severity } from '@cadastre/proto/registry';
import { failureMessage, ServiceError } from '@cadastre/service';
import type { SearchIndex } from '../index-port.js';

/**
 * Which of the sources can be searched, and how far the index of the first one is. Those whose index is not built yet
 * are warned about. Errors: ServiceError 'unavailable' when there is no other.
 */
export async function builtSources(
  index: SearchIndex,
  sources: readonly string[],
): Promise<{ built: readonly string[]; serial: bigint; warnings: Message[] }> {
  const positions = await Promise.all(sources.map((source) => index.position(source)));
  const built = sources.filter((_, at) => positions[at] !== undefined);
  if (built.length === 0) throw new ServiceError('unavailable', 'The search index is being built');
  const missing = sources.filter((_, at) => positions[at] === undefined);
  const warnings = missing.map((source) =>
    failureMessage('Source %s cannot be searched yet: its index is being built.', [source], Severity.SEVERITY_WARNING),
  );
  return { built, serial: positions[0]?.serial ?? 0n, warnings };
}
