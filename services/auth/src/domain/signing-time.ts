import type { Message } from '@cadastre/proto/registry';
import { messages } from './messages.js';

const hourMs = 3_600_000;
const aheadMs = 300_000;

/** Why a signing time is not acceptable: spec section "Authentication", item 5, and decision W9. */
export function signingTimeProblem(signed: Date, now: Date): Message | undefined {
  const age = now.getTime() - signed.getTime();
  if (age > hourMs) return messages.signedTooEarly();
  return age < -aheadMs ? messages.signedInFuture() : undefined;
}

/** How long a signature is remembered: well beyond the time in which its own age lets it pass. */
export function rememberedUntil(signed: Date): Date {
  return new Date(signed.getTime() + 2 * hourMs);
}
