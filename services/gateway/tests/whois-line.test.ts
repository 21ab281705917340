import type { AnswerLineRequest, AnswerLineResponse } from '@cadastre/proto/whois';
import { ServiceError } from '@cadastre/service';
import { afterAll, afterEach, beforeAll, expect, it, test } from 'vitest';
import { exampleAuth, exampleReader, type RunningGateway, startGateway } from './gateway.fixture.js';

let gateway: RunningGateway;
const requested: AnswerLineRequest[] = [];
let answer: () => Iterable<AnswerLineResponse>;

beforeAll(async () => {
  gateway = await startGateway({
    reader: exampleReader,
    auth: exampleAuth,
    sets: {
      async *answerLine(request) {
        requested.push(request);
        yield* answer();
      },
    },
  });
});
afterEach(() => void requested.splice(0));
afterAll(() => gateway.stop());

const parts = ['AS64500 ', 'AS64501\n'].map((text) => ({ data: Buffer.from(text) }));

it.each(['/v1/whois?q=!iAS-EX%2C1', '/v1/whois/?q=!iAS-EX,1', '/whois/v1/whois?q=%21iAS-EX%2C1'])(
  'a line is answered: %s',
  async (url) => {
    answer = () => parts;
    const { status, headers, text } = await gateway.send(url);
    expect([status, headers['content-type'], text]).toEqual([
      200,
      'text/plain;charset=iso-8859-1',
      'AS64500 AS64501\n',
    ]);
    expect(requested).toEqual([{ line: '!iAS-EX,1', clientAddress: '127.0.0.1' }]);
  },
);

it.each([
  ['not-found', 204, ''],
  ['invalid', 400, 'Unrecognised command: z'],
  ['out-of-range', 400, 'Unrecognised command: z'],
  ['unavailable', 503, ''],
] as const)('a failure that is %s has the status %i', async (kind, status, said) => {
  answer = () => {
    throw new ServiceError(kind, 'Unrecognised command: z');
  };
  const sent = await gateway.send('/v1/whois?q=!z');
  expect([sent.status, sent.text]).toEqual([status, expect.stringContaining(said)]);
  expect(sent.headers['content-length']).toBe(status === 204 ? undefined : String(Buffer.byteLength(sent.text)));
});

test('a response that fails after its beginning is cut', async () => {
  answer = function* () {
    yield parts[0]!;
    throw new ServiceError('unavailable', 'The answer was read too slowly');
  };
  await expect(gateway.send('/v1/whois?q=!gAS64500')).rejects.toThrow();
});

it.each(['/v1/whois', '/v1/whois?q='])('a request without a line is refused: %s', async (url) => {
  const { status } = await gateway.send(url);
  expect([status, requested]).toEqual([400, []]);
});
