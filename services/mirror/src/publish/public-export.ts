import { hash } from 'node:crypto';
import type { FeedPosition } from '@cadastre/changes';
import type { ExportObjectsResponse } from '@cadastre/proto/objects';
import { View } from '@cadastre/proto/registry';
import { firstValueOf, parseObject, printObject, publicCopy } from '@cadastre/rpsl';
import { ServiceError, startingWith, unlessSilent } from '@cadastre/service';
import type { Objects } from '../objects-client.js';
import type { PublicSource } from '../public-source.js';

/** The public form of an object. */
export interface PublicObject {
  readonly type: string;
  readonly text: string;
}

/** The public form of a source at one moment. */
export interface PublicExport {
  readonly position: FeedPosition;
  /** In the order of types and keys. */
  readonly pages: AsyncIterable<readonly PublicObject[]>;
}

/**
 * Begins to read the state after the change with a serial, by default the newest one. Throws a ServiceError:
 * 'out-of-range' for a state that the registry no longer has, also while the pages are read.
 */
export async function readPublicExport(
  { reader }: Pick<Objects, 'reader'>,
  source: PublicSource,
  { serial, signal }: { readonly serial?: bigint; readonly signal: AbortSignal },
): Promise<PublicExport> {
  const asOf = serial === undefined ? {} : { point: { $case: 'serial' as const, value: serial } };
  const types = source.types.filter((type) => isPublicType(source, type));
  const request = { source: source.store, types, view: View.VIEW_COMPLETE, asOf };
  const messages = unlessSilent((alive) => reader.exportObjects(request, { signal: alive }), signal);
  const first = await messages.next();
  if (first.done) throw new ServiceError('unavailable', 'The export ended');
  if (first.value.exact !== true) throw new Error('the objects service is too old: it exports no moment');
  const { serial: exported, instant } = first.value;
  async function* pages(): AsyncGenerator<readonly PublicObject[]> {
    for await (const { objects } of startingWith<ExportObjectsResponse>(first.value, messages)) {
      yield objects.flatMap(({ type, text: complete }) => {
        const text = publicText(complete, source);
        return text === undefined ? [] : [{ type, text }];
      });
    }
    // A cancelled stream may end like a complete one.
    signal.throwIfAborted();
  }
  return { position: { serial: exported, instant }, pages: pages() };
}

/**
 * Version of the public form of objects. Increase it with every change of that form: sources then begin a new session,
 * because followers must drop objects of the former form.
 */
const policyVersion = 1;

/** The number of the public form of the objects of a source: that version, or one for it and the texts that it keeps. */
export function policyOf({ texts }: PublicSource): number {
  if (texts.size === 0) return policyVersion;
  const policy = [policyVersion, ...[...texts].sort()].join(' ');
  return hash('sha256', policy, 'buffer').readUInt32BE(0) >>> 1;
}

/**
 * The public text of an object in a source; undefined when it is not public there: for persons, and for objects with
 * another name in `source`, such as those of the other part of the main source.
 */
export function publicText(text: string, source: PublicSource): string | undefined {
  // Most routes are not of the non-authoritative part, so they need not be parsed.
  if (!text.toUpperCase().includes(source.name)) return undefined;
  const parsed = parseObject(text);
  if (!parsed.ok || !isPublicType(source, parsed.object.type)) return undefined;
  if (firstValueOf(parsed.object, 'source')?.toUpperCase() !== source.name) return undefined;
  const copy = publicCopy(parsed.object, source.texts);
  return copy && printObject(copy);
}

/** Whether objects of a type may be public in a source; those of persons never are, whatever they contain. */
export function isPublicType({ types }: PublicSource, type: string): boolean {
  return type !== 'person' && (types as readonly string[]).includes(type);
}
