import { type Checker, pattern } from './checker.js';

const reservedNames = new Set(
  (
    'any as-any rs-any peeras and or not atomic from to at action accept announce except refine networks ' +
    'into inbound outbound'
  ).split(' '),
);
const objectName = /^[a-z][a-z0-9_-]{0,78}[a-z0-9]$/i;

const autoHandle = 'AUTO-[1-9][0-9]*(?:[A-Z]{2,4})?';

/** Names and handles of one word. */
export const nameSyntaxes = {
  'object-name': (value) => objectName.test(value) && !reservedNames.has(value.toLowerCase()),
  netname: pattern(/^[A-Z](?:[A-Z0-9_-]*[A-Z0-9])?$/i, 80),
  source: pattern(/^[A-Z][A-Z0-9_-]*[A-Z0-9]$/i, 80),
  irt: pattern(/^irt-[A-Z0-9_-]*[A-Z0-9]$/i),
  poem: pattern(/^POEM-[A-Z0-9][A-Z0-9_-]*$/i, 80),
  'poetic-form': pattern(/^FORM-[A-Z0-9][A-Z0-9_-]*$/i, 80),
  'nic-handle': pattern(new RegExp(`^(?:[A-Z]{2,4}(?:[1-9][0-9]{0,5})?(?:-[A-Z]{2,10})?|${autoHandle})$`, 'i'), 30),
  organisation: pattern(
    new RegExp(`^(?:ORG-[A-Z]{2,4}(?:[1-9][0-9]{0,5})?-[A-Z][A-Z0-9_-]*[A-Z0-9]|${autoHandle})$`, 'i'),
    30,
  ),
} satisfies Record<string, Checker>;
