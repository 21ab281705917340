import { timeText } from '@cadastre/changes';
import type { LimitedClient } from '@cadastre/limits';
import type { Version } from '@cadastre/proto/objects';
import { type ObjectKey, Operation, type RegistryObject } from '@cadastre/proto/registry';
import { acceptsKey, classify, type LineQuestion, queryMessages, type VersionChoice } from '@cadastre/query';
import { isPersonal, type ObjectTypeName, objectTypeNames, parseKey } from '@cadastre/rpsl';
import { ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { denied } from './clients.js';
import { messageBlock } from './frame.js';
import { messages } from './messages.js';

type VersionQuestion = Extract<LineQuestion, { kind: 'versions' }>;

/** An object with its history, oldest version first. */
interface History {
  readonly key: ObjectKey;
  readonly versions: readonly Version[];
  /** Whether there are older versions than these. */
  readonly hasOlder: boolean;
}

/** The answer to a query for versions of the main source. Throws a ServiceError. */
export async function versionsText(
  context: Context,
  client: LimitedClient,
  question: VersionQuestion,
  signal: AbortSignal,
): Promise<string> {
  const histories = await historiesOf(context, client, question, signal);
  const blocks = histories.map((history) => blockOf(context, client, history, question.choice, signal));
  return (await Promise.all(blocks)).join('');
}

/** The histories of all objects with a key, those of persons and roles only if there are no others. */
async function historiesOf(
  { backends: { reader }, sources: { main } }: Context,
  { id: client }: LimitedClient,
  { key, types }: VersionQuestion,
  signal: AbortSignal,
): Promise<History[]> {
  const found = await Promise.all(
    typesWith(key, types).map(async (type): Promise<History[]> => {
      const name = { source: main, type, key };
      try {
        const { versions, hasOlder = false } = await reader.listVersions({ key: name, client }, { signal });
        return [{ key: name, versions, hasOlder }];
      } catch (error) {
        if (error instanceof ServiceError && (error.kind === 'not-found' || error.kind === 'invalid')) return [];
        throw error;
      }
    }),
  );
  const histories = found.flat();
  if (histories.length === 0) throw new ServiceError('not-found', [queryMessages.noEntries([main])]);
  const others = histories.filter(({ key: { type } }) => !personal.has(type));
  return others.length > 0 ? others : histories;
}

const personal: ReadonlySet<string> = new Set(['person', 'role']);

/** The types that may have an object with this key. */
function typesWith(key: string, requested: ReadonlySet<ObjectTypeName>): ObjectTypeName[] {
  const kind = classify(key);
  return objectTypeNames.filter((type) => {
    const isPossible = requested.size === 0 ? acceptsKey(type, kind) : requested.has(type);
    return isPossible && parseKey(type, key) !== undefined;
  });
}

async function blockOf(
  context: Context,
  client: LimitedClient,
  { key, versions, hasOlder }: History,
  choice: VersionChoice,
  signal: AbortSignal,
): Promise<string> {
  if (choice.kind === 'list') {
    const cut = hasOlder ? messageBlock(messages.olderVersions(versions.length)) : '';
    const text = listText(key, versions) + cut;
    context.limiter.charge(client, 'bytes', text.length);
    return text;
  }
  const newest = versions.at(-1)?.revision ?? 0;
  const requested = choice.kind === 'show' ? [choice.revision] : [choice.before, choice.after];
  if (Math.max(...requested) > newest) return messageBlock(messages.versionTooHigh(newest));
  const load = () => visibleVersions(context, client, key, requested, signal);
  if (choice.kind === 'difference') {
    return context.differences.inTurn(client.id, signal, async (compare) => {
      const { refusal, objects } = await load();
      if (refusal !== undefined) return refusal;
      const [first, second] = objects as [RegistryObject, RegistryObject];
      const head = messageBlock(messages.difference(choice.before, choice.after, first.key || key.key));
      return `${head}${await compare(first.text, second.text)}\n`;
    });
  }
  const { refusal, objects } = await load();
  if (refusal !== undefined) return refusal;
  const [object] = objects as [RegistryObject];
  const { revision } = choice;
  // Older versions are not listed; a deletion has no text.
  const instant = versions.find((one) => one.revision === revision)?.instant ?? object.lastModified;
  const isCurrent = revision === newest;
  const said = { revision, isCurrent, key: object.key, operation: 'UPDATE', date: instant ? timeText(instant) : '' };
  return `${messageBlock(messages.version(said))}${object.text}\n`;
}

/** These versions, which count for the client, or the text that refuses them. */
async function visibleVersions(
  context: Context,
  client: LimitedClient,
  key: ObjectKey,
  revisions: readonly number[],
  signal: AbortSignal,
): Promise<{ readonly refusal?: string; readonly objects: readonly RegistryObject[] }> {
  const objects: RegistryObject[] = [];
  for (const revision of revisions) {
    const { object } = await context.backends.reader.getVersion(
      { key, revision, withContacts: false, client: client.id },
      { signal },
    );
    context.limiter.charge(client, 'bytes', object!.text.length);
    const exceeded = isPersonal(object!, context.sources.main)
      ? context.limiter.count(client, 'personal-objects')
      : undefined;
    if (exceeded) return { refusal: messageBlock(denied(exceeded)), objects: [] };
    objects.push(object!);
  }
  return { objects };
}

/** A table of the versions. */
function listText({ type, key }: ObjectKey, versions: readonly Version[]): string {
  const width = Math.max(4, String(versions.at(-1)?.revision ?? 0).length);
  const row = (revision: string, date: string, operation: string) =>
    `${revision.padEnd(width)}  ${date.padEnd(dateWidth)}  ${operation.padEnd(7)}\n`;
  const rows = versions.map(({ revision, instant, operation }) =>
    row(
      String(revision),
      instant ? timeText(instant) : '',
      operation === Operation.OPERATION_DELETE ? 'DEL' : 'ADD/UPD',
    ),
  );
  const head = messageBlock(messages.versionsOf(type.toUpperCase(), key));
  return `${head}${row('rev#', 'Date', 'Op.')}\n${rows.join('')}\n`;
}

const dateWidth = '2026-01-31T12:00:00Z'.length;
