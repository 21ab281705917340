import { type ObjectTypeName, withArticle } from '@cadastre/rpsl';
import type { Notice } from './documents.js';
import { pageLink } from './links.js';
import type { Nested, Registry, Requested } from './registry.js';

/** The notices of every answer: the terms, and those of the operator. */
export function registryNotices({ termsUrl, notices = [] }: Registry, requested: Requested): Notice[] {
  if (termsUrl === undefined) return [...notices];
  const terms = {
    title: 'Terms and Conditions',
    description: ['The use of this service is subject to terms and conditions.'],
    links: [pageLink(requested, 'terms-of-service', termsUrl)],
  };
  return [terms, ...notices];
}

/** The notices of an answer with objects. */
export function objectNotices(
  { inaccuracyUrl }: Registry,
  requested: Requested,
  objects: readonly Nested<unknown>[],
): Notice[] {
  const notices: Notice[] = [];
  if (objects.some(({ filtered }) => filtered)) {
    notices.push({ title: 'Filtered', description: ['This answer does not show all attributes of its objects.'] });
  }
  if (inaccuracyUrl !== undefined) {
    notices.push({
      title: 'Inaccuracy Reporting',
      description: ['Please report wrong data.'],
      links: [pageLink(requested, 'inaccuracy-report', inaccuracyUrl)],
    });
  }
  const sources = [...new Set(objects.flatMap((object) => object.sources))].sort();
  notices.push({ title: 'Source', description: ['Objects returned came from source', ...sources] });
  for (const object of objects) notices.push(...object.notices);
  return notices;
}

/** A search or a history shows only its first results. */
export function cutResultsNotice(shown: number): Notice {
  return {
    title: 'Search Policy',
    type: 'result set truncated due to unexplainable reasons',
    description: [`Only the first ${shown} results are shown.`],
  };
}

/** An organisation has more networks and AS numbers. */
export function cutResourcesNotice(networks: number, autnums: number): Notice {
  return {
    title: 'Search Policy',
    type: 'object truncated due to unexplainable reasons',
    description: [`Only ${networks} networks and ${autnums} AS numbers of the organisation are shown.`],
  };
}

/** Other objects have the same key. */
export function namesakesNotice(types: readonly ObjectTypeName[]): Notice {
  return {
    title: 'Same Handle',
    description: types.map((type) => `The handle is also the key of ${withArticle(type)}.`),
  };
}
