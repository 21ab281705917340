const secretNames: ReadonlySet<string> = new Set(['password', 'override']);

/** Whether a parameter of this name carries a secret, and is refused for that everywhere (decision W8). */
export function isSecretName(name: string): boolean {
  return secretNames.has(name.toLowerCase());
}

/** Names that look like credentials; "key" and "ipkey" are parameters of ours. */
const credentialName =
  /^(?!(?:ip)?key$).*(?:auth|bearer|cookie|credential|jwt|key|override|pass|pwd|secret|session|sign|token)/i;
/** The form of all known names. A credential in place of a name does not match it. */
const plainName = /^[a-z]{1,20}(?:[_-][a-z]{1,20}){0,3}$/i;

/** Whether a reply may repeat a parameter: its name does not look like a credential. */
export function mayBeShown(name: string): boolean {
  return plainName.test(name) && !credentialName.test(name);
}

/** The query string without the parameters that may hold credentials, for links. */
export function publicQuery(query: string): string {
  return query
    .split('&')
    .filter((part) => part.split(';').every((one) => [...new URLSearchParams(one).keys()].every(mayBeShown)))
    .join('&');
}
