import { type HistoryVersion, historyAnswer } from './answers.js';
import { document } from './document.js';
import { pagingMetadata, type RequestedPage } from './paging.js';
import { type Registry, type StoredText, storedOf } from './registry.js';

/** States of an object, newest first. */
export interface HistoryPage {
  readonly registry: Registry;
  readonly url: string;
  readonly requested: RequestedPage;
  readonly states: readonly {
    readonly from: Date;
    readonly until: Date | undefined;
    readonly object: StoredText;
  }[];
  /** The revision of the first older state; undefined after the oldest one. */
  readonly next: number | undefined;
}

/** The document of a page, as JSON; undefined when none of its states can be read. */
export function historyPageJson({ registry, url, requested, states, next }: HistoryPage): string | undefined {
  const found = states.flatMap(({ from, until, object }): HistoryVersion[] => {
    const stored = storedOf(object);
    // What others were at that time is not looked up: contacts have their handles only.
    const nested = stored && document(registry, { url }, stored, { related: { objects: new Map() } });
    return nested === undefined ? [] : [{ from, ...(until && { until }), nested }];
  });
  if (found.length === 0) return undefined;
  const cursor = next === undefined ? Buffer.alloc(0) : Buffer.from(String(next));
  const paging = pagingMetadata({ requested, url, next: cursor, total: undefined, size: found.length });
  const isCut = next !== undefined && requested.number === 1;
  const cut = isCut ? { cut: found.length } : {};
  return JSON.stringify(historyAnswer(registry, { url }, found, { ...cut, ...(paging && { paging }) }));
}
