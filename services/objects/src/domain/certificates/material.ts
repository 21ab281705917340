import { exceededDerBound, inspectPgpKey, maxMaterialLength, type PgpKeyOutline, readArmour } from '@cadastre/keys';
import type { RpslObject } from '@cadastre/rpsl';
import type { Unreadable } from './certificate-model.js';
import { certificateKind, certificateText } from './certificate-text.js';

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
