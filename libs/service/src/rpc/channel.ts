import { isIPv4 } from 'node:net';
import { type ChannelOptions, Client, credentials, experimental } from '@grpc/grpc-js';
import type { MutualTls } from '../tls.js';

const tuning: ChannelOptions = {
  'grpc.enable_channelz': 0,
  'grpc.max_send_message_length': -1,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1000,
  // A server that hangs is left after these fifteen seconds, used or not.
  'grpc.keepalive_time_ms': 10_000,
  'grpc.keepalive_timeout_ms': 5_000,
  'grpc.keepalive_permit_without_calls': 1,
  'grpc.dns_min_time_between_resolutions_ms': 5_000,
  'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
};

export interface ChannelParts {
  /** `host:port`, several `IP:port` between commas, or `unix:/path`. */
  address: string;
  tls?: MutualTls | undefined;
  maxMessageBytes?: number;
  /**
   * Whether calls that certainly reached no server (a connection that was being closed) are sent again. It costs every
   * call a tenth of its time, so clients whose calls are retried anyway do without.
   */
  resendsUnseen: boolean;
}

/** Makes a channel that uses all addresses of a name in turn. */
export function openChannel(o: ChannelParts): Client {
  const secrets = o.tls
    ? experimental.createCertificateProviderChannelCredentials(o.tls.provider, o.tls.provider)
    : credentials.createInsecure();
  return new Client(targetOf(o.address), secrets, {
    ...tuning,
    'grpc.enable_retries': o.resendsUnseen ? 1 : 0,
    'grpc.max_receive_message_length': o.maxMessageBytes ?? 64 * 1024 * 1024,
  });
}

/** The name of an address among those that gRPC resolves. */
function targetOf(address: string): string {
  if (address.startsWith('unix:')) return address;
  if (!address.includes(',')) return `dns:///${address}`;
  return `${isIPv4(address.slice(0, address.indexOf(':'))) ? 'ipv4' : 'ipv6'}:${address}`;
}
