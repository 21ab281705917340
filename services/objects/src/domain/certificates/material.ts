import { exceededDerBound, inspectPgpKey, maxMaterialLength, type PgpKeyOutline, readArmour } from '@cadastre/keys';
import { allOf, type Message, type RpslObject } from '@cadastre/rpsl';

/** What the material of a key-cert claims. */
export interface CertificateFacts {
  readonly method: 'PGP' | 'X509';
  readonly owners: readonly string[];
  /** As the attribute `fingerpr` shows it. */
  readonly fingerprint: string;
  /** Identifies the holder of the key: see `KeyFingerprints`. */
  readonly keyFingerprint: string;
  /** Names the key in a refusal; 8 upper-case hex digits of a PGP key. */
  readonly keyId?: string;
  /**
   * Of a PGP key: identifiers of the subkeys that may sign for it, 16 lower-case hexadecimal digits each. Key and subkey
   * have signed each other, so a foreign subkey cannot be among them.
   */
  readonly signingSubkeys: readonly string[];
  readonly expired: boolean;
  readonly revoked: boolean;
  /** Name of the kind of key, such as RSA; undefined for kinds that cannot authenticate. */
  readonly algorithm: string | undefined;
  /** Length of an RSA or DSA key. */
  readonly bits?: number;
  /** Signature algorithm of a certificate, for example RSA-SHA256. */
  readonly signatureAlgorithm?: string;
}

export type CertificateReading =
  | { readonly ok: true; readonly facts: CertificateFacts }
  | { readonly ok: false; readonly messages: readonly Message[] };

/** Why material cannot be used. */
export type Unreadable = 'no-key' | 'several-keys' | 'invalid' | { readonly tooMuch: string };

/** The key material of a key-cert as a text: the `certif` lines without the layout of the object. */
function certificateText(object: RpslObject): string {
  const lines = allOf(object, 'certif').flatMap((a) => a.raw.split('\n').map(contentOf));
  return `${lines.join('\n')}\n`;
}

/** Whether the text of a key-cert differs from the stored one. */
export function hasNewMaterial(object: RpslObject, stored: RpslObject | undefined): boolean {
  return stored === undefined || certificateText(object) !== certificateText(stored);
}

/** Continuation lines start with a space, a tab or a `+` of the layout. */
function contentOf(line: string, index: number): string {
  return (index > 0 && line.startsWith('+') ? line.slice(1) : line).trim();
}

/** What kind of key a key-cert holds, by the first line of the material. */
export function certificateKind(object: RpslObject): 'pgp' | 'x509' | undefined {
  const text = certificateText(object);
  if (text.includes('-----BEGIN PGP PUBLIC KEY BLOCK-----')) return 'pgp';
  return text.includes('-----BEGIN CERTIFICATE-----') ? 'x509' : undefined;
}

/** The key or certificate in a key-cert, within the bounds of `@cadastre/keys`. */
export type Material =
  | { readonly kind: 'pgp'; readonly octets: Buffer; readonly outline: PgpKeyOutline }
  | { readonly kind: 'x509'; readonly octets: Buffer };

/** Decodes the material of a key-cert and checks its bounds. Computes nothing costly. */
export function materialOf(object: RpslObject): Material | Unreadable {
  const kind = certificateKind(object);
  const text = certificateText(object);
  if (kind === undefined) return 'no-key';
  if (text.length > maxMaterialLength) return { tooMuch: `more than ${maxMaterialLength} characters` };
  return kind === 'pgp' ? pgpMaterial(text) : x509Material(text);
}

/** Whether reading found usable material. */
export function isMaterial(found: Material | Unreadable): found is Material {
  return typeof found === 'object' && 'kind' in found;
}

function pgpMaterial(text: string): Material | Unreadable {
  const armoured = readArmour(text, 'PUBLIC KEY BLOCK');
  if (armoured === undefined) return 'no-key';
  if (armoured.blocks > 1) return 'several-keys';
  const inspection = inspectPgpKey(armoured.octets);
  if (inspection.ok) return { kind: 'pgp', octets: armoured.octets, outline: inspection.key };
  return inspection.why === 'too-much' ? { tooMuch: inspection.what } : inspection.why;
}

function x509Material(text: string): Material | Unreadable {
  const [, body = '', more] = text.split('-----BEGIN CERTIFICATE-----');
  if (more !== undefined) return 'several-keys';
  const [encoded = '', rest] = body.split('-----END CERTIFICATE-----');
  if (rest === undefined) return 'no-key';
  const octets = Buffer.from(encoded, 'base64');
  const exceeded = exceededDerBound(octets);
  if (exceeded === undefined) return { kind: 'x509', octets };
  return exceeded === 'malformed' ? 'invalid' : { tooMuch: exceeded };
}
