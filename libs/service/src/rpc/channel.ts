import { readFileSync } from 'node:fs';
import { type ChannelOptions, Client, credentials } from '@grpc/grpc-js';
import type { TlsFiles } from '../tls.js';

/** Retries are ours: the library's own cost every call a tenth of its time. */
const tuning: ChannelOptions = {
  'grpc.enable_channelz': 0,
  'grpc.enable_retries': 0,
  'grpc.max_send_message_length': -1,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 2000,
  'grpc.keepalive_time_ms': 30_000,
  'grpc.keepalive_timeout_ms': 10_000,
  'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
};

/** Makes a channel that uses all addresses of a name in turn. */
export function openChannel(o: { address: string; tls?: TlsFiles | undefined; maxMessageBytes?: number }): Client {
  const target = o.address.startsWith('unix:') ? o.address : `dns:///${o.address}`;
  const secrets = o.tls
    ? credentials.createSsl(readFileSync(o.tls.caFile), readFileSync(o.tls.keyFile), readFileSync(o.tls.certFile))
    : credentials.createInsecure();
  const maxBytes = o.maxMessageBytes ?? 64 * 1024 * 1024;
  return new Client(target, secrets, { ...tuning, 'grpc.max_receive_message_length': maxBytes });
}
