import type { components } from '@cadastre/client';
import { type AddressRange, parseResource } from '@cadastre/rpsl';
import type { ObjectName } from '../paths.js';
import { answerOf, registry } from './registry.js';

/** An object of address space. */
export interface SpaceObject extends ObjectName {
  readonly range: AddressRange;
}

/** A network with its identifying attributes. */
export type Network = components['schemas']['Network'] & SpaceObject;

/** A network of the account, with the attributes that name a mntner of the account. */
export type OwnNetwork = components['schemas']['OwnNetwork'] & SpaceObject;

/** A part of a range of addresses. */
export interface SpacePart {
  readonly range: AddressRange;
  /** How many of its addresses objects have. */
  readonly used: bigint;
  /** How many objects begin in it. */
  readonly objects: number;
}

/** What is registered in a range of addresses. */
export interface Space {
  readonly range: AddressRange;
  readonly type: string;
  readonly used: bigint;
  readonly objects: number;
  /** Whether there are more objects, which the answer omits. */
  readonly isPartial: boolean;
  /** The objects that have or enclose the range, smallest first. */
  readonly enclosing: readonly Network[];
  readonly parts: readonly SpacePart[];
  /** The outermost objects inside; small ones are missing if there are very many. */
  readonly inside: readonly SpaceObject[];
  /** The first free prefix of each length that has one, shorter ones first. */
  readonly free: readonly AddressRange[];
}

/** The outermost networks of the account. */
export interface OwnSpaceList {
  readonly networks: readonly OwnNetwork[];
  /** Whether there are more. */
  readonly isIncomplete: boolean;
}

/** The outermost networks of the account. Throws a RequestFailed. */
export async function listOwnSpace(signal?: AbortSignal): Promise<OwnSpaceList> {
  const { networks, incomplete } = await answerOf(registry.GET('/session/space', { signal }));
  return { networks: networks.map(withRange), isIncomplete: incomplete };
}

/** Describes the objects in a prefix or range. Throws a RequestFailed: 400 for other texts. */
export async function describeSpace(range: string, signal?: AbortSignal): Promise<Space> {
  const params = { query: { 'query-string': range } };
  const space = await answerOf(registry.GET('/search/space', { params, signal }));
  const { source, type, objects, partial } = space;
  return {
    type,
    objects,
    range: rangeOf(space.range),
    used: BigInt(space.used),
    isPartial: partial,
    enclosing: space.enclosing.map(withRange),
    parts: space.parts.map((part) => ({ range: rangeOf(part.range), used: BigInt(part.used), objects: part.objects })),
    inside: space.inside.map((key) => withRange({ source, type, key })),
    free: space.free.map(rangeOf),
  };
}

function withRange<N extends ObjectName>(name: N): N & SpaceObject {
  return { ...name, range: rangeOf(name.key) };
}

/** The registry sends only addresses here. */
function rangeOf(text: string): AddressRange {
  return parseResource(text) as AddressRange;
}
