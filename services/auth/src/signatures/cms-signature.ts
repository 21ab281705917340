import { ContentInfo, SignedData, type SignerInfo } from 'pkijs';
import { certificateProblem, parseCertificate, sha256Fingerprint } from '../domain/certificate.js';
import { messages } from '../domain/messages.js';
import { signingTimeProblem } from '../domain/signing-time.js';
import { hashOfSigned, type SignatureCheck } from './verified.js';

const oid = {
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
};

/** SHA-256, SHA-384, SHA-512. */
const digests = new Set(['2.16.840.1.101.3.4.2.1', '2.16.840.1.101.3.4.2.2', '2.16.840.1.101.3.4.2.3']);

/** CMS SignedData (RFC 5652) with one signer, whose certificate is inside. */
export interface CmsMessage {
  content: Buffer;
  signer: SignerInfo;
  signedData: SignedData;
}

/** Reads CMS in DER form; `undefined` when it is not SignedData over plain data with exactly one signer. */
export function readCms(der: Buffer): CmsMessage | undefined {
  try {
    const info = ContentInfo.fromBER(der);
    if (info.contentType !== oid.signedData) return undefined;
    const signedData = new SignedData({ schema: info.content });
    const { encapContentInfo, signerInfos } = signedData;
    const [signer, another] = signerInfos;
    const isPlain = encapContentInfo.eContentType === oid.data && encapContentInfo.eContent;
    if (!isPlain || !signer || another) return undefined;
    return { content: Buffer.from(encapContentInfo.eContent!.getValue()), signer, signedData };
  } catch {
    return undefined;
  }
}

/** Checks the signature, its time, and the dates of the certificate. Who issued the certificate does not matter. */
export async function checkCmsSignature(
  { signer, signedData, content }: CmsMessage,
  now: Date,
): Promise<SignatureCheck> {
  if (!digests.has(signer.digestAlgorithm.algorithmId)) {
    return { problem: messages.weakSignature(signer.digestAlgorithm.algorithmId) };
  }
  const signed = signingTimeOf(signer);
  if (!signed) return { problem: messages.noSigningTime() };
  const timeProblem = signingTimeProblem(signed, now);
  if (timeProblem) return { problem: timeProblem };
  const der = await certificateOfHolding(signedData);
  const certificate = der && parseCertificate(der);
  if (!certificate) return { problem: messages.badSignature() };
  const problem = certificateProblem(certificate, now);
  if (problem) return { problem };
  const fingerprint = sha256Fingerprint(certificate);
  const hash = hashOfSigned(fingerprint, new Uint8Array(signer.signedAttrs!.encodedValue), content);
  return { verified: { fingerprint, signed, hash } };
}

/** The signer's certificate in DER form, if its key made the signature. */
async function certificateOfHolding(signedData: SignedData): Promise<Buffer | undefined> {
  try {
    const { signatureVerified, signerCertificate } = await signedData.verify({ signer: 0, extendedMode: true });
    if (!signatureVerified || !signerCertificate) return undefined;
    return Buffer.from(signerCertificate.toSchema().toBER());
  } catch {
    return undefined;
  }
}

/** The signing time among the signed attributes; `undefined` unless those that matter are there, each once. */
function signingTimeOf({ signedAttrs }: SignerInfo): Date | undefined {
  const values = (type: string) =>
    (signedAttrs?.attributes ?? []).filter((attribute) => attribute.type === type).flatMap(({ values }) => values);
  const complete = [oid.contentType, oid.messageDigest, oid.signingTime].every((type) => values(type).length === 1);
  if (!complete || values(oid.contentType)[0].valueBlock.toString() !== oid.data) return undefined;
  const time: unknown = values(oid.signingTime)[0];
  const date = isTime(time) ? time.toDate() : undefined;
  return date && !Number.isNaN(date.getTime()) ? date : undefined;
}

/** UTCTime or GeneralizedTime. */
function isTime(value: unknown): value is { toDate(): Date } {
  return typeof (value as { toDate?: unknown }).toDate === 'function';
}
