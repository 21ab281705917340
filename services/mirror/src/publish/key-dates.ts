import { open } from 'node:fs/promises';
import path from 'node:path';
import { fingerprintOf } from '@cadastre/nrtm';
import type { Metrics } from '@cadastre/service';
import { Gauge } from 'prom-client';
import type { SigningKeys } from './signing-keys.js';

/** The records of `cadastre mirror keys` about each key, by its fingerprint. */
const notesFile = 'signing-keys.json';
const maxBytes = 64 << 10;

/**
 * Registers gauges with the time since which the key signs and since which the next one is announced, for an alert
 * about their rotation. Both are missing if the directory has no records.
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

/** Empty when the directory has no readable records: they are only reminders. */
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
