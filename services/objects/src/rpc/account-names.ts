import type { RegistryObject } from '@cadastre/proto/registry';
import { parseObject, printObject, type RpslObject } from '@cadastre/rpsl';
import type { Call } from '@cadastre/service';
import type { Accounts } from '../context.js';
import { namedAccounts, withNames } from '../domain/account-subjects.js';

/**
 * Objects that are shown to those who may see their `auth`: accounts by their names instead of their subjects. When
 * nobody can tell the names, the subjects stay.
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
    call.logger.warn({ err: error }, 'accounts are shown by their subjects');
    return new Map<string, never>();
  });
  return objects.map((object, index) => {
    const seen = parsed[index];
    return seen === undefined ? object : { ...object, text: printObject(withNames(seen, names)) };
  });
}

function parsedWithAuth({ text }: RegistryObject): RpslObject | undefined {
  if (!text.includes('\nauth:')) return undefined;
  const parsed = parseObject(text);
  return parsed.ok ? parsed.object : undefined;
}
