import { deflateSync, gzipSync } from 'node:zlib';
import type { FuzzedRequest } from './described-requests.js';
import { hostileValue } from './hostile-values.js';
import { pick, type Random } from './random.js';

type Mutation = (random: Random, request: FuzzedRequest) => void;

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE', 'PROPFIND', 'QUERY'];
const types = [
  'application/json',
  'application/xml',
  'text/plain',
  'text/html',
  '*/*',
  'application/*;q=0.1',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/pkcs7-mime',
  'application/json;charset=utf-16',
  'application/xml; charset="iso-8859-1"',
  'text/plain;charset=koi8-r',
  'text/plain;charset=utf-7',
];
const headerNames = [
  'accept',
  'accept-encoding',
  'authorization',
  'cadastre-serial',
  'client-cert',
  'content-encoding',
  'content-type',
  'cookie',
  'expect',
  'forwarded',
  'host',
  'if-none-match',
  'origin',
  'range',
  'sec-fetch-site',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-http-method-override',
  'x-request-id',
];
const pathEnds = [
  '.json',
  '.xml',
  '.txt',
  '.yaml',
  '/',
  '//',
  '/expanded',
  '/versions',
  '/versions/0',
  '/versions/1',
  '/x',
  '%2e%2e',
  ';a=b',
];
const pathStarts = ['/whois', '/WHOIS', '//', '/./', '/../', '/%2f', '/-/', '/metadata', '/search'];

const mutations: readonly Mutation[] = [
  (random, request) => {
    request.method = pick(random, methods);
  },
  (random, request) => {
    onPath(request, (path) => {
      const segments = path.split('/');
      segments[1 + random(Math.max(1, segments.length - 1))] = octets(random, hostileValue(random));
      return segments.join('/');
    });
  },
  (random, request) => {
    onPath(request, (path) => `${path}${pick(random, pathEnds)}`);
  },
  (random, request) => {
    onPath(request, (path) => `${pick(random, pathStarts)}${path}`);
  },
  (random, request) => {
    const name = pick(random, ['dry-run', 'unformatted', 'unfiltered', 'limit', 'offset', 'flags', 'source', 'reason']);
    addQuery(request, `${name}=${octets(random, hostileValue(random))}`);
  },
  (random, request) => {
    addQuery(request, `query-string=${octets(random, hostileValue(random))}`);
  },
  (random, request) => {
    addQuery(
      request,
      pick(random, ['password=x', 'override=a,b', '=', '&&&', '%', '%00=%ff', 'a[b]=c', 'a=1;b=2', '?']),
    );
  },
  (random, request) => {
    const at = random(request.target.length);
    request.target = request.target.slice(0, at) + octets(random, hostileValue(random)) + request.target.slice(at + 1);
    if (!request.target.startsWith('/')) request.target = `/${request.target}`;
  },
  (random, request) => {
    request.headers[pick(random, ['accept', 'content-type'])] = pick(random, types);
  },
  (random, request) => {
    request.headers[pick(random, headerNames)] = headerValue(hostileValue(random));
  },
  (random, request) => {
    request.headers['if-none-match'] = pick(random, ['*', '"x"', 'W/"x"', '"', ',,,']);
  },
  (random, request) => {
    const secret = Buffer.from(hostileValue(random)).toString('base64');
    request.headers.authorization = pick(random, [`Basic ${secret}`, `Bearer ${secret}`, 'Basic', 'Digest x', '']);
  },
  (_random, request) => {
    delete request.headers.authorization;
  },
  (_random, request) => {
    delete request.headers['content-type'];
  },
  (random, request) => {
    onBody(request, (body) => body.subarray(0, random(body.length + 1)));
  },
  (random, request) => {
    onBody(request, (body) => {
      const copy = Buffer.from(body);
      for (let times = 1 + random(8); times > 0 && copy.length > 0; times--) copy[random(copy.length)] = random(256);
      return copy;
    });
  },
  (random, request) => {
    onBody(request, (body) => spliced(random, body, Buffer.from(hostileValue(random))));
  },
  (random, request) => {
    onBody(request, (body) => spliced(random, body, body.subarray(random(body.length + 1))));
  },
  (random, request) => {
    onBody(request, (body) =>
      Buffer.from(body.toString('utf8').replace(/"[^"]*"/, JSON.stringify(hostileValue(random)))),
    );
  },
  (random, request) => {
    const depth = 1 + random(5000);
    const [open, close] = pick(random, [
      ['[', ']'],
      ['{"objects":', '}'],
      ['<a>', '</a>'],
      ['(', ')'],
    ] as const);
    request.body = Buffer.from(open.repeat(depth) + close.repeat(random(depth)));
  },
  (random, request) => {
    onBody(request, (body) =>
      Buffer.from(body.toString('utf8'), pick(random, ['utf16le', 'latin1', 'ascii', 'base64'])),
    );
  },
  (random, request) => {
    const [coding, encode] = pick(random, [
      ['gzip', gzipSync],
      ['deflate', deflateSync],
      ['gzip', Buffer.from],
      ['br', gzipSync],
    ] as const);
    request.headers['content-encoding'] = coding;
    onBody(request, (body) => encode(body));
  },
  (random, request) => {
    request.body = Buffer.from(Array.from({ length: random(300) }, () => random(256)));
  },
  (_random, request) => {
    request.body = undefined;
  },
];

/** Changes a request in one to four ways. */
export function mutate(random: Random, request: FuzzedRequest): FuzzedRequest {
  const mutated = { ...request, headers: { ...request.headers } };
  for (let times = 1 + random(4); times > 0; times--) pick(random, mutations)(random, mutated);
  return mutated;
}

function onPath(request: FuzzedRequest, change: (path: string) => string): void {
  const mark = request.target.indexOf('?');
  const path = mark < 0 ? request.target : request.target.slice(0, mark);
  request.target = change(path) + (mark < 0 ? '' : request.target.slice(mark));
}

function addQuery(request: FuzzedRequest, pair: string): void {
  request.target += `${request.target.includes('?') ? '&' : '?'}${pair}`;
}

function onBody(request: FuzzedRequest, change: (body: Buffer) => Buffer): void {
  if (request.body !== undefined) request.body = change(request.body);
}

function spliced(random: Random, body: Buffer, piece: Buffer): Buffer {
  const at = random(body.length + 1);
  return Buffer.concat([body.subarray(0, at), piece, body.subarray(at)]);
}

/** One of the possible forms of a value in a URL: encoded, encoded twice, or raw, in UTF-8 or latin-1. */
function octets(random: Random, value: string): string {
  const utf8 = Buffer.from(value).toString('latin1');
  const encoded = [...utf8].map((one) => `%${one.charCodeAt(0).toString(16).padStart(2, '0')}`).join('');
  return pick(random, [
    encoded,
    encoded,
    encodeURIComponent(value.toWellFormed()),
    encoded.replaceAll('%', '%25'),
    utf8,
    value.replace(/[^\0-\xff]/g, '?'),
  ]);
}

/** Cuts a value at the first character that no client or server accepts in a header. */
function headerValue(value: string): string {
  return Buffer.from(value.replace(/[\0\r\n]/g, ''))
    .toString('latin1')
    .slice(0, 2000);
}
