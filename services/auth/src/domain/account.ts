/** An account of the identity provider. */
export interface Account {
  /** Its stable subject. */
  id: string;
  /** Its name (e-mail address) as the identity provider writes it. */
  name: string;
}

/** Whether a text can be the name of an account: printable and no longer than an e-mail address may be (RFC 5321). */
export function isAccountName(text: string): boolean {
  return text.length <= 254 && /^[^\s\p{C}]+$/u.test(text);
}

/** Whether a text can be the subject of an account (OpenID Connect Core, section 2: at most 255 characters). */
export function isAccountId(text: string): boolean {
  return text.length <= 255 && /^[^\s\p{C}]+$/u.test(text);
}

/** The form of a name in which letter case does not matter. */
export function foldName(name: string): string {
  return name.toLowerCase();
}
