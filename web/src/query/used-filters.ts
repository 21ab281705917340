import { momentOf, pastText } from '../past/past.js';
import { emptyQuestion, flagNames, levelNames, type Question } from './question.js';

/** A filter of a question. */
export interface UsedFilter {
  /** As users read it. */
  readonly label: string;
  /** What the question is without it. */
  readonly without: Partial<Question>;
}

/** The filters of a question, in the order of the form. */
export function usedFilters({ types, level, inverse, source, asOf, flags }: Question): UsedFilter[] {
  const moment = momentOf(asOf);
  const one = (label: string, without: Partial<Question>) => ({ label, without });
  return [
    ...types.map((type) => one(type, { types: types.filter((other) => other !== type) })),
    ...(level === '' ? [] : [one(levelNames[level] ?? level, { level: '' })]),
    ...inverse.map((name) => one(`by ${name}`, { inverse: inverse.filter((other) => other !== name) })),
    ...(source === '' ? [] : [one(`in ${source.replaceAll(',', ', ')}`, { source: '' })]),
    ...(moment ? [one(`as of ${pastText(moment)}`, { asOf: '' })] : []),
    ...flags.map((flag) => one(flagNames[flag] ?? flag, { flags: flags.filter((other) => other !== flag) })),
  ];
}

const { types, level, inverse, source, asOf, flags } = emptyQuestion;

/** What a question without filters has. */
export const noFilters: Partial<Question> = { types, level, inverse, source, asOf, flags };
