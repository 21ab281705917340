import { createHmac, createPrivateKey, sign } from 'node:crypto';
import { WebhookSignature } from '@cadastre/proto/objects';

/** What a request is signed with. */
export interface Signing {
  readonly signature: WebhookSignature;
  /** The newest first; during a rotation there are two. */
  readonly secrets: readonly Uint8Array[];
}

/** PKCS #8 of an Ed25519 key before its seed (RFC 8410). */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The headers of Standard Webhooks 1.0: each secret signs "id.seconds.body". */
export function signedHeaders(
  { signature, secrets }: Signing,
  { id, body, instant }: { readonly id: string; readonly body: string; readonly instant: Date },
): Record<string, string> {
  const seconds = String(Math.floor(instant.getTime() / 1000));
  const signed = Buffer.from(`${id}.${seconds}.${body}`);
  const isAsymmetric = signature === WebhookSignature.WEBHOOK_SIGNATURE_V1A;
  const signatures = secrets.map((secret) =>
    isAsymmetric
      ? `v1a,${ed25519(secret, signed).toString('base64')}`
      : `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`,
  );
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signatures.join(' ') };
}

function ed25519(seed: Uint8Array, signed: Buffer): Buffer {
  const key = createPrivateKey({ key: Buffer.concat([pkcs8Prefix, seed]), format: 'der', type: 'pkcs8' });
  return sign(null, signed, key);
}
