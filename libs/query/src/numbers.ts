/** The largest revision of an object. */
export const maxRevision = 0xff_ff_ff_ff;

/** Reads a serial, a number of 64 bits; undefined for other text. */
export function parseSerial(text: string): bigint | undefined {
  return /^\d{1,20}$/.test(text) && BigInt(text) >> 64n === 0n ? BigInt(text) : undefined;
}
