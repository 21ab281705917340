/** Who is calling, as far as authorisation cares. The principal of the contracts fits this shape. */
export interface Principal {
  /** The account's name (e-mail address), which `auth: SSO name` lines hold; empty when no account is involved. */
  readonly accountName: string;
  /** When not empty, the caller may act only as one of these maintainers (a limited API key). */
  readonly maintainers: readonly string[];
}
