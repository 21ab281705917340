import { firstValueOf, type Key, primaryKey, type RpslObject } from '@cadastre/rpsl';
import { describe, expect, test } from 'vitest';
import { objectOf } from '../../tests/write-object.js';
import type { Action, Change } from './change.js';
import { type CommonFacts, factsOf, noRelatedRanges, type Surroundings } from './facts.js';
import { findContact, findMntner, objectName } from './known-objects.js';

const common: CommonFacts = {
  source: 'TEST',
  before: new Map(),
  keys: new Map(),
  newKeys: new Map(),
  emailMarks: new Map(),
};
const nothing: Surroundings = { referrers: [], relatedRanges: noRelatedRanges, governing: [] };

function change(action: Action, text: string, stored?: string): Change {
  const object = objectOf(text);
  return {
    action,
    key: primaryKey(object) as Key,
    object,
    stored: stored === undefined ? undefined : objectOf(stored),
  };
}

const named = (objects: readonly RpslObject[]) => objects.map((object) => firstValueOf(object, object.type));
const net = (range: string) => `inetnum: ${range}`;

describe('facts of a write of several changes', () => {
  test('shows what the other changes create and delete, and what is stored', () => {
    const stored = objectOf('person: Old\nnic-hdl: AA1-TEST');
    const before = new Map([[objectName('person', 'aa1-test'), stored]]);
    const changes = [change('delete', 'person: Old\nnic-hdl: AA1-TEST'), change('create', 'mntner: ONE-MNT')];
    const [facts] = factsOf({ ...common, before }, changes, [nothing, nothing]);
    expect([findContact(facts!.before, 'AA1-TEST'), findContact(facts!.after, 'AA1-TEST')]).toEqual([
      stored,
      undefined,
    ]);
    expect([findMntner(facts!.before, 'one-mnt'), findMntner(facts!.after, 'one-mnt')]).toEqual([
      undefined,
      changes[1]!.object,
    ]);
  });

  test('referrers: without deleted and former ones, with new ones', () => {
    const referrer = (handle: string) => objectOf(`person: P\nnic-hdl: ${handle}\nmnt-by: ONE-MNT`);
    const loaded = ['AA1-TEST', 'BB1-TEST', 'CC1-TEST'].map(referrer);
    const changes = [
      change('delete', 'mntner: ONE-MNT'),
      change('delete', 'person: P\nnic-hdl: AA1-TEST'),
      change('modify', 'person: P\nnic-hdl: BB1-TEST\nmnt-by: TWO-MNT'),
      change('create', 'person: P\nnic-hdl: DD1-TEST\nmnt-by: ONE-MNT'),
    ];
    const [facts] = factsOf(common, changes, [{ ...nothing, referrers: loaded }, nothing, nothing, nothing]);
    expect(facts!.referrers.map((object) => firstValueOf(object, 'nic-hdl'))).toEqual(['CC1-TEST', 'DD1-TEST']);
  });

  test('related ranges: enclosing ones by size, others by start; without other types', () => {
    const loaded = {
      enclosing: ['10.0.0.0 - 10.255.255.255', '0.0.0.0 - 255.255.255.255'].map((range) => objectOf(net(range))),
      contained: [objectOf(net('10.1.128.0 - 10.1.128.255'))],
      overlapping: [objectOf(net('10.1.255.0 - 10.2.0.255'))],
    };
    const changes = [
      change('create', net('10.1.0.0 - 10.1.255.255')),
      change('create', net('10.0.0.0 - 10.3.255.255')),
      change('create', net('10.1.7.0 - 10.1.7.255')),
      change('create', net('10.0.255.0 - 10.1.0.255')),
      change('delete', net('10.1.128.0 - 10.1.128.255')),
      change('create', 'route: 10.1.0.0/16\norigin: AS64500'),
    ];
    const [facts] = factsOf(
      common,
      changes,
      changes.map((_, index) => (index === 0 ? { ...nothing, relatedRanges: loaded } : nothing)),
    );
    const { enclosing, contained, overlapping } = facts!.relatedRanges;
    expect(named(enclosing)).toEqual([
      '10.0.0.0 - 10.3.255.255',
      '10.0.0.0 - 10.255.255.255',
      '0.0.0.0 - 255.255.255.255',
    ]);
    expect(named(contained)).toEqual(['10.1.7.0 - 10.1.7.255']);
    expect(named(overlapping)).toEqual(['10.0.255.0 - 10.1.0.255', '10.1.255.0 - 10.2.0.255']);
  });

  test('related ranges that another change modifies have their new state, governing objects their old one', () => {
    const old = objectOf(net('10.0.0.0 - 10.255.255.255'));
    const changes = [
      change('create', net('10.1.0.0 - 10.1.255.255')),
      change('modify', `${net('10.0.0.0 - 10.255.255.255')}\nmnt-lower: NEW-MNT`),
    ];
    const loaded = { ...nothing, relatedRanges: { ...noRelatedRanges, enclosing: [old] }, governing: [old] };
    const [facts] = factsOf(common, changes, [loaded, nothing]);
    expect(facts!.relatedRanges.enclosing).toEqual([changes[1]!.object]);
    expect(facts!.governing).toEqual([old]);
  });
});
