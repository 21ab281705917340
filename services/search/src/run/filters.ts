import { validate } from '@cadastre/rpsl';
import type { QueryPlan } from '../query/plan.js';
import type { Found } from './found.js';

type Filters = Pick<QueryPlan, 'includeTags' | 'excludeTags' | 'syntax' | 'withLeftOut'>;

/**
 * An object in the form of the result; undefined if the filters exclude it. Related objects pass the same filters
 * (decision R6).
 */
export function filtered(one: Found, { includeTags, excludeTags, syntax, withLeftOut }: Filters): Found | undefined {
  if (includeTags.length + excludeTags.length > 0) {
    const tags = one.stored.tags.map((tag) => tag.id.toLowerCase());
    if (includeTags.length > 0 && !includeTags.some((tag) => tags.includes(tag))) return undefined;
    if (excludeTags.some((tag) => tags.includes(tag))) return undefined;
  }
  if (syntax === undefined || syntax === syntaxOf(one)) return one;
  return withLeftOut ? { ...one, leftOut: true } : undefined;
}

function syntaxOf({ object }: Found): 'valid' | 'invalid' {
  return validate(object).some(({ severity }) => severity === 'error') ? 'invalid' : 'valid';
}
