import { createPublicKey, verify } from 'node:crypto';
import { WebhookSignature } from '@cadastre/proto/objects';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { signedHeaders } from './endpoint.js';

const { WEBHOOK_SIGNATURE_V1: v1, WEBHOOK_SIGNATURE_V1A: v1a } = WebhookSignature;
const secret = Buffer.from('0123456789abcdef01234567');
const other = Buffer.alloc(32, 7);
const instant = new Date(1_700_000_000_999);

test('a request has the signature that libraries of Standard Webhooks expect', () => {
  const event = { id: 'evt_1', body: '{"type":"object.modified","n":1}', instant };
  expect(signedHeaders({ signature: v1, secrets: [secret] }, event)).toEqual({
    'webhook-id': 'evt_1',
    'webhook-timestamp': '1700000000',
    'webhook-signature': 'v1,7KLBTmppLvCaAuSeEDJu56w9zFO0VUYSxmwHHgohaF0=',
  });
});

test('during a rotation both secrets verify, and no other one', () => {
  const event = { id: 'TEST-1', body: '{"a":"ü"}', instant: new Date() };
  const headers = signedHeaders({ signature: v1, secrets: [other, secret] }, event);
  const verified = (key: Buffer) => () => new Webhook(`whsec_${key.toString('base64')}`).verify(event.body, headers);
  expect(verified(secret)()).toEqual({ a: 'ü' });
  expect(verified(other)()).toEqual({ a: 'ü' });
  expect(verified(Buffer.alloc(32, 8))).toThrow('No matching signature');
});

test('v1a is an Ed25519 signature', () => {
  // RFC 8032 section 7.1, test 1.
  const seed = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex');
  const spki = Buffer.from('302a300506032b6570032100', 'hex');
  const published = Buffer.from('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a', 'hex');
  const key = createPublicKey({ key: Buffer.concat([spki, published]), format: 'der', type: 'spki' });
  const event = { id: 'TEST-1', body: '{}', instant };
  const [kind, signature = ''] = signedHeaders({ signature: v1a, secrets: [seed] }, event)['webhook-signature']!.split(
    ',',
  );
  expect(kind).toBe('v1a');
  const signed = Buffer.from('TEST-1.1700000000.{}');
  expect(verify(null, signed, key, Buffer.from(signature, 'base64'))).toBe(true);
});
