import { Writable } from 'node:stream';
import { createLogger } from '@cadastre/service';
import { expect, test } from 'vitest';
import { createAgentLog } from './session-commands.js';

/** A log of agents, and its events as lines. */
function logged() {
  let text = '';
  const destination = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  let time = 0;
  const note = createAgentLog(createLogger({ service: 'whois', level: 'info', destination }), () => time);
  const events = () =>
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  return { note, events, pass: (ms: number) => (time += ms) };
}

test.each([
  ['bgpq4 1.9', 'bgpq4 1.9'],
  ['a\u001b[31mb\tc\u00fc', 'a?[31mb?c?'],
  ['x'.repeat(1_000), 'x'.repeat(60)],
])('the log has the name of a program, short and readable: %j', (agent, shown) => {
  const { note, events } = logged();
  note('192.0.2.1', agent);
  expect(events()).toMatchObject([{ client: '192.0.2.1', agent: shown, msg: 'client program' }]);
});

test('a flood of names is a few events and a number', () => {
  const { note, events, pass } = logged();
  for (let n = 0; n < 1_000; n++) note('192.0.2.1', `program ${n}`);
  expect(events()).toHaveLength(60);
  pass(60_000);
  note('192.0.2.2', 'bgpq4');
  expect(events().slice(60)).toMatchObject([{ count: 940 }, { agent: 'bgpq4' }]);
});
