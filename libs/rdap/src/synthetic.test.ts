import { type ObjectTypeName, objectTypeNames, valuesOf } from '@cadastre/rpsl';
import { registryPlan } from '@cadastre/synthetic';
import { expect, it } from 'vitest';
import { faultsOf } from '../tests/testing.js';
import { answer, searchAnswer } from './answers.js';
import { entityTypes, referencedBy, relatedKey } from './contacts.js';
import { document } from './document.js';
import { ipNetwork } from './network.js';
import type { Stored } from './registry.js';
import { asJson, registry, relatedOf, requested, storedOf } from './stored.fixture.js';

const plan = registryPlan({ objects: 10_000, seed: 20, source: 'TEST' });

const described: readonly ObjectTypeName[] = ['inetnum', 'inet6num', 'aut-num', 'domain', ...entityTypes];
const kinds = { 'ip network': 'ips', autnum: 'autnums', domain: 'domains', entity: 'entities' } as const;

/** Every object of a registry by type and key, as lookups would find it. */
const byKey = new Map<string, Stored>();
for (const type of objectTypeNames) {
  for (let index = 0; index < plan.counts[type]; index++) {
    const stored = storedOf(plan.text(type, index));
    byKey.set(relatedKey(type, stored.key), stored);
  }
}

/** The objects of a type, spread evenly. */
function some(type: ObjectTypeName, count: number): Stored[] {
  const total = plan.counts[type];
  const taken = Math.min(count, total);
  return Array.from({ length: taken }, (_, n) => storedOf(plan.text(type, Math.floor((n * total) / taken))));
}

function relatedTo(stored: Stored) {
  const objects = referencedBy(stored).flatMap(({ types, key }) =>
    types.flatMap((type) => byKey.get(relatedKey(type, key)) ?? []),
  );
  return relatedOf(
    objects,
    objects.find(({ object }) => object.type === 'role'),
  );
}

it('makes valid documents of a thousand objects of all types, without anything empty', () => {
  let made = 0;
  for (const type of objectTypeNames) {
    for (const stored of some(type, 130)) {
      const related = relatedTo(stored);
      const network =
        type === 'domain' ? ipNetwork(registry, requested, some('inetnum', 1)[0]!, { related }) : undefined;
      const nested = document(registry, requested, stored, { related, ...(network && { network }) });
      expect(nested === undefined, stored.key).toBe(!described.includes(type));
      if (nested === undefined) continue;
      made++;
      expect(faultsOf(asJson(answer(registry, requested, nested))), stored.key).toEqual([]);
      const found = searchAnswer(registry, requested, kinds[nested.document.objectClassName], [nested], { cut: 1 });
      expect(faultsOf(asJson(found)), stored.key).toEqual([]);
    }
  }
  expect(made).toBeGreaterThanOrEqual(1000);
});

it('shows no e-mail address of a contact, and says so once for each contact', () => {
  for (const type of ['inetnum', 'inet6num', 'aut-num', 'domain', 'organisation'] as const) {
    for (const stored of some(type, 40)) {
      const related = relatedTo(stored);
      const nested = document(registry, requested, stored, { related, showEmail: true })!;
      const { entities = [], redacted = [] } = answer(registry, requested, nested);
      const bytes = JSON.stringify(entities);
      const withEmail = entities.flatMap(({ handle }) => contactsWith(related.objects, handle));
      for (const contact of withEmail) {
        for (const email of valuesOf(contact.object, 'e-mail')) expect(bytes).not.toContain(email);
      }
      const paths = redacted.filter(({ method }) => method === 'removal').map(({ prePath }) => prePath);
      expect(paths.map((path) => /'([^']+)'/.exec(path!)![1])).toEqual(withEmail.map(({ key }) => key));
    }
  }
});

function contactsWith(objects: ReadonlyMap<string, Stored>, handle: string): Stored[] {
  const named = [...objects.values()].filter(({ key }) => key === handle);
  return named.filter(({ object }) => {
    const mailboxes = valuesOf(object, 'abuse-mailbox');
    return valuesOf(object, 'e-mail').some((email) => !mailboxes.includes(email));
  });
}
