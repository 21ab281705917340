import { ending, line } from '../attribute-lines.js';
import { anyHolder, contacts } from '../holders.js';
import { asName, mntnerName, setName } from '../names.js';
import { below, type Random, randomOf, streamOf } from '../random.js';
import type { Registry } from '../registry.js';

type SetType = 'as-set' | 'route-set' | 'rtr-set' | 'filter-set' | 'peering-set';

const prefixes: Record<SetType, string> = {
  'as-set': 'AS',
  'route-set': 'RS',
  'rtr-set': 'RTRS',
  'filter-set': 'FLTR',
  'peering-set': 'PRNG',
};

export const setKey =
  (type: SetType) =>
  (registry: Registry, index: number): string =>
    setName(registry, prefixes[type], index);

export const setText =
  (type: SetType) =>
  (registry: Registry, index: number): string => {
    const random = randomOf(registry.seed, streamOf(type), index);
    const holder = anyHolder(registry, random);
    return (
      line(type, setName(registry, prefixes[type], index)) +
      line('descr', `Set number ${index}`) +
      content(registry, random, type, index) +
      contacts(registry, random, holder) +
      line('mnt-by', holder.mntner) +
      ending(random, registry.source)
    );
  };

function content(registry: Registry, random: Random, type: SetType, index: number): string {
  const someAs = () => asName(below(random, registry.counts['aut-num']));
  switch (type) {
    case 'as-set':
      return line('members', `${someAs()}, ${someAs()}`) + line('members', 'AS-ELSEWHERE') + admits(registry, index);
    case 'route-set':
      return line('members', '192.0.2.0/24^+, RS-ELSEWHERE') + line('mp-members', '2001:db8::/32^48');
    case 'rtr-set':
      return line('members', `rtr1.example.net, 192.0.2.${1 + (index % 254)}`);
    case 'filter-set':
      return line('filter', `${someAs()} AND NOT {0.0.0.0/0}`);
    case 'peering-set':
      return line('peering', `${someAs()} at 192.0.2.1`);
  }
}

function admits(registry: Registry, index: number): string {
  return line('mbrs-by-ref', index % 2 === 0 ? 'ANY' : mntnerName(index % registry.counts.mntner));
}
