import { validate } from '@cadastre/rpsl';
import type { QueryPlan } from '../query/plan.js';
import type { Found } from './found.js';

type Filters = Pick<QueryPlan, 'includeTags' | 'excludeTags' | 'syntax'>;

/** Whether an object of the result is shown; related objects pass the same filters (decision R6). */
export function isShown({ stored, object }: Found, { includeTags, excludeTags, syntax }: Filters): boolean {
  if (includeTags.length + excludeTags.length > 0) {
    const tags = stored.tags.map((tag) => tag.id.toLowerCase());
    if (includeTags.length > 0 && !includeTags.some((tag) => tags.includes(tag))) return false;
    if (excludeTags.some((tag) => tags.includes(tag))) return false;
  }
  return (
    syntax === undefined || syntax === (validate(object).some((m) => m.severity === 'error') ? 'invalid' : 'valid')
  );
}
