import { EnclosingScope, RelatedObjects } from '@cadastre/proto/objects';
import { beforeAll, expect, test } from 'vitest';
import { hierarchyOf, person, put, useContext } from './test-context.js';

const setup = useContext();
const { RELATED_OBJECTS_ABUSE_CONTACTS, RELATED_OBJECTS_ORGANISATIONS, RELATED_OBJECTS_UNSPECIFIED } = RelatedObjects;
const organisation = (key: string, ...lines: string[]) =>
  `organisation:   ${key}\norg-name:       Example\n${lines.join('')}source:         TEST\n`;
const role = (key: string, ...lines: string[]) =>
  `role:           Abuse\nnic-hdl:        ${key}\n${lines.join('')}source:         TEST\n`;
const abuse = (key: string) => `abuse-c:        ${key}\n`;
const remarks = `remarks:        ${'x'.repeat(1000)}\n`.repeat(1500);

beforeAll(async () => {
  const objects = [
    `inetnum:        172.16.0.0 - 172.16.255.255\norg: # none\n+ org-aa1-test\n${abuse('AR1-TEST')}source: TEST\n`,
    `inetnum:        172.16.1.0 - 172.16.1.255\norg: ORG-AA2-TEST\nsource: TEST\n`,
    `inetnum:        172.16.1.1 - 172.16.1.1\norg: ORG-NONE1-TEST\n${abuse('PP1-TEST')}source: TEST\n`,
    `inetnum:        172.17.1.0 - 172.17.1.255\n${abuse('AR5-TEST')}source: TEST\n`,
    `inetnum:        172.17.0.0 - 172.17.255.255\norg: ORG-LL1-TEST\n${abuse('AR4-TEST')}source: TEST\n`,
    organisation('ORG-AA1-TEST', abuse('AR2-TEST'), 'org: ORG-AA3-TEST\n'),
    organisation('ORG-AA2-TEST', abuse('AR1-TEST')),
    organisation('ORG-AA3-TEST', abuse('AR3-TEST')),
    organisation('ORG-LL1-TEST', abuse('AR3-TEST'), remarks),
    role('AR1-TEST', 'abuse-mailbox:  a@example.net\ne-mail: b@example.net\n'),
    ...['AR2-TEST', 'AR3-TEST'].map((key) => role(key)),
    ...['AR4-TEST', 'AR5-TEST'].map((key) => role(key, remarks)),
    person('PP1-TEST'),
  ];
  for (const object of objects) await put(setup.context, object);
});

function enclosing(resource: string, related: RelatedObjects, attributes: string[] = []) {
  return hierarchyOf(setup.context).batchFindEnclosing({
    source: 'TEST',
    resources: [resource],
    types: ['inetnum'],
    scope: EnclosingScope.ENCLOSING_SCOPE_ALL,
    view: 0,
    shareObjects: true,
    excerpt: { attributes, related },
  });
}

test('an excerpt has the first attribute and the chosen ones that the view shows, of related objects too', async () => {
  const { objects, related } = await enclosing('172.16.0.0/16', RELATED_OBJECTS_ABUSE_CONTACTS, [
    'abuse-c',
    'abuse-mailbox',
    'e-mail',
    'org',
  ]);
  const texts = new Map([...objects, ...related].map(({ key, text }) => [key, text]));
  expect(texts.get('172.16.0.0 - 172.16.255.255')).toBe(
    `inetnum:        172.16.0.0 - 172.16.255.255\norg:            # none\n+               org-aa1-test\n${abuse('AR1-TEST')}`,
  );
  expect(texts.get('AR1-TEST')).toBe('role:           Abuse\nabuse-mailbox:  a@example.net\n');
  expect(texts.get('AR2-TEST')).toBe('role:           Abuse\n');
});

test.each([
  ['172.16.1.1', RELATED_OBJECTS_UNSPECIFIED, []],
  ['172.16.1.1', RELATED_OBJECTS_ORGANISATIONS, ['ORG-AA1-TEST', 'ORG-AA2-TEST']],
  ['172.16.1.1', RELATED_OBJECTS_ABUSE_CONTACTS, ['AR1-TEST', 'AR2-TEST', 'ORG-AA1-TEST', 'ORG-AA2-TEST']],
  ['10.1.1.1', RELATED_OBJECTS_ABUSE_CONTACTS, []],
])('of what encloses %s (related: %i) comes with %j, each once', async (resource, wanted, keys) => {
  const { related } = await enclosing(resource, wanted);
  expect(related.map(({ key }) => key).sort()).toEqual(keys);
});

test('omits the text of a related object beyond 2 MiB', async () => {
  const { related } = await enclosing('172.17.1.1', RELATED_OBJECTS_ABUSE_CONTACTS);
  const keys = (isShown: boolean) => related.filter(({ text }) => (text !== '') === isShown).map(({ key }) => key);
  expect([keys(true), keys(false)]).toEqual([['AR5-TEST', 'ORG-LL1-TEST', 'AR3-TEST'], ['ar4-test']]);
});
