import { allOf, type RpslObject } from '@cadastre/rpsl';

/** The key material of a key-cert as a text: the `certif` lines without the layout of the object. */
export function certificateText(object: RpslObject): string {
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
  if (text.includes('-----BEGIN PGP PUBLIC KEY BLOCK-----')) {
    return 'pgp';
  }
  return text.includes('-----BEGIN CERTIFICATE-----') ? 'x509' : undefined;
}
