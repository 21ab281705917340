import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * The token in the sender of a mail, to which the mail comes back: the number of its notification, and a proof. Only who
 * got a mail to the address knows `unsubscribeToken`, so nobody else can make one. Mail servers change the case of
 * letters, so it has lower-case ones only.
 */
export function bounceToken(id: bigint, unsubscribeToken: string): string {
  return `${id.toString(36)}-${proofOf(id, unsubscribeToken)}`;
}

/** A token that has the right form. */
export interface ReadToken {
  readonly id: bigint;
  isProvenBy(unsubscribeToken: string): boolean;
}

/** Reads a token; undefined when it has another form. */
export function readBounceToken(token: string): ReadToken | undefined {
  const [, number, proof] = /^([0-9a-z]{1,12})-([0-9a-f]{20})$/.exec(token) ?? [];
  if (number === undefined || proof === undefined) return undefined;
  const id = [...number].reduce((value, digit) => value * 36n + BigInt(Number.parseInt(digit, 36)), 0n);
  return {
    id,
    isProvenBy: (unsubscribeToken) => timingSafeEqual(Buffer.from(proofOf(id, unsubscribeToken)), Buffer.from(proof)),
  };
}

function proofOf(id: bigint, unsubscribeToken: string): string {
  return createHmac('sha256', unsubscribeToken).update(`bounce ${id}`).digest('hex').slice(0, 20);
}
