import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createMetrics } from '@cadastre/service';
import { testLogger } from '@cadastre/service/testing';
import { createTransport } from 'nodemailer';
import { afterEach, expect, test } from 'vitest';
import { bounceListener, type ListenerBounds } from '../src/mail/bounce-listener.js';
import { notification, outboxOf } from './outbox.fixture.js';
import { absence, postfixDelayed, postfixUnknown } from './returned-mails.fixture.js';

const { bounceToken, unsubscribeToken } = notification();
const bounce = `bounce+${bounceToken}@r.example`;
const unsubscribe = `unsubscribe+${unsubscribeToken}@r.example`;

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

async function listen(bounds: Partial<ListenerBounds> = {}) {
  const outbox = outboxOf([]);
  const metrics = createMetrics('events');
  const options = { listen: '127.0.0.1:0', domain: 'r.example', logger: testLogger(), metrics, outbox, bounds };
  const listener = bounceListener(options);
  await listener.start();
  cleanups.push(() => listener.stop());
  const port = Number(listener.address().split(':').at(-1));
  const client = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
  cleanups.push(() => client.close());
  /** Delivers as a mail server does; the code of its answer. */
  const deliver = (to: string | string[], raw: string, from = ''): Promise<number> =>
    client.sendMail({ envelope: { from, to }, raw: raw.replaceAll('\n', '\r\n') }).then(
      ({ response }) => Number(response.slice(0, 3)),
      (error: { responseCode?: number }) => error.responseCode ?? 0,
    );
  const counted = async () => {
    const { values } = await metrics.getSingleMetric('cadastre_mail_bounces_total')!.get();
    return Object.fromEntries(values.map(({ labels, value }) => [labels.class, value]));
  };
  const dial = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1')
      .setEncoding('latin1')
      .on('error', () => {});
    cleanups.push(() => socket.destroy());
    await once(socket, 'connect');
    return socket;
  };
  return { outbox, deliver, counted, dial };
}

const unknown = bounce.replace(/[0-9a-f]{20}/, '0'.repeat(20));

test.each<[string, to: string, raw: string, reported: string[], counted: Record<string, number>]>([
  ['a hard bounce is reported', bounce, postfixUnknown, ['bounce'], { hard: 1 }],
  ['whatever the case of its letters', bounce.toUpperCase(), postfixUnknown, ['bounce'], { hard: 1 }],
  ['a soft bounce is counted', bounce, postfixDelayed, [], { soft: 1 }],
  ['an automatic answer is dropped', bounce, absence, [], { other: 1 }],
  ['a mail unsubscribes by its token', unsubscribe, 'From: noc@example.org\n\n', ['unsubscribe'], { unsubscribe: 1 }],
  ['whatever it says', unsubscribe, postfixUnknown, ['unsubscribe'], { unsubscribe: 1 }],
  ['too deeply nested parts are dropped', bounce, nested(50), [], { other: 1 }],
  ['an empty mail is dropped', bounce, '', [], { other: 1 }],
])('%s', async (_what, to, raw, reported, expected) => {
  const { outbox, deliver, counted } = await listen();
  expect(await deliver(to, raw)).toBe(250);
  expect(outbox.reported).toEqual(reported);
  expect(await counted()).toEqual(expected);
});

function nested(depth: number): string {
  const open = Array.from(
    { length: depth },
    (_, at) => `Content-Type: multipart/report; boundary="b${at}"\n\n--b${at}\n`,
  );
  return `Subject: x\n${open.join('')}Content-Type: message/delivery-status\n\nAction: failed\nStatus: 5.1.1\n`;
}

test.each([
  unknown,
  `unsubscribe+${crypto.randomUUID()}@r.example`,
  `unsubscribe+${bounceToken}@r.example`,
  `bounce+${unsubscribeToken}@r.example`,
])('a mail to %s, without a valid token, is refused before it is sent', async (to) => {
  const { outbox, counted, dial } = await listen();
  const socket = await dial();
  const say = async (line: string) => {
    socket.write(`${line}\r\n`);
    return String((await once(socket, 'data'))[0]).slice(0, 3);
  };
  await once(socket, 'data');
  expect([await say('HELO x'), await say('MAIL FROM:<>'), await say(`RCPT TO:<${to}>`)]).toEqual(['250', '250', '550']);
  expect(await say('DATA')).toBe('503');
  expect([outbox.reported, await counted()]).toEqual([[], { unknown: 1 }]);
});

test('who tries tokens is sent away', async () => {
  const { dial } = await listen({ unknownRecipients: 3 });
  const socket = await dial();
  const answers: string[] = [];
  await once(socket, 'data');
  socket.on('data', (data) => answers.push(...String(data).trim().split('\r\n')));
  socket.write(['HELO x', 'MAIL FROM:<>', ...Array(5).fill(`RCPT TO:<${unknown}>`), ''].join('\r\n'));
  await once(socket, 'close');
  expect(answers.map((answer) => answer.slice(0, 3))).toEqual(['250', '250', '550', '550', '550', '421']);
});

test.each([
  'postmaster@r.example',
  'bounce@r.example',
  'bounce+@r.example',
  'bounce+a+b@r.example',
  bounce.replace('r.example', 'example.org'),
  'unsubscribe@r.example',
  unsubscribe.replace('r.example', 'example.org'),
])('mails to %s are refused: this is no relay', async (to) => {
  const { deliver, outbox } = await listen();
  expect(await deliver(to, postfixUnknown)).toBe(550);
  expect(outbox.reported).toEqual([]);
});

test('while objects is unavailable, the mail server keeps the mail', async () => {
  const { outbox, deliver, counted } = await listen();
  outbox.setDown(true);
  expect(await deliver(bounce, postfixUnknown)).toBe(451);
  outbox.setDown(false);
  expect(await deliver(bounce, postfixUnknown)).toBe(250);
  expect([outbox.reported, await counted()]).toEqual([['bounce'], { hard: 1 }]);
});

test('a mail with more than its report is read only so far', async () => {
  const { outbox, deliver } = await listen();
  const large = postfixUnknown.replace('This is an automatic', `${'x'.repeat(70)}\n`.repeat(20_000));
  expect(await deliver(bounce, large)).toBe(250);
  expect(outbox.reported).toEqual(['bounce']);
});

test('larger mails, more mails and more recipients are refused', async () => {
  const { deliver, outbox, counted } = await listen({ mailBytes: 10_000, mailsPerMinute: 2, recipientsPerMail: 1 });
  expect(await deliver(bounce, `${postfixUnknown}${'x\n'.repeat(10_000)}`)).toBe(552);
  expect(await deliver([bounce, unsubscribe], absence)).toBe(250);
  expect(await counted()).toEqual({ other: 1 });
  expect(await deliver(bounce, absence)).toBe(451);
  expect(outbox.reported).toEqual([]);
});

test('further connections are refused, and slow ones end', async () => {
  const { dial } = await listen({ connections: 2, connectionMs: 300 });
  const sockets = [await dial(), await dial()];
  const closed = sockets.map((socket) => once(socket, 'close'));
  for (const socket of sockets) expect((await once(socket, 'data'))[0]).toMatch(/^220 /);
  const third = await dial();
  expect((await once(third, 'data'))[0]).toMatch(/^421 /);
  await Promise.all(closed);
});
