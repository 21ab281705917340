import { createHash, createPrivateKey, webcrypto, X509Certificate } from 'node:crypto';
import { ObjectIdentifier, OctetString, UTCTime } from 'asn1js';
import {
  Attribute,
  Certificate,
  ContentInfo,
  EncapsulatedContentInfo,
  IssuerAndSerialNumber,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
} from 'pkijs';
import type { CertificateWithKey } from '../../../../services/gateway/src/server/self-signed.js';

/** CMS SignedData (RFC 5652) with the text inside, in PEM form. */
export async function cmsSigned(text: string, { cert, key }: CertificateWithKey, signed = new Date()): Promise<string> {
  const data = '1.2.840.113549.1.7.1';
  const certificate = Certificate.fromBER(new X509Certificate(cert).raw);
  const content = Buffer.from(text);
  const attributes: [type: string, value: unknown][] = [
    ['1.2.840.113549.1.9.3', new ObjectIdentifier({ value: data })],
    ['1.2.840.113549.1.9.4', new OctetString({ valueHex: createHash('sha256').update(content).digest() })],
    ['1.2.840.113549.1.9.5', new UTCTime({ valueDate: signed })],
  ];
  const message = new SignedData({
    version: 1,
    encapContentInfo: new EncapsulatedContentInfo({
      eContentType: data,
      eContent: new OctetString({ valueHex: content }),
    }),
    certificates: [certificate],
    signerInfos: [
      new SignerInfo({
        version: 1,
        sid: new IssuerAndSerialNumber({ issuer: certificate.issuer, serialNumber: certificate.serialNumber }),
        signedAttrs: new SignedAndUnsignedAttributes({
          type: 0,
          attributes: attributes.map(([type, value]) => new Attribute({ type, values: [value] })),
        }),
      }),
    ],
  });
  const pkcs8 = createPrivateKey(key).export({ type: 'pkcs8', format: 'der' });
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
  const privateKey = await webcrypto.subtle.importKey('pkcs8', new Uint8Array(pkcs8), algorithm, false, ['sign']);
  await message.sign(privateKey, 0, 'SHA-256');
  const info = new ContentInfo({ contentType: '1.2.840.113549.1.7.2', content: message.toSchema(true) });
  const lines = Buffer.from(info.toSchema().toBER()).toString('base64').replace(/.{64}/g, '$&\n');
  return `-----BEGIN CMS-----\n${lines}\n-----END CMS-----\n`;
}

/** The attributes of a key-cert object. */
export function keyCertText(name: string, armour: string): string {
  const lines = armour
    .trim()
    .split(/\r?\n/)
    .map((line) => `certif:         ${line}`.trimEnd());
  return `key-cert:       ${name}\n${lines.join('\n')}\nmnt-by:         EXAMPLE-MNT\nsource:         TEST\n`;
}
