import { ChangeAction, type SubmittedObject, type WriteResponse } from '@cadastre/proto/objects';
import { type Message, Severity } from '@cadastre/proto/registry';
import { type RoaConflict, RoaState } from '@cadastre/proto/search';
import { attributeType, cleanValue, objectType } from '@cadastre/rpsl';
import type { Context } from '../context.js';
import { messages } from '../ripe-messages.js';
import type { Write } from './idempotency-key.js';

/** A route as submitted. */
interface SubmittedRoute {
  /** Its position among the objects. */
  readonly at: number;
  readonly prefix: string;
  readonly origin: string;
  readonly attribute: { readonly name: string; readonly value: string };
}

/** A write does not wait long for what it does not need. */
const maxWaitMs = 1_000;

/** The objects that a write stores; undefined in the place of a deletion. */
function writtenObjects(write: Write): readonly (SubmittedObject | undefined)[] {
  switch (write.$case) {
    case 'apply':
      return write.value.changes.map(({ action, object }) =>
        action === ChangeAction.CHANGE_ACTION_DELETE ? undefined : object,
      );
    case 'delete':
      return [undefined];
    default:
      return [write.value.object];
  }
}

/**
 * Makes a write, and adds to its results what ROAs say about its routes: a warning when a route is invalid; of a dry
 * run, also the other states. Adds nothing when search does not answer in time.
 */
export async function withRoaMessages(
  context: Pick<Context, 'roa'>,
  write: Write,
  requestId: string,
  make: () => Promise<WriteResponse>,
): Promise<WriteResponse> {
  const routes = writtenObjects(write).flatMap(routeOf);
  if (routes.length === 0) return make();
  const [made, said] = await Promise.all([make(), messagesAbout(context, routes, requestId)]);
  const isWanted = ({ severity }: Message) => write.value.options?.dryRun || severity === Severity.SEVERITY_WARNING;
  const results = made.results.map((result, at) => {
    const more = (said.get(at) ?? []).filter(isWanted);
    return { ...result, messages: [...result.messages, ...more] };
  });
  return { ...made, results };
}

/** Never rejects. */
async function messagesAbout(
  { roa }: Pick<Context, 'roa'>,
  routes: readonly SubmittedRoute[],
  requestId: string,
): Promise<ReadonlyMap<number, readonly Message[]>> {
  const requested = routes.map(({ prefix, origin }) => ({ prefix, origin }));
  const call = { deadlineMs: maxWaitMs, requestId };
  const { states, conflicts } = await roa
    .batchValidateRoutes({ routes: requested }, call)
    .catch(() => ({ states: [], conflicts: [] }));
  return new Map(
    routes.map(({ at, origin, attribute }, index) => {
      const conflict = conflicts.find(({ route }) => route === index);
      const message = messageOf(states[index], origin, conflict);
      return [at, message ? [{ ...message, attribute }] : []];
    }),
  );
}

function messageOf(state: RoaState | undefined, origin: string, conflict: RoaConflict | undefined) {
  switch (state) {
    case RoaState.ROA_STATE_VALID:
      return messages.roaValid(origin);
    case RoaState.ROA_STATE_NOT_FOUND:
      return messages.roaNotFound();
    case RoaState.ROA_STATE_INVALID:
      return messages.roaInvalid(conflict);
    default:
      return undefined;
  }
}

/** Longer texts are no prefix and no AS number. */
const maxText = 200;

function routeOf(object: SubmittedObject | undefined, at: number): SubmittedRoute[] {
  const [first] = object?.attributes ?? [];
  const type = first && objectType(first.name.trim())?.name;
  if (type !== 'route' && type !== 'route6') return [];
  const origin = object!.attributes.find(({ name }) => attributeType(name.trim())?.name === 'origin');
  if (origin === undefined || first!.value.length > maxText || origin.value.length > maxText) return [];
  const clean = (name: string, raw: string) => cleanValue({ name, raw });
  return [
    {
      at,
      prefix: clean(type, first!.value),
      origin: clean('origin', origin.value).toUpperCase(),
      attribute: { name: 'origin', value: origin.value },
    },
  ];
}
