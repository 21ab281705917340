import { describe, expect, test } from 'vitest';
import { findAmong, lineage, policy, registered } from '../../tests/testing.js';
import { abuseContactOf } from './abuse-contact.js';

const find = findAmong(
  registered('role: Abuse', 'nic-hdl: AR1-TEST', 'abuse-mailbox: one@example.net'),
  registered('role: Abuse', 'nic-hdl: AR2-TEST', 'abuse-mailbox: two@example.net'),
  registered('role: Abuse', 'nic-hdl: DEAD1-TEST', 'abuse-mailbox: dead@example.net'),
  registered('role: No mailbox', 'nic-hdl: NM1-TEST', 'e-mail: role@example.net'),
  registered('person: Somebody', 'nic-hdl: PP1-TEST', 'abuse-mailbox: person@example.net'),
  registered('mntner: EX-MNT', 'abuse-mailbox: mnt@example.net'),
  registered('organisation: ORG-A2-TEST', 'org-name: With', 'org-type: OTHER', 'abuse-c: AR2-TEST'),
  registered('organisation: ORG-N1-TEST', 'org-name: Without', 'org-type: OTHER'),
  registered('organisation: ORG-L1-TEST', 'org-name: Local registry', 'org-type: lir'),
);

const net = ['inetnum: 192.0.2.0 - 192.0.2.127', 'mnt-by: EX-MNT'];
const parent = ['inetnum: 192.0.2.0 - 192.0.2.255', 'mnt-by: EX-MNT'];
const grandparent = ['inetnum: 192.0.0.0 - 192.0.255.255', 'mnt-by: EX-MNT'];
const root = ['inetnum: 0.0.0.0 - 255.255.255.255', 'mnt-by: EX-MNT', 'abuse-c: AR1-TEST', 'org: ORG-A2-TEST'];
const asn = ['aut-num: AS64500', 'mnt-by: EX-MNT'];
const organisation = ['organisation: ORG-SELF-TEST', 'org-name: Self', 'mnt-by: EX-MNT'];

