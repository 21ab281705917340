import { ObjectWriterServiceService, WriteOutcome, type WriteResult } from '@cadastre/proto/objects';
import { CredentialKind, type Principal } from '@cadastre/proto/registry';
import { formatMessage, parseObject, samples } from '@cadastre/rpsl';
import { inMemoryClient } from '@cadastre/service/testing';
import type { Accounts, Context } from '../src/context.js';
import type { Policy } from '../src/domain/policy.js';
import { writerHandlers } from '../src/rpc/writes.js';
import type { DelegationCheck } from '../src/write/write.js';
import { inetnum, put } from './test-context.js';

const accountNames = ['alice@example.net', 'bob@example.net'];

/** The stable subject of an account. */
export const subject = (name: string) => `subject-of-${name.split('@')[0]}`;

/** Resolves alice and bob. */
export const accounts: Accounts = {
  resolve: async (names) =>
    new Map(accountNames.filter((name) => names.includes(name)).map((name) => [name, { id: subject(name), name }])),
  resolveSubjects: async (subjects) =>
    new Map(
      accountNames
        .filter((name) => subjects.includes(subject(name)))
        .map((name) => [subject(name), { id: subject(name), name }]),
    ),
};

export function principal(accountName: string, maintainers: string[] = []): Principal {
  const credentials = [CredentialKind.CREDENTIAL_KIND_API_KEY];
  return {
    credentials,
    accountId: accountName && subject(accountName),
    accountName,
    apiKeyId: '',
    maintainers,
    keyFingerprints: [],
  };
}

export const alice = principal('alice@example.net');
export const bob = principal('bob@example.net');

/** A text as the attributes that a client sends; continuation lines stay in the values. */
export function submitted(text: string) {
  const parsed = parseObject(text);
  if (!parsed.ok) throw new Error(`does not parse: ${text}`);
  return { attributes: parsed.object.attributes.map(({ name, raw }) => ({ name, value: raw })) };
}

/** Short forms of the write RPCs: by default for source TEST and by alice. */
export function writerOf(
  context: Context,
  overrides: { accounts?: Accounts; policy?: Policy; delegations?: DelegationCheck } = {},
) {
  // The operator maintains the samples.
  const policy = { ...context.policy, operatorMaintainers: ['EXAMPLE-MNT'] };
  const tools = { ...context, accounts, policy, ...overrides };
  const client = inMemoryClient(ObjectWriterServiceService, writerHandlers(tools));
  const options = (by: Principal | undefined, dryRun: boolean) => ({ principal: by, dryRun });
  return {
    client,
    create: async (text: string, by: Principal | undefined = alice, dryRun = false) => {
      const object = submitted(text);
      const type = object.attributes[0]!.name;
      return seen((await client.createObject({ source: 'TEST', type, object, options: options(by, dryRun) })).result);
    },
    update: async (type: string, key: string, text: string, by: Principal | undefined = alice, dryRun = false) => {
      const request = { key: { source: 'TEST', type, key }, object: submitted(text), options: options(by, dryRun) };
      return seen((await client.updateObject(request)).result);
    },
    remove: async (type: string, key: string, by: Principal | undefined = alice, dryRun = false, reason = '') => {
      const request = { key: { source: 'TEST', type, key }, reason, options: options(by, dryRun) };
      return seen((await client.deleteObject(request)).result);
    },
    apply: async (
      changes: readonly (readonly [action: number, text: string])[],
      by: Principal | undefined = alice,
      dryRun = false,
    ) => {
      const request = {
        source: 'TEST',
        changes: changes.map(([action, text]) => ({ action, object: submitted(text), reason: '' })),
        options: options(by, dryRun),
      };
      return (await client.applyChanges(request)).results.map(seen);
    },
  };
}

export type Seen = ReturnType<typeof seen>;

/** A result as tests check it: the short outcome, messages filled in with the first letter of their severity. */
export function seen(result: WriteResult | undefined) {
  const { outcome, messages, object, serial } = result!;
  return {
    outcome: WriteOutcome[outcome].replace('WRITE_OUTCOME_', ''),
    messages: messages.map((m) => `${'?EWI'[m.severity]} ${formatMessage(m)}`),
    text: object?.text,
    object,
    serial,
    raw: messages,
  };
}

/** The samples without the parts that need a key-cert or an organisation, whose keys the registry assigns. */
export const person = samples.person.replace(/^org:.*\n/m, '');
export const mntner = samples.mntner
  .replace(/^(?:org|mnt-ref|auth: +PGPKEY).*\n/gm, '')
  .replace('EN1-TEST', 'AE1-TEST');

/** A mntner and its person, the roots of the address space and an as-block, like those of an operator's load. */
export async function startRegistry(context: Context): Promise<void> {
  const root = edited(inetnum('0.0.0.0 - 255.255.255.255', 'ROOT'), { 'mnt-by': 'EXAMPLE-MNT' });
  for (const text of [mntner, person, root, inet6Root, asBlock]) {
    await put(context, `${text}created:        2020-01-01T00:00:00Z\nlast-modified:  2020-01-01T00:00:00Z\n`);
  }
}

const asBlock = edited(samples['as-block'], { 'as-block': 'AS65536 - AS65551', org: undefined });

const inet6Root = samples.inet6num
  .replace('2001:db8::/32', '::/0')
  .replace(/^(?:org|mnt-irt|tech-c|notify):.*\n/gm, '');

/** An object text with the attributes of these names replaced, removed, or inserted before `source`. */
export function edited(text: string, edits: Record<string, string | undefined>): string {
  const nameOf = (line: string) => line.slice(0, line.indexOf(':'));
  const lineOf = (name: string) => (edits[name] === undefined ? [] : [`${`${name}:`.padEnd(16)}${edits[name]}`]);
  const lines = text.split(/\n(?![ \t+])/).filter((line) => line !== '');
  const stored = lines.filter(
    (line, at) => !(nameOf(line) in edits) || lines.findIndex((l) => nameOf(l) === nameOf(line)) === at,
  );
  const replaced = stored.flatMap((line) => (nameOf(line) in edits ? lineOf(nameOf(line)) : [line]));
  const added = Object.keys(edits).filter((name) => !stored.some((line) => nameOf(line) === name));
  const source = replaced.findIndex((line) => nameOf(line) === 'source');
  return `${replaced.toSpliced(source < 0 ? replaced.length : source, 0, ...added.flatMap(lineOf)).join('\n')}\n`;
}
