const secretNames: ReadonlySet<string> = new Set(['password', 'override']);

/** Whether a parameter of this name carries a secret. */
export function isSecretName(name: string): boolean {
  return secretNames.has(name.toLowerCase());
}

/** The query string without the parameters that carry secrets, for links. */
export function publicQuery(query: string): string {
  return query
    .split('&')
    .filter((part) => ![...new URLSearchParams(part).keys()].some(isSecretName))
    .join('&');
}
