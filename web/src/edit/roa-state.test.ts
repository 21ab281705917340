import { expect, test } from 'vitest';
import type { Message } from '../api/message.js';
import { type Draft, draftOfText } from './draft.js';
import { withRoaState } from './roa-state.js';

const info = (text: string): Message => ({ severity: 'Info', text });
const wrong = (name: string): Message => ({ severity: 'Error', text: 'no', attribute: { name, value: '' } });
const route = 'route: 192.0.2.0/24\norigin: AS64500\n';
const unchecked = {
  severity: 'Info',
  text: 'ROAs are not checked here',
  attribute: { name: 'origin', value: 'AS64500' },
};

test.each<[string, string, Message[], boolean]>([
  ['a route', route, [], true],
  ['a route6', 'route6: 2001:db8::/32\norigin: AS64500\n', [info('other')], true],
  ['a route with another error', route, [wrong('mnt-by')], true],
  ['a route that is checked', route, [info('ROA valid: AS64500 may originate this prefix')], false],
  ['a route without a ROA', route, [info('No ROA covers this prefix')], false],
  ['a route without an origin', 'route: 192.0.2.0/24\n', [], false],
  ['a route without a prefix', 'route:\norigin: AS64500\n', [], false],
  ['a wrong prefix', route, [wrong('route')], false],
  ['a wrong origin', route, [wrong('origin')], false],
  ['another object', 'route-set: RS-X\n', [], false],
])('%s: says that ROAs are not checked, or does not', (_what, text, messages, says) => {
  expect(withRoaState(messages, draftOfText(text) as Draft)).toEqual(says ? [...messages, unchecked] : messages);
});
