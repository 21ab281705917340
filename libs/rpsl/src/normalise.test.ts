import { expect, test } from 'vitest';
import { formatMessage } from './message.js';
import { normalise } from './normalise.js';
import { firstOf } from './object.js';
import { parsed } from './parsed.fixture.js';
import { samples } from './samples.js';
import { objectTypeNames } from './types.js';

function normalised(type: string, line: string) {
  const name = line.slice(0, line.indexOf(':'));
  const text = name === type ? line : `${type}: X\n${line}`;
  const { object, messages } = normalise(parsed(text));
  return { raw: firstOf(object, name)?.raw, infos: messages.map(formatMessage) };
}

test.each([
  [
    'inetnum',
    'inetnum: 192.0.2.0/24',
    ' 192.0.2.0 - 192.0.2.255',
    ['Value 192.0.2.0/24 converted to 192.0.2.0 - 192.0.2.255'],
  ],
  ['inetnum', 'inetnum: 192.0.2.7', ' 192.0.2.7 - 192.0.2.7', ['Value 192.0.2.7 converted to 192.0.2.7 - 192.0.2.7']],
  ['inetnum', 'inetnum:    192.0.2.0 -  192.0.2.255', ' 192.0.2.0 - 192.0.2.255', []],
  ['route', 'route: 10/8', ' 10.0.0.0/8', ['Value 10/8 converted to 10.0.0.0/8']],
  ['route', 'route: 10.1/8', ' 10.1/8', []],
  ['route', 'route: 192.0.2.0 - 192.0.2.255', ' 192.0.2.0 - 192.0.2.255', []],
  ['inet6num', 'inet6num: 2001:DB8::1/32', ' 2001:db8::/32', ['Value 2001:DB8::1/32 converted to 2001:db8::/32']],
  [
    'inet6num',
    'inet6num: 2001:0:0:1:0:0:1:1',
    ' 2001:0:0:1::1:1/128',
    ['Value 2001:0:0:1:0:0:1:1 converted to 2001:0:0:1::1:1/128'],
  ],
  ['route6', 'route6: 2001:db8::', ' 2001:db8::', []],
  [
    'domain',
    'domain: 2.0.192.IN-ADDR.arpa.',
    ' 2.0.192.IN-ADDR.arpa',
    ['Value 2.0.192.IN-ADDR.arpa. converted to 2.0.192.IN-ADDR.arpa'],
  ],
  ['inet-rtr', 'alias: gw.example.net.', ' gw.example.net', ['Value gw.example.net. converted to gw.example.net']],
  [
    'domain',
    'nserver: ns1.example.net. 2001:DB8::0/128',
    ' ns1.example.net 2001:db8::',
    ['Value ns1.example.net. 2001:DB8::0/128 converted to ns1.example.net 2001:db8::'],
  ],
  [
    'domain',
    'nserver: ns1.example.net  192.0.2.1/32 # glue',
    ' ns1.example.net 192.0.2.1 # glue',
    ['Value ns1.example.net 192.0.2.1/32 converted to ns1.example.net 192.0.2.1'],
  ],
  ['domain', 'nserver: ns1.example.net. nonsense', ' ns1.example.net. nonsense', []],
  [
    'domain',
    'ds-rdata: 12345 8 1 ( 01AB\n  cd )',
    ' 12345 8 1 01ABcd',
    ['Value 12345 8 1 ( 01AB cd ) converted to 12345 8 1 01ABcd'],
  ],
  ['person', 'source: test # x', ' TEST # x', ['Value test converted to TEST']],
  ['inetnum', 'status: assigned pa', ' ASSIGNED PA', ['Value assigned pa converted to ASSIGNED PA']],
  ['aut-num', 'aut-num: as64500', ' as64500', []],
  ['route', 'origin: as64500', ' as64500', []],
  ['as-block', 'as-block: as1-as5', ' as1-as5', []],
  ['person', 'person: Jo   Doe', ' Jo Doe', []],
  ['person', 'country: nl', ' nl', []],
  ['person', 'descr:   a   b\n  c', '   a   b\n  c', []],
])('in a %s, %j becomes %j', (type, line, raw, infos) => {
  expect(normalised(type, line)).toEqual({ raw, infos });
});

const continuation = 'Continuation lines are not allowed here and have been removed';
const comment = 'Please use the "remarks:" attribute instead of end of line comment on primary key';

test.each([
  ['person', 'person: Jo\n+ Doe', ' Jo Doe', [continuation]],
  ['person', 'nic-hdl: JD1-TEST # a', ' JD1-TEST # a', [comment]],
  ['person', 'nic-hdl: JD1-TEST # a\n # b', ' JD1-TEST # a b', [continuation, comment]],
  ['person', 'nic-hdl: JD1-TEST  ## a #1', ' JD1-TEST ## a #1', [comment]],
  ['route', 'origin: AS64500\n # b', ' AS64500 # b', [continuation, comment]],
])('key and first attributes of a %s are on one line: %j', (type, line, raw, infos) => {
  expect(normalised(type, line)).toEqual({ raw, infos });
});

test('infos name the attribute', () => {
  const { messages } = normalise(parsed('inetnum: 192.0.2.7\nsource: test'));
  expect(messages.map((m) => [m.severity, m.attribute?.name, m.attributeIndex])).toEqual([
    ['info', 'inetnum', 0],
    ['info', 'source', 1],
  ]);
});

test.each(objectTypeNames)('a normalised %s does not change', (type) => {
  const object = parsed(samples[type]);
  expect(normalise(object)).toEqual({ object, messages: [] });
});
