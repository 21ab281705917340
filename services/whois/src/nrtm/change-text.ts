import { type Nrtm3Request, writeNrtm3Change } from '@cadastre/nrtm';
import { type ChangeEntry, LookupStatus } from '@cadastre/proto/objects';
import { Operation } from '@cadastre/proto/registry';
import { nonAuthoritativeName, nonAuthoritativeTypes, parseObject, printObject, publicCopy } from '@cadastre/rpsl';
import { type Backends, foreignTo } from '../context.js';

/**
 * Writes changes for a follower of a source, in their order: '' when the source has no such change, or its object is
 * not public. Errors: ServiceError.
 */
export type WriteChanges = (entries: readonly ChangeEntry[], signal: AbortSignal) => Promise<readonly string[]>;

interface WriterOptions {
  /** Name of the main source. */
  readonly main: string;
  readonly request: Pick<Nrtm3Request, 'source' | 'version'>;
  readonly reader: Pick<Backends['reader'], 'batchLookupPast'>;
}

/** Makes the writer of one answer. */
export function changeWriter({ main, request, reader }: WriterOptions): WriteChanges {
  const { source, version } = request;
  const isForeign = foreignTo(main);
  const wantsForeign = source === nonAuthoritativeName(main);
  const isOurs = (text: string) => isForeign(text) === wantsForeign;
  const mayHaveMoved = ({ operation, object }: ChangeEntry) =>
    operation === Operation.OPERATION_UPDATE &&
    object !== undefined &&
    object.revision > 1 &&
    partedTypes.has(object.type) &&
    object.text !== '' &&
    !isOurs(object.text);

  function write(entry: ChangeEntry, former: FormerText | undefined): string {
    const { serial, operation, object } = entry;
    const left = former === undefined ? '' : leftText(former, entry, source);
    const text = left || object?.text || '';
    if (text === '' || !isOurs(text)) return '';
    const isGone = operation === Operation.OPERATION_DELETE || object?.text === '' || left !== '';
    return writeNrtm3Change({ action: isGone ? 'DEL' : 'ADD', serial: Number(serial), object: text }, version);
  }

  return async (entries, signal) => {
    const former = await formerTexts(
      reader,
      entries.filter((entry) => mayHaveMoved(entry) || mayBeWithdrawn(entry)),
      signal,
    );
    return entries.map((entry) => write(entry, former.get(entry)));
  };
}

const partedTypes: ReadonlySet<string> = new Set(nonAuthoritativeTypes);

/** Whether a role that was published may have lost the attribute that made it public. */
function mayBeWithdrawn({ operation, object }: ChangeEntry): boolean {
  return (
    operation === Operation.OPERATION_UPDATE && object?.type === 'role' && object.revision > 1 && object.text === ''
  );
}

/**
 * The deletion of an object that is no longer published in this source, because it moved to the other part of the main
 * source or has no public copy: its former public copy, which may be of the other part, too. '' when followers never
 * had it. When the registry no longer has the former object, the deletion may be of an object that they never had.
 */
function leftText(former: FormerText, { object }: ChangeEntry, source: string): string {
  if (former === 'none') return '';
  if (former === 'unknown' && object!.text === '') return withdrawnRole(object!.key, source);
  const parsed = parseObject(former === 'unknown' ? object!.text : former.text);
  if (!parsed.ok) return '';
  if (former !== 'unknown') return printed(publicCopy(parsed.object));
  const attributes = parsed.object.attributes.map((one) =>
    one.name === 'source' ? { ...one, raw: ` ${source}` } : one,
  );
  return printed({ ...parsed.object, attributes });
}

function printed(object: Parameters<typeof printObject>[0] | undefined): string {
  return object === undefined ? '' : printObject(object);
}

function withdrawnRole(key: string, source: string): string {
  return `role:           Not published\nnic-hdl:        ${key.toUpperCase()}\nsource:         ${source}\n`;
}

/** An object before a change: its text, 'none' without one, or 'unknown' when the registry no longer has it. */
type FormerText = { readonly text: string } | 'none' | 'unknown';

/** Looks up the objects of changes as they were before; at most 1,000. Errors: ServiceError. */
async function formerTexts(
  reader: Pick<Backends['reader'], 'batchLookupPast'>,
  entries: readonly ChangeEntry[],
  signal: AbortSignal,
): Promise<ReadonlyMap<ChangeEntry, FormerText>> {
  const found = new Map<ChangeEntry, FormerText>();
  for (let left = entries; left.length > 0; left = left.filter((entry) => !found.has(entry))) {
    const lookups = left.map(({ serial, object }) => ({
      key: { source: object!.source, type: object!.type, key: object!.key },
      moment: { point: { $case: 'serial' as const, value: serial - 1n } },
      nearest: false,
    }));
    const { answers } = await reader.batchLookupPast({ lookups }, { signal });
    for (const [at, { status, object }] of answers.entries()) {
      if (status === LookupStatus.LOOKUP_STATUS_ASK_AGAIN) continue;
      const isAbsent = absent.has(status);
      found.set(left[at]!, object !== undefined ? { text: object.text } : isAbsent ? 'none' : 'unknown');
    }
  }
  return found;
}

const absent: ReadonlySet<LookupStatus> = new Set([
  LookupStatus.LOOKUP_STATUS_NOT_FOUND,
  LookupStatus.LOOKUP_STATUS_DELETED,
]);
