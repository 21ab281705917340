import type { components } from '@cadastre/client';
import { answerOf, registry } from './registry.js';

/** A source of the registry; objects are written to those of kind `main`. */
export interface Source {
  readonly name: string;
  readonly kind: 'main' | 'grs';
  /** How current it is; empty when the registry does not update it by itself. */
  readonly mirror: Partial<components['schemas']['GrsSource']>;
}

/** Whether a source is a copy of another registry. */
export function isCopy(source: string, all: readonly Source[]): boolean {
  return all.some(({ name, kind }) => kind === 'grs' && name === source.toUpperCase());
}

/** Where the terms of the registry are; undefined when it does not say it. Throws a RequestFailed. */
export async function findTerms(signal?: AbortSignal): Promise<string | undefined> {
  const { notices = [] } = await answerOf(registry.GET('/rdap/help', { signal }));
  return notices.flatMap(({ links = [] }) => links).find(({ rel }) => rel === 'terms-of-service')?.href;
}

/** The sources. Throws a RequestFailed. */
export async function listSources(signal?: AbortSignal): Promise<Source[]> {
  const { sources, 'grs-sources': mirrored } = await answerOf(registry.GET('/metadata/sources', { signal }));
  return [
    ...(sources?.source ?? []).map(({ name }) => ({ name, kind: 'main' as const, mirror: {} })),
    ...(mirrored?.source ?? []).map((mirror) => ({ name: mirror.name, kind: 'grs' as const, mirror })),
  ];
}
