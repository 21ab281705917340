import { promisify } from 'node:util';
import { BadRequest, ErrorInfo, RequestInfo, RetryInfo, Status } from '@cadastre/proto/google-rpc';
import { Failure, Severity } from '@cadastre/proto/registry';
import {
  Client,
  credentials,
  type handleUnaryCall,
  Metadata,
  Server,
  ServerCredentials,
  type ServiceError as StatusError,
  status,
} from '@grpc/grpc-js';
import { expect, test } from 'vitest';
import {
  connect,
  type FailureKind,
  failureMessage,
  formatMessage,
  isUnimplemented,
  type RpcClient,
  ServiceError,
} from '../src/index.js';
import {
  afterwards,
  all,
  arithmetic,
  client,
  failureOf,
  type NumberHandlers,
  NumberService,
  serve,
} from './number-service.js';
import { inMemoryClient } from './testing.js';

const decoders: Record<string, { decode(bytes: Uint8Array): object }> = {
  'google.rpc.ErrorInfo': ErrorInfo,
  'google.rpc.BadRequest': BadRequest,
  'google.rpc.RetryInfo': RetryInfo,
  'google.rpc.RequestInfo': RequestInfo,
  'cadastre.registry.v1.Failure': Failure,
};

/** The error of a call by a client that is not ours. */
async function foreignError(double: NumberHandlers['double']): Promise<StatusError> {
  const { address } = await serve({ ...arithmetic, double });
  const foreign = new Client(address, credentials.createInsecure());
  afterwards(() => foreign.close());
  const { path, requestSerialize, responseDeserialize } = NumberService.double;
  const metadata = new Metadata();
  metadata.set('cadastre-request-id', 'request-7');
  return new Promise((resolve) => {
    foreign.makeUnaryRequest(path, requestSerialize, responseDeserialize, 1, metadata, (error) => resolve(error!));
  });
}

function statusIn(error: StatusError) {
  const { code, message, details } = Status.decode(error.metadata.get('grpc-status-details-bin')[0] as Buffer);
  const decoded = details.map(({ typeUrl, value }) => {
    const type = typeUrl.slice('type.googleapis.com/'.length);
    return [type, decoders[type]!.decode(value)];
  });
  return { code, message, details: Object.fromEntries(decoded) };
}

const about = (name: string, value: string) => ({ attribute: { name, value } });

test('a refused call gives any gRPC client the reason, the wrong attributes and the request identifier', async () => {
  const messages = [
    { ...failureMessage('%s is not a number', ['Zoë']), ...about('size', ' Zoë') },
    { ...failureMessage('Padded', [], Severity.SEVERITY_WARNING), ...about('name', ' x') },
    failureMessage('Nothing done'),
  ];
  const error = await foreignError(() => Promise.reject(new ServiceError('invalid', messages)));
  const text = 'Zoë is not a number; Padded; Nothing done';
  expect([error.code, error.details]).toEqual([status.INVALID_ARGUMENT, text]);
  expect(statusIn(error)).toEqual({
    code: status.INVALID_ARGUMENT,
    message: text,
    details: {
      'google.rpc.ErrorInfo': { reason: 'INVALID', domain: 'cadastre', metadata: {} },
      'google.rpc.RequestInfo': { requestId: 'request-7', servingData: '' },
      'google.rpc.BadRequest': {
        fieldViolations: [expect.objectContaining({ field: 'size', description: 'Zoë is not a number' })],
      },
      'cadastre.registry.v1.Failure': { messages, requestId: '' },
    },
  });
});

const inASecond = { retryDelay: { seconds: 1n, nanos: 0 } };

test.each<[FailureKind, string, object | undefined]>([
  ['exhausted', 'EXHAUSTED', undefined],
  ['unavailable', 'UNAVAILABLE', inASecond],
  ['not-found', 'NOT_FOUND', undefined],
  ['out-of-range', 'OUT_OF_RANGE', undefined],
])('a call that fails as %s gives the reason %s; says when to call again: %o', async (kind, reason, again) => {
  const { details } = statusIn(await foreignError(() => Promise.reject(new ServiceError(kind, 'No'))));
  expect(details['google.rpc.ErrorInfo']).toMatchObject({ reason });
  expect(details['google.rpc.RetryInfo']).toEqual(again);
});

test('a limit that a pause resets says when to call again, also to the callers of a caller', async () => {
  const limited = () => Promise.reject(new ServiceError('exhausted', 'At most 5', { waitingHelps: true }));
  const { address } = await serve({ ...arithmetic, double: limited });
  const { code, details } = statusIn(await foreignError(() => client(address).double(1)));
  expect(code).toBe(status.RESOURCE_EXHAUSTED);
  expect(details['google.rpc.RetryInfo']).toEqual(inASecond);
});

