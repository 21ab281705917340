import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { readSettings } from '@cadastre/service';
import { testLogger } from '@cadastre/service/testing';
import { expect, vi } from 'vitest';
import { createWhoisService, type WhoisOverrides } from '../src/service.js';
import { whoisSettings } from '../src/settings.js';
import type { Registry } from './registry.fixture.js';

/** A whois service of a test. */
export interface RunningWhois {
  readonly port: number;
  /** The port with TLS; undefined without one. */
  readonly tlsPort: number | undefined;
  /** Address of its gRPC server. */
  readonly address: string;
  /** Sends bytes, and returns everything received until the service closes the connection. */
  ask(sent: string | Buffer, from?: string): Promise<string>;
  /** The answers to commands on one connection, one after the other. */
  answers(commands: readonly string[]): Promise<string[]>;
  /** Opens a connection. */
  open(from?: string): Talk;
  /** Opens one over TLS, after the header of a load balancer. */
  openTls(from?: string, header?: string): Talk;
  stop(): Promise<void>;
}

/** An open connection. */
export interface Talk {
  readonly socket: Socket;
  send(bytes: string | Buffer): void;
  /** Everything received so far. */
  received(): string;
  readonly closed: Promise<void>;
}

/** Starts the service over a registry, and waits until it has the sets. */
export async function startWhois(...start: Parameters<typeof beginWhois>): Promise<RunningWhois> {
  const whois = await beginWhois(...start);
  await vi.waitFor(async () => expect(await whois.ask('!gAS0\n')).toBe('D\n'), 150_000);
  return whois;
}

/** Starts the service without waiting; without backends it connects to those of the settings. */
export async function beginWhois(
  registry: Partial<Pick<Registry, 'backends'>>,
  env: Record<string, string> = {},
  overrides: Pick<
    WhoisOverrides,
    'memory' | 'metrics' | 'indexBounds' | 'preferenceIntervalMs' | 'withoutFork' | 'drainMs' | 'certificateIntervalMs'
  > = {},
): Promise<RunningWhois> {
  const settings = readSettings(whoisSettings, {
    CADASTRE_SOURCE: 'TEST',
    CADASTRE_LISTEN: '127.0.0.1:0',
    CADASTRE_WHOIS_PORT: '0',
    CADASTRE_BIND_ADDRESS: '127.0.0.1',
    CADASTRE_WHOIS_CONNECTIONS_PER_CLIENT: '0',
    CADASTRE_OBJECTS_ADDRESS: '127.0.0.1:1',
    CADASTRE_SEARCH_ADDRESS: '127.0.0.1:1',
    CADASTRE_AUTH_ADDRESS: '127.0.0.1:1',
    ...env,
    CADASTRE_LIMITS: `queries=-1 searches=-1, ${env.CADASTRE_LIMITS ?? ''}`,
  });
  const pauses = { firstMs: 10, maxMs: 50 };
  const own = registry.backends && { backends: registry.backends };
  const parts = { withoutFork: true, logger: testLogger(), ...own, pauses, ...overrides };
  const whois = await createWhoisService(settings, parts);
  await whois.start();
  const port = whois.port();
  const tlsPort = whois.tlsPort();
  const open = (from = '127.0.0.1') => talk(connect({ port, host: '127.0.0.1', localAddress: from }));
  const running: RunningWhois = {
    port,
    address: whois.address(),
    tlsPort,
    open,
    openTls(from = '127.0.0.1', header = '') {
      const socket = connect({ port: tlsPort!, host: '127.0.0.1', localAddress: from });
      if (header !== '') socket.write(header);
      // The service ends a connection when the client has everything.
      return talk(connectTls({ socket: socket.on('error', () => {}), rejectUnauthorized: false }));
    },
    async ask(sent, from) {
      const { send, received, closed } = open(from);
      send(sent);
      await closed;
      return received();
    },
    async answers(commands) {
      // A command that no service supports marks the end of each answer.
      const all = await running.ask(`!!\n${commands.map((command) => `${command}\n!z\n`).join('')}!q\n`);
      return all.split('F Unrecognised command: z\n').slice(0, -1);
    },
    stop: () => whois.stop(),
  };
  return running;
}

function talk(socket: Socket): Talk {
  let all = '';
  socket.setEncoding('latin1').on('data', (text) => (all += text));
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  return { socket, received: () => all, closed, send: (bytes) => void socket.write(bytes) };
}
