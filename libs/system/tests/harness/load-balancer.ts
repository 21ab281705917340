import { setTimeout as delay } from 'node:timers/promises';
import type { CertificateWithKey } from '../../../../services/gateway/src/server/self-signed.js';
import type { Cluster, Replica } from './cluster.js';
import { type ClusterClient, createClusterClient } from './traffic.js';

/** Probes the gateways as the chart's readiness probe does, and sends requests to those that are ready. */
export interface LoadBalancer {
  /** A client with this certificate, if any. */
  createClient(certificate?: CertificateWithKey): ClusterClient;
  /** The gateways that get requests. */
  inUse(): readonly string[];
  stop(): Promise<void>;
}

const periodMs = 1000;
const failureThreshold = 2;

/**
 * A gateway that answers no probe within the timeout is cut off; one that is not ready still finishes its requests.
 */
export function startLoadBalancer(cluster: Cluster, timeoutMs = 1000): LoadBalancer {
  const clients = new Set<ClusterClient>();
  const stopping = new AbortController();
  let inUse = cluster.gateways;
  const setInUse = (isIn: (gateway: string) => boolean) => {
    inUse = cluster.gateways.filter(isIn);
    for (const client of clients) client.use(inUse);
  };
  const watch = async (gateway: Replica) => {
    for (let failures = 0; !stopping.signal.aborted; ) {
      const next = performance.now() + periodMs;
      const found = await probe(gateway, timeoutMs);
      failures = found === 'ready' ? 0 : failures + 1;
      if (failures === 0) setInUse((other) => other === gateway.address || inUse.includes(other));
      if (failures >= failureThreshold) setInUse((other) => other !== gateway.address && inUse.includes(other));
      if (failures === failureThreshold && found === 'silent') {
        for (const client of clients) client.disconnect(gateway.address);
      }
      await delay(Math.max(0, next - performance.now()), undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const watches = cluster.replicas.gateway.map(watch);
  return {
    createClient(certificate) {
      const client = createClusterClient(cluster, inUse, certificate);
      clients.add(client);
      return { ...client, close: () => clients.delete(client) && client.close() };
    },
    inUse: () => inUse,
    async stop() {
      stopping.abort();
      await Promise.all(watches);
    },
  };
}

/** Whether a replica is ready, answers otherwise, or does not answer in time. */
export async function probe({ operations }: Replica, timeoutMs: number): Promise<'ready' | 'not ready' | 'silent'> {
  try {
    const { status } = await fetch(`http://${operations}/ready`, { signal: AbortSignal.timeout(timeoutMs) });
    return status === 200 ? 'ready' : 'not ready';
  } catch (error) {
    return (error as Error).name === 'TimeoutError' ? 'silent' : 'not ready';
  }
}
