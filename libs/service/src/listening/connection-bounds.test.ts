import { EventEmitter } from 'node:events';
import { describe, expect, test } from 'vitest';
import { createConnectionBounds } from './connection-bounds.js';

/** A connection of a client, named as its prefix and a number: "a1"; one without bounds: "-1". */
class Connection extends EventEmitter {
  bytesRead = 0;
  readonly bytesWritten = 0;
  isDestroyed = false;
  constructor(readonly remoteAddress: string) {
    super();
  }
  destroy() {
    this.isDestroyed = true;
    this.emit('close');
  }
}

function boundsOf(perClient = Number.POSITIVE_INFINITY) {
  let evictions = 0;
  const bounds = createConnectionBounds({
    perClient,
    networksOf: (address = '') =>
      address.startsWith('-')
        ? undefined
        : { id: address, wider: [{ id: address.slice(0, 1), times: 2 }], prefix: address.slice(0, 1) },
    onEvicted: () => evictions++,
  });
  const open = (port: ReturnType<typeof bounds.port>, client: string) => {
    const connection = new Connection(client);
    const admitted = port.admit(connection);
    if (typeof admitted === 'string') return { connection, refused: admitted };
    connection.once('close', admitted);
    return { connection, refused: undefined };
  };
  return { bounds, open, evictions: () => evictions };
}

describe('connections of a client', () => {
  test('are bounded on all ports together, and those of the network around it at a multiple', () => {
    const { bounds, open } = boundsOf(2);
    const ports = [bounds.port(100), bounds.port(100)];
    const opened = ['a1', 'a1', 'a1', 'a2', 'a2', 'a3', 'b1', '-1', '-1', '-1'].map((client, n) =>
      open(ports[n % 2]!, client),
    );
    expect(opened.map(({ refused }) => refused ?? 'open')).toEqual([
      'open',
      'open',
      'client',
      'open',
      'open',
      'client',
      'open',
      'open',
      'open',
      'open',
    ]);
    opened[0]!.connection.destroy();
    expect(open(ports[1]!, 'a3').refused).toBeUndefined();
    expect(open(ports[1]!, 'a3').refused).toBe('client');
  });
});

describe('on a full port', () => {
  test.each<[string, string[], string, string | undefined]>([
    ['the idlest of the largest prefix goes', ['b1', 'a1', 'a2', 'a3'], 'c1', 'a1'],
    ['also for one of another large prefix', ['b1', 'b2', 'a1', 'a2', 'a3'], 'b3', 'a1'],
    ['none goes for the largest prefix', ['b1', 'a1', 'a2', 'a3'], 'a4', undefined],
    ['none goes for one as large', ['b1', 'b2', 'a1', 'a2'], 'b3', undefined],
    ['one goes for a newcomer without bounds', ['b1', 'a1', 'a2'], '-1', 'a1'],
    ['none goes that has no bounds', ['-1', '-2', '-3'], 'a1', undefined],
  ])('%s', (_what, clients, newcomer, gone) => {
    const { bounds, open, evictions } = boundsOf();
    const port = bounds.port(clients.length);
    const opened = clients.map((client) => open(port, client).connection);
    expect(open(port, newcomer).refused).toBe(gone === undefined ? 'port' : undefined);
    const destroyed = opened.filter(({ isDestroyed }) => isDestroyed);
    expect(destroyed.map(({ remoteAddress }) => remoteAddress)).toEqual(gone === undefined ? [] : [gone]);
    expect(evictions()).toBe(destroyed.length);
    expect(port.count()).toBe(clients.length);
  });

  test('a connection with traffic goes after those without', () => {
    const { bounds, open } = boundsOf();
    const port = bounds.port(4);
    const [first, second, third, fourth] = ['a1', 'a2', 'a3', 'a4'].map((client) => open(port, client).connection);
    const gone = () => [first!, second!, third!, fourth!].filter(({ isDestroyed }) => isDestroyed);
    first!.bytesRead = 10;
    third!.bytesRead = 10;
    open(port, 'b1');
    expect(gone()).toEqual([second]);
    first!.bytesRead = 20;
    open(port, 'b2').connection.destroy();
    expect(gone()).toEqual([second, fourth]);
  });

  test('a flood from many prefixes costs a few looks for each connection', () => {
    const { bounds, open, evictions } = boundsOf();
    const port = bounds.port(5_000);
    let looks = 0;
    for (let n = 0; n < 5_000; n++) {
      const { connection } = open(port, `a${n}`);
      Object.defineProperty(connection, 'bytesRead', { get: () => looks++ });
    }
    looks = 0;
    for (let n = 0; n < 2_000; n++) expect(open(port, `b${n}`).refused).toBeUndefined();
    expect(evictions()).toBe(2_000);
    expect(looks).toBeLessThan(2_000 * 40);
    expect(port.count()).toBe(5_000);
  });
});
