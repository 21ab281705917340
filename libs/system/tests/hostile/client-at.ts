import https from 'node:https';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import tls from 'node:tls';
import type { RunningSystem } from '../harness/run-system.js';
import { loadBalancer, proxyHeader } from './load-balancer.js';

/** Reads by HTTPS, as the client with this address behind the load balancer. */
export function getAs(system: RunningSystem, client: string, path: string): Promise<{ status: number; text: string }> {
  const { hostname: host, port } = new URL(system.https);
  const socket = net.connect({ host: '127.0.0.1', port: Number(port), localAddress: loadBalancer });
  socket.write(proxyHeader(client, port));
  const createConnection = () => tls.connect({ socket, host, ca: system.certificateText });
  const headers = { accept: 'application/json', connection: 'close' };
  return new Promise((resolve, reject) => {
    const request = https.get({ host, path, headers, createConnection }, async (response) => {
      resolve({ status: response.statusCode ?? 0, text: await text(response) });
    });
    request.once('error', reject);
  });
}
