import { webcrypto } from 'node:crypto';

/** A certificate and its key, PEM. */
export interface CertificateWithKey {
  readonly cert: string;
  readonly key: string;
}

interface SelfSignedOptions {
  readonly commonName: string;
  /** Hexadecimal, positive, without a leading zero byte (DER). */
  readonly serialNumber: string;
  readonly from: Date;
  readonly until: Date;
  /** Makes it the certificate of a server with these names and addresses (4 or 16 bytes). */
  readonly server?: { readonly names: readonly string[]; readonly addresses: readonly Uint8Array<ArrayBuffer>[] };
}

/**
 * Makes a certificate with a new P-256 key, signed by that key. A handshake with it costs the server a tenth of one with
 * RSA.
 */
export async function makeSelfSigned(options: SelfSignedOptions): Promise<CertificateWithKey> {
  // Most starts need no certificate, and the library loads slowly.
  const { AttributeTypeAndValue, Certificate, RelativeDistinguishedNames, Time } = await import('pkijs');
  const { Integer, Utf8String } = await import('asn1js');
  const keys = await webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);
  const commonName = new AttributeTypeAndValue({
    type: '2.5.4.3',
    value: new Utf8String({ value: options.commonName }),
  });
  const name = new RelativeDistinguishedNames({ typesAndValues: [commonName] });
  const certificate = new Certificate({
    version: 2,
    serialNumber: new Integer({ valueHex: Buffer.from(options.serialNumber, 'hex') }),
    issuer: name,
    subject: name,
    notBefore: new Time({ value: options.from }),
    notAfter: new Time({ value: options.until }),
  });
  await certificate.subjectPublicKeyInfo.importKey(keys.publicKey);
  if (options.server) certificate.extensions = await serverExtensions(options.server);
  await certificate.sign(keys.privateKey, 'SHA-256');
  const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return { cert: pem('CERTIFICATE', certificate.toSchema(true).toBER()), key: pem('PRIVATE KEY', key) };
}

/** RFC 5280, section 4.2. */
async function serverExtensions({ names, addresses }: NonNullable<SelfSignedOptions['server']>) {
  const { BasicConstraints, Extension, ExtKeyUsage, GeneralName, GeneralNames } = await import('pkijs');
  const { BitString, OctetString } = await import('asn1js');
  const dnsName = 2;
  const ipAddress = 7;
  const alternatives = [
    ...names.map((value) => new GeneralName({ type: dnsName, value })),
    ...addresses.map((valueHex) => new GeneralName({ type: ipAddress, value: new OctetString({ valueHex }) })),
  ];
  const [digitalSignature, keyCertSign] = [0x80, 0x04];
  const values: [extnID: string, critical: boolean, value: { toBER(): ArrayBuffer }][] = [
    ['2.5.29.19', true, new BasicConstraints({ cA: true }).toSchema()],
    ['2.5.29.15', true, new BitString({ valueHex: Buffer.of(digitalSignature | keyCertSign), unusedBits: 2 })],
    ['2.5.29.37', false, new ExtKeyUsage({ keyPurposes: ['1.3.6.1.5.5.7.3.1'] }).toSchema()],
    ['2.5.29.17', false, new GeneralNames({ names: alternatives }).toSchema()],
  ];
  return values.map(([extnID, critical, value]) => new Extension({ extnID, critical, extnValue: value.toBER() }));
}

function pem(label: string, der: ArrayBuffer): string {
  const lines = Buffer.from(der).toString('base64').replace(/.{64}/g, '$&\n').trim();
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`;
}
