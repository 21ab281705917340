import { createHash } from 'node:crypto';
import type { DnskeyData } from 'dns-packet';

const hashes: Readonly<Record<string, string>> = { '1': 'sha1', '2': 'sha256', '4': 'sha384' };

/**
 * Whether one of a zone's keys matches `ds-rdata` ("keytag algorithm digesttype digest", RFC 4034, section 5). Accepts
 * digest types that this service cannot compute.
 */
export function matchesKey(dsRdata: string, zone: string, keys: readonly DnskeyData[]): boolean {
  const [, algorithm, digestType = '', ...digest] = dsRdata.split(' ');
  const hash = hashes[digestType];
  const wanted = digest.join('').toLowerCase();
  return (
    hash === undefined ||
    keys.some((key) => String(key.algorithm) === algorithm && digestOf(hash, zone, key) === wanted)
  );
}

function digestOf(hash: string, zone: string, { flags, algorithm, key }: DnskeyData): string {
  const head = Buffer.from([flags >> 8, flags & 255, 3, algorithm]);
  return createHash(hash).update(wireName(zone)).update(head).update(key).digest('hex');
}

/** A name in wire format: each label after its length, the root last. */
function wireName(name: string): Buffer {
  const labels = name.toLowerCase().split('.');
  return Buffer.concat([
    ...labels.map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`)),
    Buffer.of(0),
  ]);
}
