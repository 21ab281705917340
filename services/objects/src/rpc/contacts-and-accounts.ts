import type { RegistryObject } from '@cadastre/proto/registry';
import { parseReadable, printObject, type RpslObject } from '@cadastre/rpsl';
import type { Call } from '@cadastre/service';
import type { Accounts } from '../context.js';
import { namedAccounts, withNames } from '../domain/accounts.js';
import { contactHandles, type NamedContact } from '../domain/known-objects.js';
import { contactTypes } from '../store/objects.js';
import type { Db } from '../store/stored-object.js';

/** The existing contacts of each object, in one query. */
export async function resolveContacts(
  db: Db,
  objects: readonly { readonly sourceId: number; readonly object: Pick<RpslObject, 'attributes'> }[],
): Promise<NamedContact[][]> {
  const wanted = objects.map(({ sourceId, object }) => contactHandles(object).map((nicHdl) => ({ sourceId, nicHdl })));
  const types = await contactTypes(db, wanted.flat());
  let next = 0;
  return wanted.map((handles) =>
    handles.flatMap(({ nicHdl }) => {
      const type = types[next++];
      return type === undefined ? [] : [{ nicHdl, type }];
    }),
  );
}

/**
 * Replaces subjects by account names in `auth` lines, for authorised callers. Does not replace them when the auth
 * service is unavailable.
 */
export async function withAccountNames(
  accounts: Accounts,
  objects: readonly RegistryObject[],
  call: Call,
): Promise<RegistryObject[]> {
  const parsed = objects.map(parsedWithAuth);
  const subjects = [...new Set(parsed.flatMap((object) => (object ? namedAccounts(object) : [])))];
  if (subjects.length === 0) return [...objects];
  const names = await accounts.resolveSubjects(subjects, call).catch((error: unknown) => {
    call.logger.warn({ err: error }, 'cannot look up account names; objects show subjects');
    return new Map<string, never>();
  });
  return objects.map((object, index) => {
    const seen = parsed[index];
    return seen === undefined ? object : { ...object, text: printObject(withNames(seen, names)) };
  });
}

function parsedWithAuth({ text }: RegistryObject): RpslObject | undefined {
  if (!text.includes('\nauth:')) return undefined;
  return parseReadable(text);
}
