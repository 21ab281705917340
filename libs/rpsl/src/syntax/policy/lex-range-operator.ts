import { isRangeOperator } from '../range-operator.js';
import { matchAt } from './match.js';

const rangeOperator = /\^(?:[+-]|\d+(?:-\d+)?)/y;

/** The range operator at this position: empty when there is none, undefined when its lengths are invalid. */
export function rangeOperatorAt(text: string, at: number, maxLength: number): string | undefined {
  const operator = matchAt(rangeOperator, text, at);
  return operator === '' || isRangeOperator(operator, maxLength) ? operator : undefined;
}