const many = Array.from({ length: 1000 }, (_, n) => ({
  ...failureMessage('%s is not a number', [`a${n}`]),
  ...about('size', 'ü'.repeat(20)),
}));

test.each([
  ['many messages', many],
  ['one long message', [failureMessage('%s is not a number', ['x'.repeat(100_000)])]],
  ['letters that take many bytes', [failureMessage('%s', ['漢'.repeat(900)]), ...many]],
  ['a character at the end of the text that is two for JavaScript', [failureMessage(`${'x'.repeat(499)}😀`)]],
  ['half a character', [failureMessage('x\ud83d')]],
])('trailers stay below 8 kB with %s', async (_, messages) => {
  const error = await foreignError(() => Promise.reject(new ServiceError('conflict', messages)));
  expect(error.code).toBe(status.ABORTED);
  const headers = { 'grpc-status': '10', 'grpc-message': encodeURI(error.details), ...error.metadata.toHttp2Headers() };
  const size = Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + String(value).length + 32, 0);
  expect(size).toBeLessThan(8192);
});

test('the last message counts those that do not fit', async () => {
  const { address } = await serve({ ...arithmetic, double: () => Promise.reject(new ServiceError('invalid', many)) });
  const { messages } = await failureOf(client(address).double(1));
  const last = messages.at(-1)!;
  expect(messages.length).toBeGreaterThan(10);
  expect(messages.slice(0, -1)).toEqual(many.slice(0, messages.length - 1));
  expect(formatMessage(last)).toBe(`${1001 - messages.length} further messages left out`);
});

const packed = (typeUrl: string) =>
  Status.encode({ code: 3, message: 'x', details: [{ typeUrl, value: Buffer.of(9) }] });

test.each([
  ['nothing', status.NOT_FOUND, undefined, 'not-found: No 100% object'],
  ['bytes that are not a Status', status.NOT_FOUND, Buffer.from('\xff'), 'not-found: No 100% object'],
  [
    'a detail of another system',
    status.NOT_FOUND,
    packed('type.googleapis.com/other.v1.Detail').finish(),
    'not-found: No 100% object',
  ],
  [
    'a broken Failure',
    status.NOT_FOUND,
    packed('type.googleapis.com/cadastre.registry.v1.Failure').finish(),
    'not-found: No 100% object',
  ],
  ['nothing, from a proxy', status.UNAVAILABLE, undefined, 'unavailable: Service temporarily unavailable'],
  ['nothing, from something broken', status.UNKNOWN, undefined, 'internal: Internal error'],
])('a client of ours takes code and text when the trailer holds %s', async (_, code, trailer, expected) => {
  const foreign = new Server();
  afterwards(() => foreign.forceShutdown());
  const metadata = new Metadata();
  if (trailer) metadata.set('grpc-status-details-bin', Buffer.from(trailer));
  const double: handleUnaryCall<number, number> = (_call, answer) =>
    answer({ code, details: 'No 100% object', metadata });
  foreign.addService({ double: NumberService.double }, { double });
  const bind = promisify(foreign.bindAsync.bind(foreign));
  const port = await bind('127.0.0.1:0', ServerCredentials.createInsecure());
  const error = await failureOf(client(`127.0.0.1:${port}`).double(1));
  expect(`${error.kind}: ${error.messages.map(formatMessage).join('; ')}`).toBe(expected);
});

/** The contract of a later release, with the path of a method that servers of this one do not have. */
const laterService = {
  ...NumberService,
  double: { ...NumberService.double, path: '/cadastre.test.v1.NumberService/Later' },
  countTo: { ...NumberService.countTo, path: '/cadastre.test.v1.NumberService/LaterToo' },
};
const refusing = () => Promise.reject(new ServiceError('unimplemented', 'There is no identity provider'));
type Requested = Pick<RpcClient<typeof NumberService>, 'double' | 'countTo'>;

test.each<[string, boolean, () => Promise<Requested>]>([
  [
    'does not know the method',
    true,
    async () => {
      const { address } = await serve(arithmetic);
      const later = connect(laterService, { address, deadlineMs: 60_000 });
      afterwards(() => later.close());
      return later;
    },
  ],
  ['in memory has no handler', true, async () => inMemoryClient(NumberService, {})],
  [
    'says that it has no such thing',
    false,
    async () => client((await serve({ ...arithmetic, double: refusing })).address),
  ],
])('a server that %s is one of the release before: %s', async (_, expected, connected) => {
  const { double, countTo } = await connected();
  const error = await failureOf(double(1));
  expect([error.kind, isUnimplemented(error)]).toEqual(['unimplemented', expected]);
  if (expected) expect(isUnimplemented(await failureOf(all(countTo(1))))).toBe(true);
});
