import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { CertificateWithKey } from '../../../../services/gateway/src/server/self-signed.js';
import { selfSignedClient } from '../../../../services/gateway/tests/client-identity.fixture.js';
import { keyCertText } from '../harness/client-identity.js';
import { eventually } from '../harness/eventually.js';
import type { ClusterClient, Other, Sent } from '../harness/traffic.js';
import { jsonBody } from '../harness/whois.js';
import { type Actor, every } from './load.js';
import type { RunRecord } from './record.js';
import type { Registries } from './registries.js';

/** A write that the registry acknowledged. */
export interface Acknowledged {
  readonly key: string;
  readonly type: 'as-set' | 'person';
  readonly action: 'create' | 'update' | 'delete';
  /** In the remarks of the new state; of a deletion that of the deleted one. */
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Clients that write, each one write at a time. */
export interface Writers {
  readonly acknowledged: readonly Acknowledged[];
  /** Address that gets mails about the creation of a person. */
  addressOf(key: string): string;
  /** Writes with this credential from now on. */
  useCredential(credential: string): void;
  /** Lets each write be answered, and stops. */
  stop(): Promise<void>;
}

/** The maintainer of what is written. Its persons notify only their own address. */
export const maintainer = 'ENDURE-MNT';

const letters = ['A', 'B'];
const writesPerSecond = 1;
const setsOfEach = 20;
const dayMs = 86_400_000;
/** A request is repeated for so long; then its effect is unknown. */
const maxRepeatMs = 300_000;

const addressOf = (key: string) => `${key.toLowerCase()}@example.net`;

/**
 * Makes the maintainer, and confirms the addresses of so many writes: others would get only a request to confirm.
 * Returns a client certificate that may write as well.
 */
export async function prepareWriters(
  { main, directory, balancer }: Registries,
  writes: number,
): Promise<CertificateWithKey> {
  const file = join(directory, 'addresses.txt');
  const keys = letters.flatMap((letter) => Array.from({ length: writes }, (_, n) => `E${letter}${n}-TEST`));
  await writeFile(file, keys.map((key) => `${addressOf(key)}\n`).join(''));
  await main.cadastre('email', 'confirm', '--file', file);
  const client = balancer.createClient();
  const certificate = await selfSignedClient('endurance', -dayMs, 30 * dayMs);
  const create = (type: string, text: string) =>
    eventually(async () => {
      const created = await client.send(`/TEST/${type}`, jsonBody(text));
      // 409: an earlier attempt had no answer.
      if (created.status === 200 || created.status === 409) return created.text;
      throw new Error(`a ${type} was refused: ${created.status} ${created.text}`);
    });
  const [keyCert] = /X509-\d+/.exec(await create('key-cert', keyCertText('AUTO-1', certificate.cert)))!;
  await create('mntner', mntnerText(keyCert));
  client.close();
  return certificate;
}

/**
 * Starts the writers: sets that are created, changed and deleted, which followers get, and persons, which send mails.
 * One changes and deletes with the client certificate. Only an account may repeat a creation.
 */
export function startWriters(
  { main, balancer }: Registries,
  record: RunRecord,
  certificate: CertificateWithKey,
): Writers {
  const acknowledged: Acknowledged[] = [];
  let credential = main.credential;
  let isStopping = false;
  const actors: Actor[] = letters.map((letter, at) => {
    const account = balancer.createClient();
    const certified = letter === 'B' ? balancer.createClient(certificate) : account;
    const send = (write: Planned, id: string) => {
      const client = write.action === 'create' ? account : certified;
      return sendWrite(client, write, client === account ? { authorization: `Basic ${credential}` } : {}, id);
    };
    const stored = new Map<string, number>();
    const step = async (n: number) => {
      const number = n * letters.length + at;
      const write = plan(letter, n, number, stored);
      const answer = await untilAnswered(send, write);
      if (answer === undefined) return record.note(`the effect of a write is unknown: ${JSON.stringify(write)}`);
      if (answer.status !== 200) {
        return record.note(
          `a write was refused: ${JSON.stringify(write)} ${answer.status} ${answer.text.slice(0, 500)}`,
        );
      }
      acknowledged.push({ ...write, at: Date.now() });
      if (write.action === 'delete') stored.delete(write.key);
      else if (write.type === 'as-set') stored.set(write.key, number);
    };
    const actor = every(1000 / writesPerSecond, record, step);
    return {
      async stop() {
        await actor.stop();
        for (const client of [account, certified]) client.close();
      },
    };
  });

  /** Repeats a write until it has an answer that says its result. */
  async function untilAnswered(
    send: (write: Planned, id: string) => Promise<Sent>,
    write: Planned,
  ): Promise<Sent | undefined> {
    const giveUp = performance.now() + maxRepeatMs;
    const id = randomUUID();
    for (let isRepeated = false; performance.now() < giveUp; isRepeated = true) {
      const answer = await record.request(`REST write: ${write.action}`, async () => {
        const sent = await send(write, id);
        if (sent.status === 409 || sent.status === 429 || sent.status >= 500) {
          throw new Error(`status ${sent.status} ${sent.text.slice(0, 200)}`);
        }
        return sent;
      });
      if (answer !== undefined) {
        // The answer to an earlier attempt was lost.
        const isDone = isRepeated && write.action === 'delete' && answer.status === 404;
        return isDone ? { ...answer, status: 200 } : answer;
      }
      await delay(isStopping ? 50 : 200);
    }
    return undefined;
  }

  return {
    acknowledged,
    addressOf,
    useCredential(other) {
      credential = other;
    },
    async stop() {
      isStopping = true;
      await Promise.all(actors.map((actor) => actor.stop()));
    },
  };
}

type Headers = Readonly<Record<string, string>>;
type Planned = Omit<Acknowledged, 'at'>;

function sendWrite(
  client: ClusterClient,
  { type, key, action, number }: Planned,
  authorization: Headers,
  id: string,
): Promise<Sent> {
  const place = `/TEST/${type}/${key}`;
  const options = (method: string, headers: Headers = {}): Other => ({
    method,
    headers: { ...authorization, ...headers },
    isAnonymous: true,
  });
  if (action === 'delete') return client.send(place, undefined, options('DELETE'));
  const body = jsonBody(type === 'as-set' ? setText(key, number) : personText(key, number));
  if (action === 'update') return client.send(place, body, options('PUT'));
  return client.send(`/TEST/${type}`, body, options('POST', { 'idempotency-key': id }));
}

/** One write in five makes a person; of the others, one in six deletes a set. */
function plan(letter: string, n: number, number: number, stored: ReadonlyMap<string, number>): Planned {
  if (n % 5 === 4) return { type: 'person', key: `E${letter}${n}-TEST`, action: 'create', number };
  const key = `AS-END${letter}${n % setsOfEach}`;
  const before = stored.get(key);
  if (before === undefined) return { type: 'as-set', key, action: 'create', number };
  return (n * 7 + Math.floor(n / setsOfEach)) % 6 === 0
    ? { type: 'as-set', key, action: 'delete', number: before }
    : { type: 'as-set', key, action: 'update', number };
}

const mntnerText = (keyCert: string) => `mntner:         ${maintainer}
admin-c:        AE1-TEST
upd-to:         endure@example.net
auth:           SSO alice@example.net
auth:           ${keyCert}
mnt-by:         ${maintainer}
source:         TEST
`;

const setText = (key: string, number: number) => `as-set:         ${key}
members:        AS64500, AS64500:AS-CHANGE-${number}
remarks:        change ${number}
tech-c:         AE1-TEST
admin-c:        AE1-TEST
mnt-by:         ${maintainer}
source:         TEST
`;

const personText = (key: string, number: number) => `person:         Endurance Person
address:        Example Street 9
phone:          +31 20 555 0109
e-mail:         person@example.net
remarks:        change ${number}
notify:         ${addressOf(key)}
nic-hdl:        ${key}
mnt-by:         ${maintainer}
source:         TEST
`;
