import { type AnswerLineResponse, SetServiceService } from '@cadastre/proto/whois';
import { type Call, connect, createAnswerMemory, formatMessage, ServiceError } from '@cadastre/service';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { type Dialect, newIrrdState } from '../src/dialect.js';
import { answerLine } from '../src/rpc/answer-line.js';
import { createRegistry } from './registry.fixture.js';
import { type RunningWhois, startWhois } from './whois.fixture.js';

const prefixes = Array.from({ length: 20_000 }, (_, n) => `10.${n >> 8}.${n & 255}.0/24`);
const texts = `
as-set: AS-EX
members: AS64500, AS64501
mnt-by: A-MNT
source: TEST

${prefixes.map((prefix) => `route: ${prefix}\norigin: AS64501\nmnt-by: A-MNT\nsource: TEST`).join('\n\n')}

route: 192.0.2.0/24
origin: AS64500
mnt-by: A-MNT
source: TEST
`;

let whois: RunningWhois;
const clients: { close(): void }[] = [];

beforeAll(async () => {
  const registry = createRegistry(['TEST']);
  registry.put(texts);
  whois = await startWhois(registry, { CADASTRE_WHOIS_NRTM_CLIENTS: '192.0.2.0/24' });
});
afterAll(() => {
  for (const client of clients) client.close();
  return whois.stop();
});

async function answerTo(line: string, clientAddress = '192.0.2.7'): Promise<string> {
  const sets = connect(SetServiceService, { address: whois.address, deadlineMs: 60_000 });
  clients.push(sets);
  const parts: Buffer[] = [];
  for await (const { data } of sets.answerLine({ line, clientAddress })) parts.push(data);
  return Buffer.concat(parts).toString('latin1');
}

it.each([
  ['!gAS64500', '192.0.2.0/24\n'],
  ['!gAS64501', `${prefixes.join(' ')}\n`],
  ['!iAS-EX,1', 'AS64500 AS64501\n'],
  ['!r192.0.2.0/24,o', 'AS64500\n'],
  ['-V example !gAS64500', '192.0.2.0/24\n'],
])('a command has its data alone: %s', async (line, data) => {
  expect(await answerTo(line)).toBe(data);
});

test('a RIPE-style query has the answer of port 43', async () => {
  expect(await answerTo('-t route')).toMatch(/^%[\s\S]*route:\s+\[mandatory\][\s\S]*\n\n$/);
});

it.each([
  ['!gAS64999', 'not-found', 'No data'],
  ['!!', 'not-found', 'No data'],
  ['!z', 'invalid', 'Unrecognised command: z'],
  ['!gAS64500\n!gAS64501', 'invalid', 'More than one line'],
  [`!g${'A'.repeat(2000)}`, 'invalid', 'The line is too long'],
  ['-k -g TEST:3:1-LAST', 'invalid', 'Streams without end are on port 43 only'],
])('%s is %s', async (line, kind, text) => {
  const error = await answerTo(line).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(ServiceError);
  expect([error.kind, formatMessage(error.messages[0])]).toEqual([kind, text]);
});

test('a client needs an IP address', async () => {
  await expect(answerTo('!gAS64500', 'example')).rejects.toThrow('No IP address of a client');
});

describe('an answer whose client stops to read', () => {
  const bytes = 100 * 1024;
  let now = 0;
  const memory = createAnswerMemory({ maxBytes: 3 * bytes, maxBytesPerClient: 3 * bytes, now: () => now });

  /** Answers each line with pieces; `released` has the lines whose pieces were released. */
  function answering(released: string[]) {
    const dialect: Dialect = (line, state) => {
      async function* body() {
        try {
          for (;;) yield Buffer.alloc(bytes);
        } finally {
          released.push(line);
        }
      }
      return { body: body(), state };
    };
    const initial = { staysOpen: false, idle: { ms: 1_000 }, irrd: newIrrdState(['TEST']) };
    return answerLine({ dialect, initial, memory, clientOf: (address) => address });
  }

  test('is released at once when others need its memory, and its next read fails', async () => {
    const released: string[] = [];
    const answer = answering(released);
    const call = { signal: new AbortController().signal, caller: 'gateway' } as Call;
    const open = (line: string, n: number) => {
      const request = { line, clientAddress: `192.0.2.${n}` };
      return answer(request, call)[Symbol.asyncIterator]() as AsyncGenerator<AnswerLineResponse>;
    };
    const slow = open('slow', 1);
    expect((await slow.next()).value.data).toHaveLength(bytes);
    now += 20_000;
    const others = ['second', 'third', 'fourth'].map((line, n) => open(line, n + 2));
    for (const other of others) await other.next();
    await expect.poll(() => released).toEqual(['slow']);
    await expect(slow.next()).rejects.toThrow('The answer was read too slowly');
    for (const other of others) await other.return(undefined);
    expect(released).toEqual(['slow', 'second', 'third', 'fourth']);
  });
});
