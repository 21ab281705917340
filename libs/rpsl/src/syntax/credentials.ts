import { anyOf, type Checker, pattern } from './checker.js';

const keyCert = pattern(/^(?:PGPKEY-[0-9A-F]{8}|(?:X509|AUTO)-[1-9][0-9]*)$/i);
const md5Password = pattern(/^MD5-PW \$1\$[A-Z0-9./]{1,8}\$[A-Z0-9./]{22}$/i);
const pgpKey = pattern(/^PGPKEY-[0-9A-F]{8}$/i);
const certificate = pattern(/^(?:X509-[1-9][0-9]{0,19}|AUTO-[1-9][0-9]*)$/i);
const singleSignOn = pattern(/^SSO .[^@]*@./is);

/** Keys, and credentials of maintainers. */
export const credentialSyntaxes = {
  'key-cert': keyCert,
  'auth-scheme': anyOf(singleSignOn, pgpKey, certificate, md5Password),
} satisfies Record<string, Checker>;
