import type { ChildProcess } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { reservePort } from '@cadastre/service';
import { createAuthority, keepSecret } from '@cadastre/service/testing';
import { killRedis, runRedis } from './redis-server.fixture.js';

/** A primary, its replica and a Sentinel that replaces the one by the other; all with TLS and passwords. */
export interface RedisPair {
  /** The settings of a gateway. */
  readonly settings: Readonly<Record<string, string>>;
  /** Kills the primary, or makes it hang. */
  signalPrimary(name: 'SIGKILL' | 'SIGSTOP'): void;
  remove(): Promise<void>;
}

const password = 'password-of-the-nodes';
const sentinelPassword = 'password-of-the-sentinel';
keepSecret(password, sentinelPassword);

/** Starts them on free ports of the loopback interface. */
export async function startRedisPair(): Promise<RedisPair> {
  const authority = createAuthority();
  const { tlsCertFile, tlsKeyFile, tlsCaFile } = authority.certify('redis');
  const children: ChildProcess[] = [];
  const run = async (name: string, lines: readonly string[], untilLogged: string, args: readonly string[] = []) => {
    const port = await reservePort();
    const file = join(authority.directory, `${name}.conf`);
    const shared = [
      'bind 127.0.0.1',
      'port 0',
      `tls-port ${port}`,
      `tls-cert-file ${tlsCertFile}`,
      `tls-key-file ${tlsKeyFile}`,
      `tls-ca-cert-file ${tlsCaFile}`,
      'tls-auth-clients no',
      'tls-replication yes',
      `dir ${authority.directory}`,
    ];
    await writeFile(file, `${[...shared, ...lines].join('\n')}\n`);
    children.push(await runRedis([file, ...args], untilLogged));
    return port;
  };
  const node = ['save ""', 'repl-diskless-sync-delay 0', `requirepass ${password}`, `masterauth ${password}`];
  const remove = async () => {
    await Promise.all(children.map(killRedis));
    authority.remove();
  };
  try {
    const primary = await run('primary', node, 'Ready to accept connections');
    await run('replica', [...node, `replicaof 127.0.0.1 ${primary}`], 'sync: Finished with success');
    const watching = [
      `sentinel monitor limits 127.0.0.1 ${primary} 1`,
      `sentinel auth-pass limits ${password}`,
      'sentinel down-after-milliseconds limits 500',
      `requirepass ${sentinelPassword}`,
    ];
    const sentinel = await run('sentinel', watching, '+slave', ['--sentinel']);
    return {
      settings: {
        CADASTRE_REDIS_URL: `rediss+sentinel://:${password}@127.0.0.1:${sentinel}/limits?sentinelPassword=${sentinelPassword}`,
        CADASTRE_STORE_CA_FILE: tlsCaFile,
      },
      signalPrimary: (name) => void children[0]!.kill(name),
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
