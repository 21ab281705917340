import { ending, line, remarks } from '../attribute-lines.js';
import { anyHolder, contacts } from '../holders.js';
import { asName, asNumber, setName, uniqueWord } from '../names.js';
import { below, chance, type Random, randomOf, skewed, streamOf } from '../random.js';
import type { Registry } from '../registry.js';

const autNumStream = streamOf('aut-num');
const asBlockStream = streamOf('as-block');
const inetRtrStream = streamOf('inet-rtr');

export function autNumText(registry: Registry, index: number): string {
  const random = randomOf(registry.seed, autNumStream, index);
  const holder = anyHolder(registry, random);
  return (
    line('aut-num', asName(index)) +
    line('as-name', `${uniqueWord(index)}-AS`) +
    line('descr', `Network number ${index}`) +
    (chance(random, 10) ? line('member-of', openAsSet(registry, random)) : '') +
    policy(registry, random, index) +
    remarks(random) +
    line('org', holder.organisation) +
    contacts(registry, random, holder) +
    line('status', 'ASSIGNED') +
    line('mnt-by', holder.mntner) +
    ending(random, registry.source)
  );
}

/** AS sets with even numbers accept any member. */
function openAsSet(registry: Registry, random: Random): string {
  const open = Math.ceil(registry.counts['as-set'] / 2);
  return setName(registry, 'AS', 2 * below(random, open));
}

function policy(registry: Registry, random: Random, index: number): string {
  const own = asName(index);
  const peers = 1 + skewed(random, 8);
  let text = '';
  for (let i = 0; i < peers; i += 1) {
    const peer = asName(skewed(random, registry.counts['aut-num']));
    text += chance(random, 25)
      ? line('mp-import', `afi ipv6.unicast from ${peer} accept ANY`) +
        line('mp-export', `afi ipv6.unicast to ${peer} announce ${own}`)
      : line('import', `from ${peer} action pref=100; accept ANY`) + line('export', `to ${peer} announce ${own}`);
  }
  return text;
}

/** The blocks divide the used AS numbers among them. */
export function asBlockKey(registry: Registry, index: number): string {
  const size = Math.ceil(registry.counts['aut-num'] / registry.counts['as-block']);
  return `AS${asNumber(index * size)} - AS${asNumber((index + 1) * size - 1)}`;
}

export function asBlockText(registry: Registry, index: number): string {
  const random = randomOf(registry.seed, asBlockStream, index);
  const holder = anyHolder(registry, random);
  return (
    line('as-block', asBlockKey(registry, index)) +
    line('descr', 'AS numbers for private use') +
    line('org', holder.organisation) +
    line('mnt-by', holder.mntner) +
    line('mnt-lower', holder.mntner) +
    ending(random, registry.source)
  );
}

export function inetRtrKey(_registry: Registry, index: number): string {
  return `rtr${index}.${uniqueWord(index).toLowerCase()}.example.net`;
}

export function inetRtrText(registry: Registry, index: number): string {
  const random = randomOf(registry.seed, inetRtrStream, index);
  const holder = anyHolder(registry, random);
  const peer = asName(below(random, registry.counts['aut-num']));
  return (
    line('inet-rtr', inetRtrKey(registry, index)) +
    line('local-as', asName(index % registry.counts['aut-num'])) +
    line('ifaddr', `192.0.2.${1 + (index % 254)} masklen 24`) +
    line('peer', `BGP4 198.51.100.${1 + below(random, 254)} asno(${peer})`) +
    contacts(registry, random, holder) +
    line('mnt-by', holder.mntner) +
    ending(random, registry.source)
  );
}
