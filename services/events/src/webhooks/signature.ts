import { createHmac, sign } from 'node:crypto';
import { WebhookSignature } from '@cadastre/proto/objects';
import { ed25519Key } from '@cadastre/service';

/** The keys that sign a request. */
export interface Signing {
  readonly signature: WebhookSignature;
  /** The newest first; during a rotation there are two. */
  readonly secrets: readonly Uint8Array[];
}

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
      ? `v1a,${sign(null, signed, ed25519Key(secret)).toString('base64')}`
      : `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`,
  );
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signatures.join(' ') };
}
