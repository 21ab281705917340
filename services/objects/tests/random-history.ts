import type { Context } from '../src/context.js';
import type { useContext } from './test-context.js';
import { inetnum, loadText, mntner, person, put, remove, tagsOf } from './test-context.js';

/** An object of a state: its type and its folded key. */
export type Name = `${'person' | 'mntner' | 'inetnum'} ${string}`;

/** The naive model: the state after every serial, and its time. */
export interface History {
  /** Serials from 0; the objects by name. */
  readonly states: readonly ReadonlyMap<Name, string>[];
  /** Times of the changes by serial; that of serial 0 is before all. */
  readonly instants: readonly Date[];
}

/** Every object of the histories. */
export const names: readonly Name[] = [
  ...(['ha1-test', 'ha2-test', 'ha3-test', 'ha4-test'] as const).map((key): Name => `person ${key}`),
  ...(['one-mnt', 'two-mnt'] as const).map((key): Name => `mntner ${key}`),
  ...(
    [
      ...(['10.0.0.0 - 10.255.255.255', '10.1.0.0 - 10.1.255.255', '10.1.0.0 - 10.1.2.9'] as const),
      ...(['10.1.1.0 - 10.1.1.255', '10.1.1.0 - 10.1.1.127', '10.1.2.0 - 10.1.2.9'] as const),
    ] as const
  ).map((key): Name => `inetnum ${key}`),
];

/** A sequence of numbers below 1 that a seed determines (mulberry32). */
export function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function textOf(name: Name, [contact, maintainer, lower]: readonly string[], round: number): string {
  const [, type, key] = /^(\S+) (.*)$/.exec(name)!;
  if (type === 'person') return person(key!.toUpperCase(), `Round ${round}`);
  if (type === 'mntner') return `${mntner(key!.toUpperCase(), contact)}remarks:        ${round}\n`;
  const network = inetnum(key!, `NET-${round}`).replaceAll('SB1-TEST', contact!).replace('ONE-MNT', maintainer!);
  return network.replace(/^source/m, `mnt-lower:      ${lower}\nsource`);
}

/** Writes, deletes, loads and tags objects of a new registry at random, and records the state after each change. */
export async function randomHistory(
  { context, clock }: Pick<ReturnType<typeof useContext>, 'clock'> & { readonly context: Context },
  { seed, rounds }: { readonly seed: number; readonly rounds: number },
): Promise<History> {
  const random = numbersFrom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const states: ReadonlyMap<Name, string>[] = [new Map()];
  const instants = [new Date(clock.now().getTime() - 1000)];
  const note = (changed: Name, text: string | undefined) => {
    const next = new Map(states.at(-1)!);
    if (text === undefined) next.delete(changed);
    else next.set(changed, text);
    states.push(next);
    instants.push(clock.now());
  };
  for (let round = 0; round < rounds; round++) {
    if (random() < 0.6) clock.advance(1000 * Math.ceil(random() * 5));
    const name = pick(names);
    const references = [pick(['HA1-TEST', 'HA2-TEST']), pick(['ONE-MNT', 'TWO-MNT']), pick(['ONE-MNT', 'TWO-MNT'])];
    const text = textOf(name, references, round);
    const [, type, key] = /^(\S+) (.*)$/.exec(name)! as unknown as [string, 'person' | 'mntner' | 'inetnum', string];
    const old = states.at(-1)!.get(name);
    const dice = random();
    if (old !== undefined && dice < 0.3) {
      await remove(context, type, key);
      note(name, undefined);
    } else if (old !== undefined && dice < 0.35) {
      await tagsOf(context).attachTag({ keys: [{ source: 'TEST', type, key }], tag: { id: `t${round}`, data: '' } });
      note(name, old);
    } else if (dice < 0.5) {
      await loadText(context, text);
      note(name, text);
    } else {
      await put(context, text);
      note(name, text);
    }
  }
  return { states, instants };
}

/** The serial of a time according to the contract: that of the last change which is not later. */
export function serialAt({ instants }: History, instant: Date): number {
  return instants.findLastIndex((one) => one <= instant);
}
