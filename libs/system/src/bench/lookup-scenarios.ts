import type { RegistryPlan } from '@cadastre/synthetic';
import type { BareFastify } from './bare-fastify.js';
import type { Target } from './load-generator.js';
import { type Format, lookupPaths } from './requests.js';
import { limitedAddress, type TestedSystem } from './tested-system.js';

const hotKeys = 1000;
/** Enough keys that no object is requested again while it could still be in a cache. */
const uniformKeys = 150_000;
const formats = ['json', 'xml'] as const;

/** One kind of lookup against one server. */
export interface Scenario {
  readonly transport: 'HTTP' | 'HTTPS';
  readonly format: Format;
  /** `bare`: the hot keys, from a bare Fastify with the responses in memory. */
  readonly keys: 'hot' | 'uniform' | 'bare';
  /** Whether the requests come from an address with limits. */
  readonly limited: boolean;
  readonly target: Target;
  readonly paths: readonly string[];
  /** The process whose descendants respond. */
  readonly pid: number;
}

/** The same few objects in every format. */
export function hotPaths(plan: RegistryPlan): string[] {
  return formats.flatMap((format) => lookupPaths(plan, format, hotKeys));
}

/**
 * Both transports and both formats, each against the system with hot and with uniform keys and against the bare server;
 * HTTP and JSON once more with limits.
 */
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
        { ...theirs, keys: 'bare', limited: false, paths: hot },
        { ...ours, keys: 'hot', limited: false, paths: hot },
        { ...ours, keys: 'uniform', limited: false, paths: uniform },
        ...(transport === 'HTTP' && format === 'json' ? limitedScenarios(ours, hot, uniform) : []),
      ];
    });
  });
}

function limitedScenarios(
  ours: Pick<Scenario, 'transport' | 'format' | 'target' | 'pid'>,
  hot: readonly string[],
  uniform: readonly string[],
): Scenario[] {
  const target = { ...ours.target, host: '127.0.0.1', localAddress: limitedAddress };
  // The other half of the registry: objects of the runs without limits may still be in a cache.
  const half = uniform.length / 2;
  const others = [...uniform.slice(half), ...uniform.slice(0, half)];
  return [
    { ...ours, target, keys: 'hot', limited: true, paths: hot },
    { ...ours, target, keys: 'uniform', limited: true, paths: others },
  ];
}
