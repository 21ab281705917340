import { type ChangeFilter, changeFilter, type FilterProblem, operationNames } from '@cadastre/changes';
import type { Message } from '@cadastre/proto/registry';
import { HttpError } from '../errors.js';
import { parameter, type Values } from '../parameters.js';
import { messages } from '../ripe-messages.js';

/** The query parameters that filter a change stream. */
export const filterQuery = {
  'type-filter': parameter.list('Only objects of these types; accepts comma-separated lists and short names.', {
    example: 'inetnum',
  }),
  operation: parameter.list('Only these operations; accepts comma-separated lists.', { values: operationNames }),
  maintainer: parameter.list(
    'Only objects with one of these mntners in `mnt-by`, before the change or after it; accepts comma-separated lists.',
    { example: 'EXAMPLE-MNT' },
  ),
  within: parameter.list(
    'Only objects whose addresses are inside one of these prefixes or ranges: inetnum, inet6num, route, route6, and domain of reverse DNS.',
    { example: '192.0.2.0/24' },
  ),
  key: parameter.text('Only objects whose primary key is this one, in any letter case; `*` matches any text.', {
    example: 'EXAMPLE-*',
  }),
};

/** Makes the filter of a stream. Throws an HttpError (400). */
export function filterOf(sent: Values<typeof filterQuery>): ChangeFilter {
  const filter = changeFilter(sent);
  if (typeof filter === 'object') throw new HttpError(400, messageOf(filter));
  return filter;
}

function messageOf(problem: FilterProblem): Message {
  switch (problem.reason) {
    case 'type':
      return messages.invalidObjectType(problem.value);
    case 'value':
      return messages.invalidValue(problem.value, problem.name, problem.expected);
    case 'count':
      return messages.tooManyValues(problem.name, problem.max);
  }
}
