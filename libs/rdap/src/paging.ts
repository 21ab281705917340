import type { PagingMetadata } from './documents.js';

/** An answer has at most so many objects (rdap.md 3.2). */
export const pageSize = 100;

/** A part of a result. */
export interface RequestedPage {
  /** From 1. */
  readonly number: number;
  /** From where the search service continues; empty for the first page. */
  readonly cursor: Buffer;
}

/** What the metadata are made of. */
interface Page {
  /** How many results the page has, if that is not the size of pages. */
  readonly size?: number;
  readonly requested: RequestedPage;
  /** The URL of the request. */
  readonly url: string;
  /** From where the next page continues; empty when nothing follows. */
  readonly next: Uint8Array;
  /** How many results all pages have, if that is known. */
  readonly total: number | undefined;
}

/** The metadata of RFC 8977; undefined where a result is all on its only page and nobody has asked for its size. */
export function pagingMetadata({ requested, url, next, total, size = pageSize }: Page): PagingMetadata | undefined {
  const isPart = requested.number > 1 || next.length > 0;
  if (!isPart && total === undefined) return undefined;
  return {
    ...(total !== undefined && { totalCount: total }),
    ...(isPart && { pageSize: size, pageNumber: requested.number }),
    ...(next.length > 0 && { links: [nextLink(url, requested.number + 1, next)] }),
  };
}

function nextLink(url: string, number: number, cursor: Uint8Array) {
  const href = new URL(url);
  href.searchParams.set('cursor', `${number}.${Buffer.from(cursor).toString('base64url')}`);
  return { value: url, rel: 'next', href: href.href, type: 'application/rdap+json' };
}
