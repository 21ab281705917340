import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { chance, type Random } from '../fuzz/random.js';
import { personText } from '../harness/person-text.js';
import type { Answer, Rest } from '../harness/rest.js';
import { jsonBody } from '../harness/whois.js';

/** Changes of a registry that continue while its services are killed. */
export interface RandomChanges {
  /** Makes some changes: of objects that followers get always, sometimes, and never. */
  some(random: Random): Promise<void>;
  /** The number of changes made. */
  count(): number;
}

interface Change {
  readonly type: 'as-set' | 'role' | 'person';
  readonly key: string;
  /** The stored text, for a deletion. */
  readonly text: string;
  readonly action: 'create' | 'update' | 'remove';
}

/** Maximum time to retry a request. */
const timeoutMs = 120_000;

/** Changes of what EXAMPLE-MNT maintains in TEST, by single requests and by batches. */
export function randomChanges(rest: Rest, credential: string): RandomChanges {
  const json = { accept: 'application/json', contentType: 'application/json', credential };
  const stored = new Map<string, string>();
  let count = 0;

  function plan(random: Random): Change {
    count++;
    if (chance(random, 5)) {
      const key = `PN${count}-TEST`;
      return { type: 'person', key, text: personText('Never Published', key), action: 'create' };
    }
    const isRole = chance(random, 20);
    const [type, key] = isRole
      ? (['role', `TW${1 + random(10)}-TEST`] as const)
      : ['as-set' as const, `AS-TWO${random(40)}`];
    const text = isRole ? roleText(key, count, chance(random, 50)) : setText(key, count);
    const before = stored.get(key);
    if (before === undefined) return { type, key, text, action: 'create' };
    // The registry never assigns the handle of a deleted role again.
    return isRole || chance(random, 60)
      ? { type, key, text, action: 'update' }
      : { type, key, text: before, action: 'remove' };
  }

  function note({ key, text, action }: Change): void {
    if (action === 'remove') stored.delete(key);
    else stored.set(key, text);
  }

  function send({ type, key, text, action }: Change): Promise<Answer> {
    const place = `/TEST/${type}/${key}`;
    const body = jsonBody(text);
    const headers = { 'idempotency-key': randomUUID() };
    return untilAnswered((isRepeated) => {
      if (action === 'create') return rest(`/TEST/${type}`, { ...json, method: 'POST', headers, body });
      if (action === 'update') return rest(place, { ...json, method: 'PUT', body });
      const { accept } = json;
      const removed = rest(place, { accept, credential, method: 'DELETE' });
      return removed.then((answer) => (isRepeated && answer.status === 404 ? { ...answer, status: 200 } : answer));
    });
  }

  function sendTogether(changes: readonly Change[]): Promise<Answer> {
    const sent = JSON.parse(jsonBody(...changes.map(({ text }) => text))) as { objects: { object: object[] } };
    const object = sent.objects.object.map((one, at) =>
      changes[at]!.action === 'remove' ? { ...one, action: 'DELETE' } : one,
    );
    const body = JSON.stringify({ objects: { object } });
    const headers = { 'idempotency-key': randomUUID() };
    return untilAnswered(() => rest('/batch/TEST', { ...json, method: 'POST', headers, body }));
  }

  return {
    async some(random) {
      const number = 1 + random(20);
      if (chance(random, 50)) {
        for (let n = 0; n < number; n++) {
          const change = plan(random);
          must(await send(change));
          note(change);
        }
      } else {
        const planned = Array.from({ length: number }, () => plan(random));
        const changes = [...new Map(planned.map((change) => [change.key, change])).values()];
        must(await sendTogether(changes));
        changes.forEach(note);
      }
    },
    count: () => count,
  };
}

/**
 * Retries a request until it has a response. 409: the previous one has not ended; 500 and more: a service is
 * unavailable.
 */
async function untilAnswered(send: (isRepeated: boolean) => Promise<Answer>): Promise<Answer> {
  const giveUp = performance.now() + timeoutMs;
  for (let isRepeated = false; ; isRepeated = true) {
    try {
      const answer = await send(isRepeated);
      if (answer.status !== 409 && answer.status < 500) return answer;
      if (performance.now() > giveUp) return answer;
    } catch (error) {
      if (performance.now() > giveUp) throw error;
    }
    await delay(50);
  }
}

function must({ status, text }: Answer): void {
  if (status !== 200) throw new Error(`a change was refused: ${status} ${text}`);
}

function setText(name: string, number: number): string {
  return `as-set:         ${name}
members:        AS64500, AS${64496 + (number % 16)}
remarks:        change ${number}
tech-c:         AE1-TEST
admin-c:        AE1-TEST
mnt-by:         EXAMPLE-MNT
source:         TEST
`;
}

/** Followers get a role only while it has an abuse-mailbox. */
function roleText(key: string, number: number, isPublic: boolean): string {
  return `role:           Example Role
address:        Example Street 9
remarks:        change ${number}
e-mail:         role@example.net
${isPublic ? 'abuse-mailbox:  abuse@example.net\n' : ''}nic-hdl:        ${key}
mnt-by:         EXAMPLE-MNT
source:         TEST
`;
}
