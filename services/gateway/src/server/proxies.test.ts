import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createTrustedProxies } from './proxies.js';

const trustedProxies = ['198.51.100.0/24', '2001:db8:ffff::/48'];

function request(remoteAddress: string, headers: IncomingMessage['headers'], encrypted = false) {
  return { socket: { remoteAddress, encrypted }, headers } as unknown as IncomingMessage;
}

describe('X-Forwarded-For and X-Forwarded-Proto', () => {
  const proxies = createTrustedProxies({ trustedProxies });
  const from = (peer: string, addresses?: string, schemes?: string, encrypted = false) =>
    proxies.clientOf(
      request(
        peer,
        {
          ...(addresses === undefined ? {} : { 'x-forwarded-for': addresses }),
          ...(schemes === undefined ? {} : { 'x-forwarded-proto': schemes }),
        },
        encrypted,
      ),
    );

  it.each([
    ['nobody forwards: the peer counts', from('192.0.2.1'), '192.0.2.1', false],
    ['an IPv4 peer of a socket for both families', from('::ffff:192.0.2.1'), '192.0.2.1', false],
    ['a peer that is no trusted proxy is not believed', from('192.0.2.1', '203.0.113.9', 'https'), '192.0.2.1', false],
    ['a trusted proxy is believed', from('198.51.100.1', '203.0.113.9', 'https'), '203.0.113.9', true],
    ['so it is by IPv6', from('2001:db8:ffff::1', '2001:db8::9', 'HTTPS'), '2001:db8::9', true],
    [
      'so it is when it speaks HTTPS for a client that does not',
      from('198.51.100.1', '203.0.113.9', 'http', true),
      '203.0.113.9',
      false,
    ],
    [
      'without a scheme that of the connection counts',
      from('198.51.100.1', '203.0.113.9', undefined, true),
      '203.0.113.9',
      true,
    ],
    ['a scheme alone', from('198.51.100.1', undefined, 'https'), '198.51.100.1', true],
    [
      'what the client claims itself does not count',
      from('198.51.100.1', '10.0.0.1, 203.0.113.9', 'http'),
      '203.0.113.9',
      false,
    ],
    ['nor its scheme', from('198.51.100.1', '203.0.113.9', 'https, http'), '203.0.113.9', false],
    [
      'a chain of trusted proxies',
      from('198.51.100.1', '203.0.113.9, 198.51.100.2', 'https, http'),
      '203.0.113.9',
      true,
    ],
    [
      'a chain of which one knows the scheme',
      from('198.51.100.1', '203.0.113.9, 198.51.100.2', 'https'),
      '203.0.113.9',
      true,
    ],
    [
      'a client that claims to be a trusted proxy',
      from('198.51.100.1', '10.0.0.1, 203.0.113.9, 198.51.100.2'),
      '203.0.113.9',
      false,
    ],
    ['ports are left out', from('198.51.100.1', '203.0.113.9:4711'), '203.0.113.9', false],
    ['ports behind brackets too', from('198.51.100.1', '[2001:db8::9]:4711'), '2001:db8::9', false],
    ['what is no address is nobody', from('198.51.100.1', '203.0.113.9, nonsense'), '198.51.100.1', false],
    ['empty headers', from('198.51.100.1', ' , ', ''), '198.51.100.1', false],
    [
      'trusted all the way: the outermost one',
      from('198.51.100.1', '198.51.100.3, 198.51.100.2'),
      '198.51.100.3',
      false,
    ],
  ])('%s', (_rule, client, address, secure) => {
    expect(client).toEqual({ address, secure });
  });

  it('Forwarded is not looked at', () => {
    const headers = { forwarded: 'for=203.0.113.9;proto=https' };
    expect(proxies.clientOf(request('198.51.100.1', headers))).toEqual({ address: '198.51.100.1', secure: false });
  });
});
