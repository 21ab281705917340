import { expect } from 'vitest';
import { cadastre } from '../harness/cadastre.js';
import { inDatabase } from '../harness/in-database.js';
import { restClient } from '../harness/rest.js';
import type { RunningSystem } from '../harness/run-system.js';
import { type Attributes, json } from './documents.js';

/** Names of the stored objects, for requests. */
export const poison = {
  /** A set of sets with two million members in all. */
  set: 'AS64496:AS-POISON',
  /** A set with one AS number, which has many routes. */
  routedSet: 'AS64496:AS-ROUTED',
  routedAsn: 'AS65550',
  /** A person of 1 MB with many versions. Each has other lines. */
  person: 'PV1-TEST',
} as const;

/** As many members as one object may have. */
const membersOfSet = 49_000;

/** The largest sets that an account may store: `count` sets of numbers, and a set of these sets. */
export function setTexts(count: number, name: string = poison.set, members = membersOfSet): string[] {
  const parts = Array.from({ length: count }, (_, part) => {
    const first = 4_200_000_000 + part * members;
    return setText(
      `${name}-${part + 1}`,
      Array.from({ length: members }, (_, n) => `AS${first + n}`),
    );
  });
  return [
    ...parts,
    setText(
      name,
      Array.from({ length: count }, (_, part) => `${name}-${part + 1}`),
    ),
  ];
}

function setText(name: string, members: readonly string[]): string {
  return `as-set: ${name}\nmembers: ${members.join(', ')}\n${ending}`;
}

const ending = 'tech-c: AE1-TEST\nadmin-c: AE1-TEST\nmnt-by: EXAMPLE-MNT\nsource: TEST\n';

/** Many routes of one AS number, and its set. */
export function routeTexts(count: number): string[] {
  const routes = Array.from(
    { length: count },
    (_, n) =>
      `route6: 2001:db8:${n.toString(16)}::/48\norigin: ${poison.routedAsn}\nmnt-by: EXAMPLE-MNT\nsource: TEST\n`,
  );
  return [...routes, setText(poison.routedSet, [poison.routedAsn])];
}

/**
 * Networks inside very large ones: all of these decide about the abuse contact of each. 10.64.0.0/16 is inside one of
 * 900 kB, 10.65.0.0/16 inside ten of 45 kB each.
 */
export function nestedNetworkTexts(): string[] {
  const inside = Array.from({ length: 100 }, (_, n) =>
    [64, 65].map((second) => `10.${second}.${n}.0 - 10.${second}.${n}.255`),
  );
  const around = Array.from({ length: 10 }, (_, n) => networkText(`10.65.0.0 - 10.65.${255 - n}.255`, 1_000));
  return [
    networkText('10.64.0.0 - 10.64.255.255', 20_000),
    ...around,
    ...inside.flat().map((range) => networkText(range, 0)),
  ];
}

function networkText(range: string, lines: number): string {
  const remarks = 'remarks: as large as an account may store it\n'.repeat(lines);
  return `inetnum: ${range}\nnetname: POISON\ncountry: NL\nstatus: ASSIGNED PA\n${remarks}${ending}`;
}

/** Loads objects as an operator does, without the limits of accounts. */
export async function load(system: RunningSystem, texts: readonly string[]): Promise<void> {
  const args = ['load', '--source', 'TEST', '--utf8', '--wait', '-'];
  const { code, stdout, stderr } = await cadastre(system, args, texts.join('\n'));
  expect(code, `${stdout}${stderr}`.slice(0, 2_000)).toBe(0);
}

/**
 * Stores a person of 1 MB with many versions: two of them by REST, as an account does, the others as copies in the
 * database, because writing them would take minutes. Neighbours differ in every line.
 */
export async function storeVersions(
  system: RunningSystem,
  count: number,
  person: string = poison.person,
): Promise<void> {
  const rest = restClient(system);
  const { credential } = system;
  for (const [n, method] of ['POST', 'PUT'].entries()) {
    const path = `/TEST/person${n === 0 ? '' : `/${person}`}`;
    const body = json(largePerson(person, n));
    const { status, text } = await rest(path, { method, credential, contentType: 'application/json', body });
    expect(status, text.slice(-2_000)).toBe(200);
  }
  rest.close();
  // Version n has the text of the first or of the second one, by turns.
  await inDatabase(
    system.dataDirectory,
    `with current as (select * from objects.object where key = lower($1)),
     copied as (
       insert into objects.version (source_id, type, revision, operation, serial, created, instant, key, text)
       select first.source_id, first.type, n, 1, first.serial, first.created, first.instant + n * interval '1 microsecond',
         first.key, case when n % 2 = 1 then first.text else current.text end
       from objects.version first join current using (source_id, type, key), generate_series(2, $2::int - 1) n
       where first.revision = 1)
     update objects.object set revision = $2 where key = lower($1)`,
    [person, count],
  );
}

/** The largest person, with lines of one letter in an order that differs between versions. */
function largePerson(handle: string, version: number): Attributes {
  let state = version + 1;
  const letter = () => {
    state = (state * 48_271) % 2_147_483_647;
    return String.fromCharCode(97 + (state % 26)).repeat(36);
  };
  return [
    ['person', 'Poison Person'],
    ['address', 'Example Street 9'],
    ['phone', '+31 20 555 0199'],
    ['e-mail', 'poison@example.net'],
    ['nic-hdl', handle],
    ...Array.from({ length: 18_000 }, () => ['remarks', letter()] as const),
    ['mnt-by', 'EXAMPLE-MNT'],
    ['source', 'TEST'],
  ];
}
