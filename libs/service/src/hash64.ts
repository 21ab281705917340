/**
 * A 64-bit hash of a text, as two unsigned 32-bit halves. Databases store it (references of objects, terms of the
 * search index), so it must never change: two multiplicative (FNV-1a like) lanes over the UTF-16 units, each finished
 * by a bit mix. It does not resist attacks: compare the texts of what it finds.
 */
export function hashHalves(text: string): { high: number; low: number } {
  let high = 0x811c9dc5;
  let low = 0x3c6ef372;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    high = Math.imul(high ^ unit, 0x01000193);
    low = Math.imul(low ^ unit, 0x5bd1e995);
    low ^= low >>> 15;
  }
  // One to one, so that it adds no collisions.
  const sum = (low + high) | 0;
  return { high: finish(high ^ sum), low: finish(sum) };
}

function finish(lane: number): number {
  let mixed = Math.imul(lane ^ (lane >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** The 64-bit hash of a text as a signed number, as PostgreSQL's bigint has it. */
export function hash64(text: string): bigint {
  const { high, low } = hashHalves(text);
  return BigInt.asIntN(64, (BigInt(high) << 32n) | BigInt(low));
}
