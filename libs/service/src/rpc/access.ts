import { ServiceError } from '../errors.js';
import type { Logger } from '../logger.js';
import type { Metrics } from '../metrics.js';
import type { Values } from '../read-settings.js';
import type { rpcSettings } from '../shared-settings.js';
import type { SurfaceCall } from './call.js';
import { type Caller, callerOf, type KnownCallers, openCallerTokens } from './caller.js';
import { limitCallers } from './caller-limits.js';

/**
 * Which services may call what, by method path ("/cadastre.auth.v1.ApiKeyService/CreateApiKey") or, second, by service
 * name ("cadastre.auth.v1.ApiKeyService"). Only the operator's own systems may call anything else.
 */
export type AllowedCallers = Readonly<Record<string, readonly string[]>>;

export interface AccessOptions {
  settings: Values<typeof rpcSettings>;
  allowedCallers: AllowedCallers;
  withTls: boolean;
  logger: Logger;
  metrics: Metrics;
  /** Time between two reads of the token file in milliseconds. */
  intervalMs?: number;
}

/** Authorises calls and limits their number. */
export type Access = ReturnType<typeof createAccess>;

/** Makes the rules from the service's grants to other services and the operator's settings. */
export function createAccess(o: AccessOptions) {
  const { settings, allowedCallers } = o;
  const grants = systemGrants(settings);
  const known: KnownCallers = {
    services: serviceNames(o),
    systems: new Set([...settings.operators, ...grants.keys()].map(lower)),
  };
  const operators = new Set(settings.operators.map(lower));
  const tokens = settings.tokensFile ? openCallerTokens(settings.tokensFile, o.logger, o.intervalMs) : undefined;
  const count = limitCallers(settings.callerLimits, o.metrics);
  const mayCall = (caller: Caller, path: string): boolean => {
    const services = () => allowedCallers[path] ?? allowedCallers[serviceOf(path)] ?? [];
    if (caller.kind === 'service') return services().includes(caller.name);
    const granted = grants.get(caller.name);
    return operators.has(caller.name) || granted?.has(path) === true || granted?.has(serviceOf(path)) === true;
  };
  const requireKnown = (caller: Caller) => {
    if (caller.kind === 'unknown') throw new ServiceError('unauthenticated', 'A certificate or a token is required');
    if (caller.kind === 'stranger') throw new ServiceError('forbidden', 'Unknown caller');
  };
  const admitKnown = (caller: Caller) => {
    requireKnown(caller);
    return caller.kind === 'system' ? count(caller.name) : free;
  };
  return {
    callerOf: (surface: Pick<SurfaceCall, 'metadata' | 'getAuthContext'>): Caller =>
      callerOf(surface, { known, tokens, withTls: o.withTls }),
    /** Throws unless the caller may call the method now; the returned function must run when the call has ended. */
    admit(caller: Caller, path: string): () => void {
      const release = admitKnown(caller);
      if (caller.kind === 'local' || mayCall(caller, path)) return release;
      release();
      throw new ServiceError('forbidden', 'This caller may not use this method');
    },
    /** Throws unless a known caller may call now; the returned function must run when the call has ended. */
    admitKnown,
    /** Throws for callers without any permission. */
    requireKnown,
    /** Whether callers may authenticate by token. */
    takesTokens: tokens !== undefined,
    close: (): void => tokens?.close(),
  };
}

/** The permissions of further systems of the operator, by name: services and method paths. */
function systemGrants({ allowed }: AccessOptions['settings']): Map<string, Set<string>> {
  const grants = new Map<string, Set<string>>();
  for (const [name, what] of allowed) {
    const granted = grants.get(lower(name)) ?? new Set();
    grants.set(lower(name), granted.add(what.includes('/') ? `/${what.replace(/^\//, '')}` : what));
  }
  return grants;
}

/** Our services by certificate name: the service name unless the operator sets another. */
function serviceNames({ settings, allowedCallers }: AccessOptions): Map<string, string> {
  const services = new Set(Object.values(allowedCallers).flat());
  const renamed = new Set(settings.peers.map(([service]) => service));
  const own = [...services].filter((service) => !renamed.has(service)).map((service) => [service, service] as const);
  return new Map([...own, ...settings.peers.map(([service, name]) => [lower(name), service] as const)]);
}

/** The full name of the service with the method at a path. */
export function serviceOf(path: string): string {
  return path.split('/')[1] ?? '';
}

/** Ends a call that does not count. */
export const free = () => {};
const lower = (name: string) => name.toLowerCase();
