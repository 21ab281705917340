import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { eventually } from '../harness/eventually.js';
import type { Other } from '../harness/traffic.js';
import type { RunRecord } from './record.js';
import type { Registries } from './registries.js';

/** Who hears of changes: a mail server and the receiver of a webhook. */
export interface Receivers {
  /** Mails by address. */
  readonly mails: ReadonlyMap<string, number>;
  /** Serials of which the webhook reported, with the number of times. */
  readonly events: ReadonlyMap<number, number>;
  /** The serial after which the webhook began. */
  readonly firstSerial: number;
  /** Replaces the secret of the webhook. */
  rotateSecret(): Promise<void>;
  close(): void;
}

export async function startReceivers({ main, mail, balancer }: Registries, record: RunRecord): Promise<Receivers> {
  const mails = new Map<string, number>();
  mail.beforeAccept = ({ to }) => {
    mails.set(to, (mails.get(to) ?? 0) + 1);
    mail.mails.length = 0;
  };
  const client = balancer.createClient();
  const call = async (path: string, body: object | undefined, method: string) => {
    const other: Other = { method, headers: { authorization: `Basic ${main.credential}` } };
    const sent = await client.send(path, body && JSON.stringify(body), other);
    if (sent.status !== 200) throw new Error(`${method} ${path}: ${sent.status} ${sent.text}`);
    return JSON.parse(sent.text);
  };

  const events = new Map<number, number>();
  let last = 0;
  let verify = (_body: string, _headers: Record<string, string>): unknown => ({});
  const trust = (secret: string) => {
    const webhook = new Webhook(secret);
    verify = (body, headers) => webhook.verify(body, headers);
  };
  const server = createServer((request, response) => {
    void request.toArray().then(
      (pieces) => {
        const body = Buffer.concat(pieces).toString();
        try {
          verify(body, request.headers as Record<string, string>);
        } catch (error) {
          record.note(`an event of the webhook has a wrong signature: ${String(error)}`);
          return response.writeHead(401).end();
        }
        const { serial } = JSON.parse(body) as { serial?: number };
        if (serial !== undefined) {
          if (last > 0 && serial > last + 1) record.note(`LOST: the webhook has ${serial} after ${last}`);
          events.set(serial, (events.get(serial) ?? 0) + 1);
          last = Math.max(last, serial);
        }
        return response.writeHead(204).end();
      },
      () => {},
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const made = await eventually(() => call('/webhooks', { url, source: 'TEST' }, 'POST'));
  const path = `/webhooks/${made.webhook.id}`;
  trust(made.secret);
  await eventually(async () => {
    const { state } = (await call(path, undefined, 'GET')).webhook;
    if (state !== 'active') throw new Error(`the webhook is ${state}`);
  });
  last = made.webhook.serial;
  return {
    mails,
    events,
    firstSerial: made.webhook.serial,
    async rotateSecret() {
      trust((await call(`${path}/secret`, undefined, 'POST')).secret);
      await call(`${path}/deliveries`, { test: true }, 'POST');
    },
    close() {
      client.close();
      server.close();
    },
  };
}
