/**
 * Maximum length, in characters, of a key, certificate or signed text. A key with one self-signature on each part has
 * 1,000 to 10,000; larger keys carry signatures of other people, which Cadastre does not need.
 */
export const maxMaterialLength = 65_536;

/** The octets of an armoured block, and how many blocks of that kind the text has. */
export interface Armoured {
  readonly octets: Buffer;
  readonly blocks: number;
}

/**
 * Decodes the first armoured block of a kind, such as "PUBLIC KEY BLOCK" (RFC 9580, section 6.2); undefined when there
 * is none or it is incomplete. Ignores the checksum, as the RFC advises. Cost: linear.
 */
export function readArmour(text: string, kind: 'PUBLIC KEY BLOCK' | 'SIGNATURE'): Armoured | undefined {
  const lines = text.split('\n').map((line) => line.trim());
  const begin = `-----BEGIN PGP ${kind}-----`;
  const first = lines.indexOf(begin);
  const last = lines.indexOf(`-----END PGP ${kind}-----`, first + 1);
  if (first < 0 || last < 0) return undefined;
  const body = lines.slice(first + 1, last);
  const start = body.findIndex((line) => !/^[A-Za-z][A-Za-z0-9-]*:/.test(line));
  const encoded = start < 0 ? [] : body.slice(start).filter((line) => !/^=[A-Za-z0-9+/]{4}$/.test(line));
  if (!encoded.every((line) => /^[A-Za-z0-9+/=]*$/.test(line))) return undefined;
  return { octets: Buffer.from(encoded.join(''), 'base64'), blocks: lines.filter((line) => line === begin).length };
}
