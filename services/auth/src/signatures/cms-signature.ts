import { ContentInfo, SignedData, type SignerInfo } from 'pkijs';
import { messages } from '../domain/messages.js';
import {
  type CheckedText,
  certificateProblem,
  hashOfSigned,
  parseCertificate,
  type SignatureCheck,
  sha256Fingerprint,
  signingTimeProblem,
  unreadableText,
} from '../domain/signatures.js';

const oid = {
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
};

/** SHA-256, SHA-384, SHA-512. */
const digests = new Set(['2.16.840.1.101.3.4.2.1', '2.16.840.1.101.3.4.2.2', '2.16.840.1.101.3.4.2.3']);

/** CMS SignedData (RFC 5652) with one signer and the signer's certificate. */
interface CmsMessage {
  content: Buffer;
  signer: SignerInfo;
  signedData: SignedData;
}

/**
 * Parses CMS in DER form and checks its signature; the text is empty when it cannot be read. Call it on a worker thread,
 * after `exceededDerBound`.
 */
export async function checkCms(der: Uint8Array, now: Date): Promise<CheckedText> {
  const message = readCms(der);
  if (!message) return unreadableText(messages.badSignature());
  return { text: message.content, checks: [await checkCmsSignature(message, now)] };
}

/** `undefined` unless it is SignedData over plain data with exactly one signer. */
function readCms(der: Uint8Array): CmsMessage | undefined {
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

/** Checks the signature, its time, and the dates of the certificate of any issuer. */
async function checkCmsSignature({ signer, signedData, content }: CmsMessage, now: Date): Promise<SignatureCheck> {
  if (!digests.has(signer.digestAlgorithm.algorithmId)) {
    return { problem: messages.weakSignature(signer.digestAlgorithm.algorithmId) };
  }
  const signed = signingTimeOf(signer);
  if (!signed) return { problem: messages.noSigningTime() };
  const timeProblem = signingTimeProblem(signed, now);
  if (timeProblem) return { problem: timeProblem };
  const der = await verifiedCertificateOf(signedData);
  const certificate = der && parseCertificate(der);
  if (!certificate) return { problem: messages.badSignature() };
  const problem = certificateProblem(certificate, now);
  if (problem) return { problem };
  const fingerprint = sha256Fingerprint(certificate);
  const hash = hashOfSigned(fingerprint, new Uint8Array(signer.signedAttrs!.encodedValue), content);
  return { verified: { fingerprint, signed, hash } };
}

/** The signer's certificate in DER form; `undefined` when its key did not make the signature. */
async function verifiedCertificateOf(signedData: SignedData): Promise<Buffer | undefined> {
  try {
    const { signatureVerified, signerCertificate } = await signedData.verify({ signer: 0, extendedMode: true });
    if (!signatureVerified || !signerCertificate) return undefined;
    return Buffer.from(signerCertificate.toSchema().toBER());
  } catch {
    return undefined;
  }
}

/** The signing time; `undefined` unless each of the required signed attributes is there, once. */
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
