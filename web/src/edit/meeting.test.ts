import { expect, test } from 'vitest';
import { holdsYours, meetingOf, textAfter } from './meeting.js';
import { isConflict, settled } from './merge.js';

const object = (descr: string, rest = '') =>
  `as-set:         AS-X\ndescr:          ${descr}\n${rest}mnt-by:         A-MNT\nlast-modified:  2026-01-0${rest.length % 9}T00:00:00Z\nsource:         TEST\n`;
const tagged = (text: string) => ({ text, tag: '"1"' });

test('their addition and your change make one object', () => {
  const meeting = meetingOf(object('one'), object('two'), tagged(object('one', 'remarks:        theirs\n')))!;
  expect(holdsYours(meeting)).toBe(false);
  const text = textAfter(meeting, settled(meeting.stretches, new Map()));
  expect(text).toBe(object('two', 'remarks:        theirs\n'));
});

test('an attribute that a type has once is a conflict when both add it', () => {
  const inetnum = 'inetnum:        192.0.2.0 - 192.0.2.255\nmnt-by:         A-MNT\nsource:         TEST\n';
  const org = (key: string) => inetnum.replace('mnt-by', `org:            ${key}\nmnt-by`);
  const meeting = meetingOf(inetnum, org('ORG-A1-TEST'), tagged(org('ORG-B1-TEST')))!;
  expect(meeting.stretches.filter(isConflict)).toHaveLength(1);
});

test('what is stored already is recognised', () => {
  const theirs = tagged(object('two', 'remarks:        theirs\n'));
  expect(holdsYours(meetingOf(object('one'), object('two'), theirs)!)).toBe(true);
});

test('a value that both added beside another is not stored already', () => {
  const theirs = tagged(object('one', 'remarks:        theirs\n'));
  const meeting = meetingOf(object('one'), object('one', 'remarks:        yours\n'), theirs)!;
  expect(holdsYours(meeting)).toBe(false);
  const text = textAfter(meeting, settled(meeting.stretches, new Map()));
  expect(text).toContain('remarks:        theirs\nremarks:        yours\n');
});

test('texts that are not objects have no merge', () => {
  expect(meetingOf(object('one'), 'nothing', tagged(object('two')))).toBeUndefined();
});
