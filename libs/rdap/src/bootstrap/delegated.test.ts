import { expect, it } from 'vitest';
import { Delegations, redirectFiles } from './delegated.js';
import { readBootstrapFile } from './files.js';

const lines = `2.3|east|20300131|9|19830101|20300131|+0000
# A comment.
east|*|ipv4|*|4|summary
east|AU|ipv4|192.0.2.0|256|20300101|allocated|A1
east|AU|ipv4|192.0.3.0|256|20300101|assigned|A2
east|AU|ipv4|198.51.100.0|3|20300101|assigned|A3
east||ipv4|203.0.113.0|256||reserved|
east|AU|ipv6|2001:db8::|32|20300101|allocated|A1
east|AU|asn|64496|2|20300101|allocated|A1
east|AU|asn|64498|1|20300101|allocated|A2
east|AU|asn|4294967295|1|20300101|allocated|A2
east|ZZ|asn|64499|1|20300101|available|`.split('\n');

function entries(delegations: Delegations) {
  const files = redirectFiles([{ base: 'https://rdap.east.example', delegations }], new Date('2030-01-31T12:00:00Z'));
  return (['ipv4', 'ipv6', 'asn'] as const).map((name) =>
    readBootstrapFile(name, files[name]).map((service) => [service.entries, service.urls]),
  );
}

it('makes files of what is allocated and assigned', () => {
  const delegations = new Delegations();
  expect(lines.filter((line) => !delegations.addLine(line))).toEqual([]);
  const urls = ['https://rdap.east.example/'];
  expect(entries(delegations)).toEqual([
    [[['192.0.2.0/23', '198.51.100.0/31', '198.51.100.2/32'], urls]],
    [[['2001:db8::/32'], urls]],
    [[['64496-64498', '4294967295'], urls]],
  ]);
});

it('merges as it reads', () => {
  const delegations = new Delegations();
  for (let number = 20_000; number > 0; number -= 1)
    delegations.addLine(`east|AU|asn|${number}|1|20300101|allocated|A`);
  expect(entries(delegations)[2]).toEqual([[['1-20000'], ['https://rdap.east.example/']]]);
});

it.each([
  'east|AU|ipv4|192.0.2.0|256|20300101|lent|A1',
  'east|AU|ipv5|192.0.2.0|256|20300101|allocated|A1',
  'east|AU|ipv4|192.0.2|256|20300101|allocated|A1',
  'east|AU|ipv4|255.255.255.255|2|20300101|allocated|A1',
  'east|AU|ipv6|2001:db8::|x|20300101|allocated|A1',
  'east|AU|asn|4294967295|2|20300101|allocated|A1',
  'east|AU|asn|1|0|20300101|allocated|A1',
  'no line',
])('tells that it cannot read %s', (line) => {
  expect(new Delegations().addLine(line)).toBe(false);
});
