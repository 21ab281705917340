import { X509Certificate } from 'node:crypto';
import { type CertificateWithKey, makeSelfSigned } from '../src/server/self-signed.js';

/** A key of a client and its certificate. */
export interface ClientIdentity extends CertificateWithKey {
  readonly der: Buffer;
}

const hourMs = 3_600_000;

/** A certificate that a client has made itself; by default valid for an hour. Times are offsets from now. */
export async function selfSignedClient(name: string, from = -hourMs, until = hourMs): Promise<ClientIdentity> {
  const [start, end] = [from, until].map((offset) => new Date(Date.now() + offset));
  const pair = await makeSelfSigned({ commonName: name, serialNumber: '4001', from: start!, until: end! });
  return { ...pair, der: new X509Certificate(pair.cert).raw };
}
