import type { RegistryPlan } from '@cadastre/synthetic';
import type { BareFastify } from './bare-fastify.js';
import type { Target } from './load-generator.js';
import { type Format, lookupPaths } from './requests.js';
import type { TestedSystem } from './tested-system.js';

const hotKeys = 1000;
/** So many that no object is asked for again while it could still be in a cache. */
const uniformKeys = 150_000;
const formats = ['json', 'xml'] as const;

/** One kind of lookup against one server. */
export interface Scenario {
  readonly transport: 'HTTP' | 'HTTPS';
  readonly format: Format;
  /** `bare`: the hot keys, asked of a bare Fastify that has the answers in memory. */
  readonly keys: 'hot' | 'uniform' | 'bare';
  readonly target: Target;
  readonly paths: readonly string[];
  /** The process whose descendants answer. */
  readonly pid: number;
}

/** The same few objects in every format. */
export function hotPaths(plan: RegistryPlan): string[] {
  return formats.flatMap((format) => lookupPaths(plan, format, hotKeys));
}

/** Both transports, both formats, each against the system with hot and with uniform keys and against the bare server. */
export function lookupScenarios(
  system: TestedSystem,
  bare: BareFastify,
  plan: RegistryPlan,
  certificate: string,
  connections: number,
): Scenario[] {
  const targetOf = (transport: Scenario['transport'], server: { http: URL | string; https: URL | string }): Target => {
    const { hostname, port } = new URL(transport === 'HTTP' ? server.http : server.https);
    const trusted = transport === 'HTTPS' ? { certificate } : {};
    return { host: hostname, port: Number(port), connections, ...trusted };
  };
  return formats.flatMap((format) => {
    const hot = lookupPaths(plan, format, hotKeys);
    const uniform = lookupPaths(plan, format, uniformKeys);
    return (['HTTP', 'HTTPS'] as const).flatMap((transport): Scenario[] => {
      const ours = { transport, format, target: targetOf(transport, system.addresses), pid: system.pid };
      const theirs = { transport, format, target: targetOf(transport, bare), pid: bare.pid };
      return [
        { ...theirs, keys: 'bare', paths: hot },
        { ...ours, keys: 'hot', paths: hot },
        { ...ours, keys: 'uniform', paths: uniform },
      ];
    });
  });
}
