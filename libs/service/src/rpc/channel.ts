import type { EventEmitter } from 'node:events';
import { isIPv4 } from 'node:net';
import {
  type ChannelCredentials,
  Client,
  credentials,
  experimental,
  type ChannelOptions as GrpcOptions,
  Metadata,
} from '@grpc/grpc-js';
import type { MutualTls } from '../tls.js';
import type { Keepalive } from './types.js';

const tuning: GrpcOptions = {
  'grpc.enable_channelz': 0,
  'grpc.max_send_message_length': -1,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 400,
  'grpc.keepalive_permit_without_calls': 1,
  'grpc.dns_min_time_between_resolutions_ms': 5_000,
  // No TXT lookups: where DNS does not answer them, a command of `cadastre` ended 28 s later.
  'grpc.service_config_disable_resolution': 1,
  // The replicas get calls in turn. Exchanges skip those that fail (rpc/exchange/replicas.ts).
  'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
};

/** How a caller without a certificate authenticates. */
export interface TokenAccess {
  /** CA certificates (PEM) of the servers. */
  readonly ca: Buffer;
  /** A token of CADASTRE_RPC_TOKENS_FILE. */
  readonly token: string;
}

/** How to reach a server. */
export interface ChannelOptions {
  /** `host:port` (uses all addresses of the name), `IP:port,IP:port` or `unix:/path`. */
  address: string;
  tls?: MutualTls | undefined;
  /** The name in the servers' certificates; default: that of the address. */
  certificateName?: string | undefined;
  /** TLS of the server, and a token instead of a client certificate. */
  token?: TokenAccess | undefined;
  /** Maximum size of a received message; default 64 MiB. */
  maxMessageBytes?: number;
  /** Age at which connections are replaced for new calls; default five minutes. Running calls keep their connection. */
  connectionAgeMs?: number;
  /** Keepalive; default: a ping every 0.5 s, and 1.25 s for its response; by a unix socket, 5 s and 10 s. */
  keepalive?: Keepalive;
}

/**
 * A server that stops responding loses its connection within two seconds, with or without calls. Its calls fail then,
 * and the next ones use other replicas, because a connection is not ready before the server has responded.
 */
const defaultKeepalive: Keepalive = { timeMs: 500, timeoutMs: 1_250 };

/**
 * On one machine the system closes the connections of a process that ends. A silent process is busy: services that
 * share a process must not lose their connections then, also on a machine so busy that a second of work takes twenty.
 */
const localKeepalive: Keepalive = { timeMs: 5_000, timeoutMs: 30_000 };

/** Time between two DNS lookups, after which new replicas get calls. */
const defaultAgeMs = 300_000;

/** Timeout of new connections; after that the old ones stay in use. */
const connectMs = 10_000;

/** Connections to all servers of an address. */
export type Channel = ReturnType<typeof openChannel>;

/** Connections to the servers that one DNS lookup returned. */
interface Connections {
  readonly client: Client;
  running: number;
}

/**
 * Makes a channel that uses all addresses of a name in turn. It replaces its connections when they reach their age: new
 * calls use the new ones, and the old ones close after their last call. The client does this, not the server
 * (`grpc.max_connection_age_ms`): grpc-js cannot ping a connection that the server is closing, treats it as broken and
 * ends its running streams (https://github.com/grpc/grpc-node/issues/3068).
 */
export function openChannel(o: ChannelOptions) {
  const open = opener(o);
  const ageMs = o.connectionAgeMs ?? defaultAgeMs;
  const old = new Set<Connections>();
  let current = open();
  const listeners: (() => void)[] = [];
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const renewLater = () => {
    timer = setTimeout(renew, ageMs * (0.9 + Math.random() / 5)).unref();
  };
  const renew = () => {
    const next = open();
    old.add(next);
    next.client.waitForReady(Date.now() + connectMs, (error) => {
      if (closed) return;
      old.delete(next);
      const replaced = error ? next : current;
      if (!error) current = next;
      old.add(replaced);
      closeUnused(replaced);
      if (!error) for (const listener of listeners) listener();
      renewLater();
    });
  };
  const closeUnused = (connections: Connections) => {
    if (connections.running > 0 || !old.delete(connections)) return;
    connections.client.close();
  };
  return {
    /** Makes a call. */
    begin<C extends EventEmitter>(make: (client: Client) => C): C {
      const connections = current;
      const call = make(connections.client);
      connections.running++;
      call.once('status', () => {
        connections.running--;
        closeUnused(connections);
      });
      if (timer === undefined) renewLater();
      return call;
    },
    /** Calls `listener` each time that the connections were replaced: running calls keep the old ones. */
    onRenewal: (listener: () => void): void => void listeners.push(listener),
    close(): void {
      closed = true;
      clearTimeout(timer);
      for (const { client } of [current, ...old]) client.close();
    },
  };
}

function opener(o: ChannelOptions): () => Connections {
  const secrets = secretsOf(o);
  const usual = o.address.startsWith('unix:') ? localKeepalive : defaultKeepalive;
  const { timeMs, timeoutMs } = o.keepalive ?? usual;
  const options: GrpcOptions = {
    ...tuning,
    'grpc.keepalive_time_ms': timeMs,
    'grpc.keepalive_timeout_ms': timeoutMs,
    'grpc.max_receive_message_length': o.maxMessageBytes ?? 64 * 1024 * 1024,
    ...(o.certificateName ? { 'grpc.ssl_target_name_override': o.certificateName } : {}),
  };
  let renewals = 0;
  return () => {
    // Clients with the same options share connections: without this, new clients would reuse the old connections.
    const own = { ...options, 'cadastre.renewals': renewals++ };
    return { client: new Client(targetOf(o.address), secrets, own), running: 0 };
  };
}

function secretsOf({ tls, token }: Pick<ChannelOptions, 'tls' | 'token'>): ChannelCredentials {
  if (tls) return experimental.createCertificateProviderChannelCredentials(tls.provider, tls.provider);
  if (!token) return credentials.createInsecure();
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${token.token}`);
  const bearer = credentials.createFromMetadataGenerator((_call, answer) => answer(null, metadata));
  return credentials.combineChannelCredentials(credentials.createSsl(token.ca), bearer);
}

/** The address in the name syntax of gRPC. */
function targetOf(address: string): string {
  if (address.startsWith('unix:')) return address;
  if (!address.includes(',')) return `dns:///${address}`;
  return `${isIPv4(address.slice(0, address.indexOf(':'))) ? 'ipv4' : 'ipv6'}:${address}`;
}
