import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fingerprintOf } from '@cadastre/nrtm';
import { createMetrics } from '@cadastre/service';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { reportKeyDates } from './key-dates.js';

const pem = () =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ type: 'spki', format: 'pem' }) as string;
const publicKey = pem();
const nextPublicKey = pem();
const [one, two] = [fingerprintOf(publicKey), fingerprintOf(nextPublicKey)];
const at = (seconds: number) => new Date(seconds * 1000).toISOString();

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'cadastre-key-dates-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

test.each<[string, string | undefined, string | undefined, (number | undefined)[]]>([
  ['a first key', undefined, JSON.stringify({ [one]: { created: at(5) } }), [5, undefined]],
  ['a rotated key', undefined, JSON.stringify({ [one]: { created: at(5), activated: at(9) } }), [9, undefined]],
  ['an announced key', nextPublicKey, JSON.stringify({ [one]: { created: at(5) }, [two]: { created: at(7) } }), [5, 7]],
  ['a key without a note', nextPublicKey, JSON.stringify({ [two]: { created: at(7) } }), [undefined, 7]],
  ['no notes', nextPublicKey, undefined, [undefined, undefined]],
  ['notes of others', nextPublicKey, '{"x', [undefined, undefined]],
  ['empty notes', nextPublicKey, JSON.stringify({ [one]: null }), [undefined, undefined]],
])('%s', async (_, next, notes, expected) => {
  if (notes !== undefined) await writeFile(path.join(directory, 'signing-keys.json'), notes);
  const metrics = createMetrics('mirror');
  reportKeyDates(directory, () => ({ privateKey: '', publicKey, nextPublicKey: next }), metrics);
  const text = await metrics.metrics();
  const dates = ['active', 'announced'].map((place) => {
    const sample = new RegExp(`^cadastre_mirror_signing_key_${place}_timestamp_seconds\\S* (.*)$`, 'm').exec(text);
    return sample ? Number(sample[1]) : undefined;
  });
  expect(dates).toEqual(expected);
});
