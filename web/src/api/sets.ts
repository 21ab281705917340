import type { SetExpansion, SetPrefixes } from '@cadastre/client';
import type { ObjectName } from '../paths.js';
import { answerOf, registry } from './registry.js';

/** How far to expand a set. */
export interface ExpansionOptions {
  /** Levels of sets below the first one; default: all. */
  readonly depth?: number;
  /** Adds the prefixes, with those of the routes of AS numbers. */
  readonly prefixes?: boolean;
}

/** Expands an as-set, route-set or rtr-set. Throws a RequestFailed. */
export function expandSet(
  { source, key }: Pick<ObjectName, 'source' | 'key'>,
  options: ExpansionOptions,
  signal?: AbortSignal,
): Promise<SetExpansion> {
  return answerOf(registry.GET('/search/expansion', { params: { query: { set: key, source, ...options } }, signal }));
}

/** What the prefixes of an as-set or route-set leave out, and why. Throws a RequestFailed. */
export function explainSet({ source, type, key }: ObjectName, signal?: AbortSignal): Promise<SetPrefixes> {
  const setType = type === 'as-set' ? 'as-set' : 'route-set';
  const path = { source, setType, set: key } as const;
  return answerOf(
    registry.GET('/{source}/{setType}/{set}/expanded', { params: { path, query: { explain: true } }, signal }),
  );
}
