import { type Metrics, readInBackground } from '@cadastre/service';
import { Gauge } from 'prom-client';
import type { Context } from './context.js';
import { payingMntner } from './domain/storage-quota.js';
import { largestMntnersQuery } from './store/storage-use.js';

/** A mntner is near its limit when it has stored this share of it. */
const near = 0.8;

/** Registers the number of mntners that have reached their limit, or are near it. */
export function reportStorage(
  metrics: Metrics,
  { readPool, storageQuota: quota }: Pick<Context, 'readPool' | 'storageQuota'>,
): void {
  const smallest = Math.min(quota.perMntner, ...quota.overrides.values());
  if (smallest === Infinity) return;
  const largest = readInBackground<{ payer: string; bytes: bigint }>(readPool, largestMntnersQuery(near * smallest));
  new Gauge({
    name: 'cadastre_storage_mntners_near_limit',
    help: 'Number of mntners that have stored 80 % of the bytes that they may',
    registers: [metrics],
    collect() {
      const isNear = ({ payer, bytes }: { payer: string; bytes: bigint }) =>
        Number(bytes) >= near * payingMntner(payer.replace(/^mntner:/, ''), quota).limit;
      this.set(largest().filter(isNear).length);
    },
  });
}
