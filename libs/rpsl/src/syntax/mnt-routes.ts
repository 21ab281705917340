import { isAddressPrefixRange } from './addresses.js';

const maintainerWithScope = /^[A-Z][A-Z0-9_-]{1,80}(?: +(?:ANY|\{([^{}]*)\}))?$/i;

/** A maintainer, alone, with ANY, or with the prefix ranges in braces for which it may create routes. */
export function isMntRoutes(value: string): boolean {
  const match = maintainerWithScope.exec(value);
  if (match === null) return false;
  const ranges = match[1]?.trim() ?? '';
  return ranges === '' || ranges.split(',').every(isRangeList);
}

function isRangeList(text: string): boolean {
  return text.trim().split(/ +/).every(isAddressPrefixRange);
}