describe('the role', () => {
  test.each<[string, string[][], string | undefined]>([
    ['is the one that the object names', [[...net, 'abuse-c: AR1-TEST', 'org: ORG-A2-TEST']], 'AR1-TEST'],
    ['may be named in any letter case', [[...net, 'abuse-c: ar1-test']], 'AR1-TEST'],
    ['is otherwise that of its organisation', [[...net, 'org: ORG-A2-TEST']], 'AR2-TEST'],
    ['is not one without a mailbox', [[...net, 'abuse-c: NM1-TEST', 'org: ORG-A2-TEST']], 'AR2-TEST'],
    ['is not one that does not exist', [[...net, 'abuse-c: ZZ1-TEST', 'org: ORG-A2-TEST']], 'AR2-TEST'],
    ['is not a person', [[...net, 'abuse-c: PP1-TEST']], undefined],
    ['does not come from other contacts', [[...net, 'admin-c: AR1-TEST', 'mnt-irt: IRT-EXAMPLE']], undefined],
    [
      'is otherwise that of the nearest enclosing object',
      [net, [...parent, 'abuse-c: AR1-TEST'], grandparent],
      'AR1-TEST',
    ],
    ['may come from any enclosing object', [net, parent, [...grandparent, 'org: ORG-A2-TEST']], 'AR2-TEST'],
    [
      'skips an organisation without one',
      [
        [...net, 'org: ORG-N1-TEST'],
        [...parent, 'abuse-c: AR2-TEST'],
      ],
      'AR2-TEST',
    ],
    [
      'skips a missing organisation',
      [
        [...net, 'org: ORG-ZZ9-TEST'],
        [...parent, 'abuse-c: AR2-TEST'],
      ],
      'AR2-TEST',
    ],
    [
      'does not come from above an object of the operator (mnt-by)',
      [
        [...net, 'mnt-by: RS-MNT'],
        [...parent, 'abuse-c: AR1-TEST'],
      ],
      undefined,
    ],
    [
      'does not come from above an object of the operator (mnt-lower)',
      [
        [...net, 'mnt-lower: rs-mnt'],
        [...parent, 'abuse-c: AR1-TEST'],
      ],
      undefined,
    ],
    ['may come from an object of the operator', [net, [...parent, 'mnt-by: RS-MNT', 'abuse-c: AR1-TEST']], 'AR1-TEST'],
    [
      'does not come from above it',
      [net, [...parent, 'mnt-by: RS-MNT'], [...grandparent, 'abuse-c: AR1-TEST']],
      undefined,
    ],
    ['does not come from a root', [net, parent, root], undefined],
    ['exists for the root itself', [root], 'AR1-TEST'],
    ['exists for AS numbers', [[...asn, 'abuse-c: AR1-TEST']], 'AR1-TEST'],
    ['exists for AS numbers by their organisation', [[...asn, 'org: ORG-A2-TEST']], 'AR2-TEST'],
    ['exists for organisations', [[...organisation, 'abuse-c: AR1-TEST']], 'AR1-TEST'],
    ['exists for main-source objects only', [[...net, 'abuse-c: AR1-TEST', 'source: OTHER-GRS']], undefined],
  ])('%s', (_, [first, ...enclosing], role) => {
    expect(abuseContactOf(lineage(first!, ...enclosing), find, policy)?.role).toBe(role);
  });

  test('comes with its mailbox and the requested object', () => {
    expect(abuseContactOf(lineage(net, [...parent, 'abuse-c: AR1-TEST', 'org: ORG-N1-TEST']), find, policy)).toEqual({
      found: { source: 'TEST', type: 'inetnum', key: '192.0.2.0 - 192.0.2.127' },
      role: 'AR1-TEST',
      email: 'one@example.net',
      suspect: false,
      orgId: 'ORG-N1-TEST',
    });
  });
});

describe('the organisation to contact', () => {
  const good = 'abuse-c: AR1-TEST';
  const dead = 'abuse-c: DEAD1-TEST';
  test.each<[string, string[][], boolean, string]>([
    ['is the sponsor', [[...net, good, 'sponsoring-org: ORG-L1-TEST', 'org: ORG-A2-TEST']], false, 'ORG-L1-TEST'],
    ['is otherwise the organisation', [[...net, good, 'org: ORG-A2-TEST']], false, 'ORG-A2-TEST'],
    [
      'is otherwise that of the nearest enclosing object',
      [[...net, good], parent, [...grandparent, 'org: ORG-L1-TEST']],
      false,
      'ORG-L1-TEST',
    ],
    ['may not exist', [[...net, good], parent, root], false, ''],
    [
      'with a dead mailbox is the sponsor',
      [[...net, dead, 'sponsoring-org: ORG-N1-TEST', 'org: ORG-L1-TEST']],
      true,
      'ORG-N1-TEST',
    ],
    [
      'with a dead mailbox is otherwise an LIR',
      [
        [...net, dead, 'org: ORG-A2-TEST'],
        [...parent, 'org: ORG-L1-TEST'],
      ],
      true,
      'ORG-L1-TEST',
    ],
    [
      'with a dead mailbox may be the sponsor of the enclosing space',
      [
        [...net, dead, 'org: ORG-A2-TEST'],
        [...parent, 'sponsoring-org: ORG-N1-TEST'],
      ],
      true,
      'ORG-N1-TEST',
    ],
    [
      'with a dead mailbox is any organisation where there is no LIR',
      [
        [...net, dead, 'org: ORG-A2-TEST'],
        [...parent, 'org: ORG-N1-TEST'],
      ],
      true,
      'ORG-A2-TEST',
    ],
  ])('%s', (_, [first, ...enclosing], suspect, orgId) => {
    expect(abuseContactOf(lineage(first!, ...enclosing), find, policy)).toMatchObject({ suspect, orgId });
  });
});
