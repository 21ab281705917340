import { type Checker, pattern } from './checker.js';
import { isEmail } from './email.js';

const changed = /^[^ ]+@(?:[^. ]+\.)+[^. ]+(?: [0-9]{4}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01]))?$/;
const organisationName = /^[A-Z0-9\][._"*()@,&:!'`+/-]{1,64}(?: [A-Z0-9\][._"*()@,&:!'`+/-]{1,64}){0,29}$/i;
const personName = /^[A-Z][A-Z0-9\\.`'_-]{0,63}(?: [A-Z0-9\\.`'_-]{1,64}){1,9}$/i;
const laterWordWithLetter = / [A-Z]/i;

/** Names of people and teams, and ways to contact them. */
export const contactSyntaxes = {
  changed: pattern(changed, 89),
  email: isEmail,
  'org-name': pattern(organisationName),
  'person-role-name': (value) => personName.test(value) && laterWordWithLetter.test(value),
  phone: pattern(/^[+][0-9. -]+(?:\([0-9. -]+\)[0-9. -]+)?(?:ext\.[0-9. -]+)?$/i, 30),
} satisfies Record<string, Checker>;
