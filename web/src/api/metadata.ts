import { optional } from './objects.js';
import { answerOf, registry } from './registry.js';

/** A source of the registry; objects are written in those of kind `main`. */
export interface Source {
  readonly name: string;
  readonly kind: 'main' | 'grs';
}

/** The sources. Throws a RequestFailed. */
export async function listSources(signal?: AbortSignal): Promise<Source[]> {
  const { sources, 'grs-sources': mirrored } = await answerOf(registry.GET('/metadata/sources', optional(signal)));
  return [
    ...(sources?.source ?? []).map(({ name }) => ({ name, kind: 'main' as const })),
    ...(mirrored?.source ?? []).map(({ name }) => ({ name, kind: 'grs' as const })),
  ];
}
