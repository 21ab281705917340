import { ServiceError } from '../errors.js';
import type { Logger } from '../logger.js';
import type { Metrics } from '../metrics.js';
import type { Values } from '../read-settings.js';
import type { rpcSettings } from '../rpc-settings.js';
import type { SurfaceCall } from './call.js';
import { type Caller, callerOf, type KnownCallers } from './caller.js';
import { limitCallers } from './caller-limits.js';
import { openCallerTokens } from './caller-tokens.js';

/**
 * Which of our services may call what: method path ("/cadastre.auth.v1.ApiKeyService/CreateApiKey") before service
 * name ("cadastre.auth.v1.ApiKeyService"). What is not listed is open to the operator's own systems only.
 */
export type AllowedCallers = Readonly<Record<string, readonly string[]>>;

export interface AccessOptions {
  settings: Values<typeof rpcSettings>;
  allowedCallers: AllowedCallers;
  withTls: boolean;
  logger: Logger;
  metrics: Metrics;
  /** How often the file with tokens is looked at. */
  intervalMs?: number;
}

/** Decides who may call what, and how much. */
export interface Access {
  callerOf(surface: Pick<SurfaceCall, 'metadata' | 'getAuthContext'>): Caller;
  /** Throws unless the caller may use the method now; call what it returns when the call has ended. */
  admit(caller: Caller, path: string): () => void;
  /** The same for what everybody may use who may use anything. */
  admitKnown(caller: Caller): () => void;
  /** Whether there are callers without certificates. */
  takesTokens: boolean;
  close(): void;
}

/** Makes the rules from what the service grants to our other services and what the operator set. */
export function createAccess(o: AccessOptions): Access {
  const { settings, allowedCallers } = o;
  const grants = systemGrants(settings);
  const known: KnownCallers = {
    services: serviceNames(o),
    systems: new Set([...settings.operators, ...grants.keys()].map(lower)),
  };
  const operators = new Set(settings.operators.map(lower));
  const tokens = settings.tokensFile ? openCallerTokens(settings.tokensFile, o.logger, o.intervalMs) : undefined;
  const count = limitCallers({ rate: settings.callerRate, calls: settings.callerCalls }, o.metrics);
  const mayCall = (caller: Caller, path: string): boolean => {
    if (caller.kind === 'service') return servicesFor(allowedCallers, path).includes(caller.name);
    const granted = grants.get(caller.name);
    return operators.has(caller.name) || granted?.has(path) === true || granted?.has(serviceOf(path)) === true;
  };
  const admitKnown = (caller: Caller) => {
    if (caller.kind === 'unknown') throw new ServiceError('unauthenticated', 'A certificate or a token is needed');
    if (caller.kind === 'stranger') throw new ServiceError('forbidden', 'This caller is not known here');
    return caller.kind === 'system' ? count(caller.name) : free;
  };
  return {
    callerOf: (surface) => callerOf(surface, { known, tokens, withTls: o.withTls }),
    admit(caller, path) {
      const release = admitKnown(caller);
      if (caller.kind === 'local' || mayCall(caller, path)) return release;
      release();
      throw new ServiceError('forbidden', 'This caller may not use this method');
    },
    admitKnown,
    takesTokens: tokens !== undefined,
    close: () => tokens?.close(),
  };
}

/** What the operator's further systems may call, by name: services and method paths. */
function systemGrants({ allowed }: AccessOptions['settings']): Map<string, Set<string>> {
  const grants = new Map<string, Set<string>>();
  for (const [name, what] of allowed) {
    const granted = grants.get(lower(name)) ?? new Set();
    grants.set(lower(name), granted.add(what.includes('/') ? `/${what.replace(/^\//, '')}` : what));
  }
  return grants;
}

/** Our services by the names in their certificates: their own names unless the operator says otherwise. */
function serviceNames({ settings, allowedCallers }: AccessOptions): Map<string, string> {
  const services = new Set(Object.values(allowedCallers).flat());
  const renamed = new Set(settings.peers.map(([service]) => service));
  const own = [...services].filter((service) => !renamed.has(service)).map((service) => [service, service] as const);
  return new Map([...own, ...settings.peers.map(([service, name]) => [lower(name), service] as const)]);
}

function servicesFor(allowedCallers: AllowedCallers, path: string): readonly string[] {
  return allowedCallers[path] ?? allowedCallers[serviceOf(path)] ?? [];
}

function serviceOf(path: string): string {
  return path.split('/')[1] ?? '';
}

const free = () => {};
const lower = (name: string) => name.toLowerCase();
