import { line } from './attribute-lines.js';
import { mntnerName, organisationHandle, personHandle, roleHandle } from './names.js';
import { below, chance, type Random, randomOf, skewed, streamOf } from './random.js';
import type { Registry } from './registry.js';

const holderStream = streamOf('holder');

/** An organisation with the maintainer and the contacts that it uses for its resources. */
export interface Holder {
  readonly organisation: string;
  readonly mntner: string;
  readonly adminContact: string;
  readonly techContact: string;
  /** A role with an abuse mailbox. */
  readonly abuseContact: string;
}

export function holderOf(registry: Registry, organisation: number): Holder {
  const { counts } = registry;
  const random = randomOf(registry.seed, holderStream, organisation);
  return {
    organisation: organisationHandle(registry, organisation),
    mntner: mntnerName(skewed(random, counts.mntner)),
    adminContact: personHandle(registry, skewed(random, counts.person)),
    techContact: roleHandle(registry, skewed(random, counts.role)),
    abuseContact: roleHandle(registry, abuseRole(random, counts.role)),
  };
}

/** A few organisations hold most resources. */
export function anyHolder(registry: Registry, random: Random): Holder {
  return holderOf(registry, skewed(random, registry.counts.organisation));
}

/** Roles of even number have an abuse mailbox. */
export function hasAbuseMailbox(role: number): boolean {
  return role % 2 === 0;
}

function abuseRole(random: Random, roles: number): number {
  return 2 * Math.floor(skewed(random, roles) / 2);
}

/** `admin-c` and `tech-c`: mostly the holder's, else any person; occasionally a second one. */
export function contacts(registry: Registry, random: Random, holder: Holder): string {
  const anyone = () => personHandle(registry, below(random, registry.counts.person));
  const admin = chance(random, 60) ? holder.adminContact : anyone();
  const tech = chance(random, 70) ? holder.techContact : anyone();
  const second = chance(random, 10) ? line('tech-c', anyone()) : '';
  return line('admin-c', admin) + line('tech-c', tech) + second;
}
