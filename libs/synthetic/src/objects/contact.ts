import { continuation, ending, line, remarks } from '../attribute-lines.js';
import { anyHolder, hasAbuseMailbox } from '../holders.js';
import { companyName, mailbox, mntnerName, personHandle, personName, roleHandle, uniqueWord } from '../names.js';
import { below, chance, pick, type Random, randomOf, skewed, streamOf } from '../random.js';
import type { Registry } from '../registry.js';
import { cities, streets } from '../words.js';

const personStream = streamOf('person');
const roleStream = streamOf('role');

export function personText(registry: Registry, index: number): string {
  const random = randomOf(registry.seed, personStream, index);
  const name = personName(registry, index);
  return (
    line('person', name) +
    address(random) +
    phone(random) +
    line('e-mail', mailbox(`${name.replace(/[ ']/g, '.')}.${index}`)) +
    line('nic-hdl', personHandle(registry, index)) +
    remarks(random) +
    (chance(random, 10) ? line('notify', 'changes@example.net') : '') +
    line('mnt-by', mntnerName(skewed(random, registry.counts.mntner))) +
    ending(random, registry.source)
  );
}

export function roleText(registry: Registry, index: number): string {
  const random = randomOf(registry.seed, roleStream, index);
  const holder = anyHolder(registry, random);
  const word = uniqueWord(index);
  return (
    line('role', `${word} Network Operations Centre`) +
    address(random) +
    phone(random) +
    line('e-mail', mailbox(`noc.${word}`)) +
    line('admin-c', personHandle(registry, below(random, registry.counts.person))) +
    line('tech-c', holder.adminContact) +
    line('nic-hdl', roleHandle(registry, index)) +
    remarks(random) +
    (hasAbuseMailbox(index) ? line('abuse-mailbox', mailbox(`abuse.${word}`)) : '') +
    line('mnt-by', holder.mntner) +
    ending(random, registry.source)
  );
}

export function organisationAddress(random: Random, registry: Registry, index: number): string {
  return line('address', companyName(registry, index)) + address(random);
}

/** One attribute with two lines, or two attributes; mostly with non-ASCII letters. */
export function address(random: Random): string {
  const street = `${pick(random, streets)} ${1 + below(random, 200)}`;
  const city = `${1000 + below(random, 9000)} ${pick(random, cities)}`;
  return line('address', street) + (chance(random, 20) ? continuation(city) : line('address', city));
}

export function phone(random: Random): string {
  const number = `+31 20 555 ${String(below(random, 10_000)).padStart(4, '0')}`;
  return line('phone', chance(random, 5) ? `${number} # office hours` : number);
}
