/** An account of the identity provider. */
export interface Account {
  /** Its subject, which never changes. */
  id: string;
  /** Its name (e-mail address) as the identity provider writes it; empty when another account has that name now. */
  name: string;
}

/** Whether a text can be the name of an account: printable, at most as long as an e-mail address (RFC 5321). */
export function isAccountName(text: string): boolean {
  return text.length <= 254 && /^[^\s\p{C}]+$/u.test(text);
}

/** Whether a text can be the subject of an account (OpenID Connect Core, section 2: at most 255 characters). */
export function isAccountId(text: string): boolean {
  return text.length <= 255 && /^[^\s\p{C}]+$/u.test(text);
}

/** Folds the letter case of a name: names that differ only in case are the same. */
export function foldName(name: string): string {
  return name.toLowerCase();
}
