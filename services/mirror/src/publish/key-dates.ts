import { open } from 'node:fs/promises';
import path from 'node:path';
import type { Metrics } from '@cadastre/service';
import { Gauge } from 'prom-client';
import { fingerprintOf } from './fingerprint.js';
import type { SigningKeys } from './signing-keys.js';

/** What `cadastre mirror keys` notes of each key, by its fingerprint. */
const notesFile = 'signing-keys.json';
const maxBytes = 64 << 10;

/**
 * Registers gauges that tell since when the key signs and since when the next one is announced, so that an alert reminds
 * of their rotation. Both are missing where the directory has no notes.
 */
export function reportKeyDates(directory: string, current: () => SigningKeys, metrics: Metrics): void {
  const dateGauge = (place: 'active' | 'announced', help: string, dateOf: (notes: Notes) => number) =>
    new Gauge({
      name: `cadastre_mirror_signing_key_${place}_timestamp_seconds`,
      help,
      registers: [metrics],
      async collect() {
        this.reset();
        const ms = dateOf(await readNotes(directory));
        if (Number.isNaN(ms)) this.remove();
        else this.set(ms / 1000);
      },
    });
  dateGauge(
    'active',
    'Time at which the key that signs publications became active, in seconds since 1970.',
    (notes) => {
      const note = notes.get(fingerprintOf(current().publicKey));
      return Date.parse(String(note?.activated ?? note?.created));
    },
  );
  dateGauge('announced', 'Time at which the next key was made, in seconds since 1970.', (notes) => {
    const { nextPublicKey } = current();
    return nextPublicKey === undefined
      ? Number.NaN
      : Date.parse(String(notes.get(fingerprintOf(nextPublicKey))?.created));
  });
}

type Notes = ReadonlyMap<string, { readonly created?: unknown; readonly activated?: unknown } | null>;

/** Empty when the directory has no notes that can be read: they only remind. */
async function readNotes(directory: string): Promise<Notes> {
  try {
    const notes: unknown = JSON.parse(await readStart(path.join(directory, notesFile)));
    return new Map(Object.entries(notes ?? {}));
  } catch {
    return new Map();
  }
}

async function readStart(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(maxBytes), 0, maxBytes, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}
