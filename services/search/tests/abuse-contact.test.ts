import { describe, expect, test } from 'vitest';
import { clients, collect, kindOf, questions } from './resources.fixture.js';

const { contacts } = clients();

describe('FindAbuseContact', () => {
  test.each([
    ['192.0.2.1', 'inetnum', '192.0.2.0 - 192.0.2.99', 'AR1-TEST', 'ORG-EX1-TEST'],
    ['192.0.2.0/24', 'inetnum', '192.0.2.0 - 192.0.2.255', 'AR1-TEST', 'ORG-EX1-TEST'],
    ['192.0.2.0 - 192.0.2.99', 'inetnum', '192.0.2.0 - 192.0.2.99', 'AR1-TEST', 'ORG-EX1-TEST'],
    ['192.0.2.90-192.0.2.102', 'inetnum', '192.0.2.0 - 192.0.2.255', 'AR1-TEST', 'ORG-EX1-TEST'],
    ['2001:DB8:0::1', 'inet6num', '2001:db8::/32', 'AR2-TEST', 'ORG-EX2-TEST'],
    ['2001:db8:1::/48', 'inet6num', '2001:db8::/32', 'AR2-TEST', 'ORG-EX2-TEST'],
    ['as64500', 'aut-num', 'AS64500', 'AR1-TEST', 'ORG-EX1-TEST'],
  ])('%s is found as %s %s', async (resource, type, key, role, orgId) => {
    const { contact } = await contacts.findAbuseContact({ resource });
    expect(contact).toEqual({
      found: { source: 'TEST', type, key },
      role,
      email: role === 'AR1-TEST' ? 'abuse@example.net' : 'dead@example.net',
      suspect: role === 'AR2-TEST',
      orgId,
    });
  });

  test.each([
    ['198.51.100.1', 'a resource without a contact'],
    ['192.0.2.100', 'one from the operator, without a contact'],
    ['AS64501', 'an AS number without a contact'],
    ['203.0.113.1', 'IPv4 space with only a root above it'],
    ['2001:db9::1', 'IPv6 space with only a root above it'],
    ['0.0.0.0/0', 'the root'],
    ['AS64999', 'an AS number that is not registered'],
  ])('%s is not found: %s', async (resource) => {
    await expect(contacts.findAbuseContact({ resource })).rejects.toMatchObject({
      kind: 'not-found',
      messages: [{ text: 'No abuse contact found for %s', args: [resource] }],
    });
  });

  test.each(['foo', '', 'AS64500 - AS64501', '192.0.2.0/33'])('"%s" is not a resource', async (resource) => {
    await expect(contacts.findAbuseContact({ resource })).rejects.toMatchObject({
      kind: 'invalid',
      messages: [{ text: 'Invalid argument: %s', args: [resource] }],
    });
  });
});

test('FindAbuseContacts answers every question, in order, including invalid ones', async () => {
  const requested = ['AS64500', 'foo', '203.0.113.1', '192.0.2.1', '2001:db8::1', 'AS64500'];
  const answers = await collect(contacts.findAbuseContacts(questions(requested)));
  expect(answers.map(({ resource, contact }) => [resource, contact?.role])).toEqual([
    ['AS64500', 'AR1-TEST'],
    ['foo', undefined],
    ['203.0.113.1', undefined],
    ['192.0.2.1', 'AR1-TEST'],
    ['2001:db8::1', 'AR2-TEST'],
    ['AS64500', 'AR1-TEST'],
  ]);
});

describe('BatchFindAbuseContacts', () => {
  test('answers every resource with the outcome that it has alone, in order', async () => {
    const resources = ['AS64500', 'foo', '203.0.113.1', '192.0.2.1', 'AS64500'];
    const { answers } = await contacts.batchFindAbuseContacts({ resources });
    expect(answers.map(({ contact, failure }) => [kindOf(failure), contact?.role, failure?.messages[0]?.args])).toEqual(
      [
        [undefined, 'AR1-TEST', undefined],
        ['invalid', undefined, ['foo']],
        ['not-found', undefined, ['203.0.113.1']],
        [undefined, 'AR1-TEST', undefined],
        [undefined, 'AR1-TEST', undefined],
      ],
    );
  });

  test.each([
    [['AS64500', 'AS64500'], { batchFindEnclosing: [1], batchLookup: [] }],
    [['192.0.2.1', '2001:db8::1', '192.0.2.1', 'AS64500'], { batchFindEnclosing: [3], batchLookup: [] }],
  ])('takes one call for all of %j, and requests each thing once', async (resources, expected) => {
    const { contacts: batched, requested } = clients();
    await batched.batchFindAbuseContacts({ resources });
    expect(requested).toEqual(expected);
  });

  const large = `remarks: ${'x'.repeat(5000)}`;
  test.each([
    ['network', ['inetnum: 198.18.0.0 - 198.18.0.255', 'org: ORG-EX1-TEST', large], { batchLookup: [1, 1] }],
    ['organisation', ['inetnum: 198.18.0.0 - 198.18.0.255', 'org: ORG-L1-TEST'], { batchLookup: [1, 1] }],
    ['role', ['inetnum: 198.18.0.0 - 198.18.0.255', 'abuse-c: AR5-TEST'], { batchLookup: [1] }],
  ])('looks up a %s whose text did not fit', async (_, network, expected) => {
    const { contacts: batched, requested } = clients([
      network,
      ['organisation: ORG-L1-TEST', 'org-name: Large', 'abuse-c: AR6-TEST', large],
      ['role: Large', 'nic-hdl: AR5-TEST', 'abuse-mailbox: abuse@example.net', large],
      ['role: Small', 'nic-hdl: AR6-TEST', 'abuse-mailbox: abuse@example.net'],
    ]);
    const { answers } = await batched.batchFindAbuseContacts({ resources: ['198.18.0.1'] });
    expect(answers[0]!.contact?.email).toBe('abuse@example.net');
    expect(requested).toMatchObject(expected);
  });

  test('refuses more than 500 resources', async () => {
    const resources = new Array(501).fill('AS64500');
    await expect(contacts.batchFindAbuseContacts({ resources })).rejects.toMatchObject({ kind: 'invalid' });
  });
});
