import { requestJson } from './request.js';

/** A source of the registry; objects are written in those of kind `main`. */
export interface Source {
  readonly name: string;
  readonly kind: 'main' | 'grs';
}

type SentSources = { readonly source: readonly { name: string }[] };

/** The sources. Throws a RequestFailed. */
export async function listSources(signal?: AbortSignal): Promise<Source[]> {
  const answer = await requestJson<{ sources?: SentSources; 'grs-sources'?: SentSources }>('/metadata/sources', {
    signal,
  });
  const named = (list: SentSources | undefined, kind: Source['kind']) =>
    (list?.source ?? []).map(({ name }) => ({ name, kind }));
  return [...named(answer.sources, 'main'), ...named(answer['grs-sources'], 'grs')];
}
