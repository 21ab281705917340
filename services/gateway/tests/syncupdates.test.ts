import {
  type ListSignersRequest,
  SignatureForm,
  SignatureOutcome,
  type VerifySignedTextRequest,
} from '@cadastre/proto/auth';
import {
  type CreateObjectRequest,
  type DeleteObjectRequest,
  type Lookup,
  LookupStatus,
  type UpdateObjectRequest,
  WriteOutcome,
  type WriteResult,
} from '@cadastre/proto/objects';
import { CredentialKind, type Message, View } from '@cadastre/proto/registry';
import { failureMessage, ServiceError } from '@cadastre/service';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type Backends,
  exampleAuth,
  exampleReader,
  type RunningGateway,
  type SendOptions,
  startGateway,
} from './gateway.fixture.js';

type Written =
  | { create: CreateObjectRequest; update?: never; delete?: never }
  | { update: UpdateObjectRequest; create?: never; delete?: never }
  | { delete: DeleteObjectRequest; create?: never; update?: never };

/** An as-set with a name and further lines. */
const set = (name: string, extra = '') => `as-set:         ${name}\n${extra}source:         TEST\n`;
const keyCert = `key-cert:       PGPKEY-0BADCAFE
certif:         -----BEGIN PGP PUBLIC KEY BLOCK-----
certif:
certif:         abcd
+               efgh
certif:         -----END PGP PUBLIC KEY BLOCK-----
source:         TEST
`;
const signed =
  '-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nx\n-----BEGIN PGP SIGNATURE-----\n\n-----END PGP SIGNATURE-----\n';

/** The block of another signer, if it is not refused. */
function verifiedOther() {
  return refusesOther
    ? {
        outcome: SignatureOutcome.SIGNATURE_OUTCOME_REJECTED,
        text: Buffer.alloc(0),
        keyFingerprints: [],
        messages: [why],
        signatureHashes: [],
      }
    : {
        outcome: SignatureOutcome.SIGNATURE_OUTCOME_VERIFIED,
        text: Buffer.from(set('AS-OTHER')),
        keyFingerprints: ['ef01'],
        signed: new Date(),
        messages: [],
        signatureHashes: [Buffer.from('hash of other')],
      };
}

const signatureHashes = [Buffer.from('hash of outer'), Buffer.from('hash of inner')];

let gateway: RunningGateway;
let backends: Backends;
let stored: Set<string>;
let written: Written[];
let lookedUp: Lookup[];
let refused: Map<string, { outcome: WriteOutcome; messages: Message[]; text?: string }>;
let verify: VerifySignedTextRequest | undefined;
let subkeyOf: string[];
let accepted: string[];
let why: Message;
let acceptance: SignatureOutcome;
let listed: ListSignersRequest | undefined;
let outcome: SignatureOutcome;
let inside: Buffer;
let refusesOther: boolean;
let serial = 0n;

const reply = (key: string, outcome: WriteOutcome, messages: Message[] = [], text = set(key)): WriteResult => {
  const object = { source: 'TEST', type: 'as-set', key, text, revision: 1, contacts: [], tags: [] };
  return { outcome, object: { ...object, serial: 1n }, messages, serial: messages.length > 0 ? 0n : ++serial };
};
const nameOf = (request: CreateObjectRequest | UpdateObjectRequest) => request.object!.attributes[0]!.value.trim();

/** Refuses members that are not stored, like references. */
function save(request: CreateObjectRequest | UpdateObjectRequest, outcome: WriteOutcome): WriteResult {
  const name = nameOf(request);
  const refusal = refused.get(name);
  if (refusal) return reply(name, refusal.outcome, refusal.messages, refusal.text);
  const member = request.object!.attributes.find((attribute) => attribute.name === 'members')?.value.trim();
  if (member !== undefined && !stored.has(member)) {
    const message = failureMessage('Unknown object referenced %s', [member]);
    return reply(name, WriteOutcome.WRITE_OUTCOME_INVALID, [message]);
  }
  if (request.options?.dryRun) return { ...reply(name, outcome), serial: 0n };
  stored.add(name);
  return reply(name, outcome);
}

beforeAll(async () => {
  backends = {
    auth: exampleAuth,
    reader: {
      ...exampleReader,
      findKeyCerts: async () => ({ names: subkeyOf }),
      batchLookup: async ({ lookups }) => {
        lookedUp.push(...lookups);
        return {
          answers: lookups.map(({ key }) => {
            const text = key!.key === 'PGPKEY-0BADCAFE' ? keyCert : set(key!.key);
            const found = stored.has(key!.key) || key!.type === 'key-cert';
            const object = { source: 'TEST', type: key!.type, key: key!.key, text, revision: 1, serial: 1n };
            return found
              ? { status: LookupStatus.LOOKUP_STATUS_FOUND, object: { ...object, contacts: [], tags: [] } }
              : { status: LookupStatus.LOOKUP_STATUS_NOT_FOUND };
          }),
        };
      },
    },
    writer: {
      createObject: async (create) => {
        written.push({ create });
        if (nameOf(create) === 'AS-BROKEN') throw new ServiceError('unavailable', 'The database is away');
        return { result: save(create, WriteOutcome.WRITE_OUTCOME_CREATED) };
      },
      updateObject: async (update) => {
        written.push({ update });
        return { result: save(update, WriteOutcome.WRITE_OUTCOME_MODIFIED) };
      },
      deleteObject: async (request) => {
        written.push({ delete: request });
        const { key } = request.key!;
        const result = stored.delete(key)
          ? reply(key, WriteOutcome.WRITE_OUTCOME_DELETED)
          : { outcome: WriteOutcome.WRITE_OUTCOME_NOT_FOUND, messages: [], serial: 0n };
        return { result };
      },
    },
    signatures: {
      listSigners: async (request) => {
        listed = request;
        const names = ['PGPKEY-0BADCAFE'];
        return { form: SignatureForm.SIGNATURE_FORM_PGP, pgpKeyIds: ['00000000 0badcafe'], keyCertNames: names };
      },
      acceptSignatures: async ({ signatureHashes }) => {
        accepted.push(...signatureHashes.map(String));
        return { outcome: acceptance, messages: [] };
      },
      verifySignedText: async (request) => {
        verify = request;
        if (String(request.signedText).includes('other')) return verifiedOther();
        const messages = [why];
        const verified = outcome === SignatureOutcome.SIGNATURE_OUTCOME_VERIFIED;
        return verified
          ? { outcome, text: inside, keyFingerprints: ['abcd'], signed: new Date(), messages: [], signatureHashes }
          : { outcome, text: Buffer.alloc(0), keyFingerprints: [], messages, signatureHashes: [] };
      },
    },
  };
  gateway = await startGateway(backends);
});
afterAll(() => gateway.stop());
beforeEach(() => {
  stored = new Set();
  written = [];
  lookedUp = [];
  refused = new Map();
  verify = undefined;
  refusesOther = false;
  subkeyOf = [];
  accepted = [];
  why = failureMessage('Message was signed more than one hour ago');
  acceptance = SignatureOutcome.SIGNATURE_OUTCOME_VERIFIED;
  listed = undefined;
  outcome = SignatureOutcome.SIGNATURE_OUTCOME_VERIFIED;
  inside = Buffer.from(set('AS-INSIDE').replaceAll('\n', '\r\n'));
});

const text = { 'content-type': 'text/plain' };
const sync = (body: string | Buffer, more: SendOptions = {}, path = '/syncupdates/TEST') =>
  gateway.send(path, { method: 'POST', headers: text, body, ...more });
const order = () =>
  written.map((one) =>
    one.delete ? `delete ${one.delete.key!.key}` : `${Object.keys(one)[0]} ${nameOf((one.create ?? one.update)!)}`,
  );
const countOf = (report: string, label: string) => new RegExp(`^ *${label}: +(\\d+)$`, 'm').exec(report)?.[1];

describe('objects', () => {
  it('are created when they do not exist, else updated, or deleted for a reason', async () => {
    stored = new Set(['AS-OLD', 'AS-GONE']);
    const received = await sync(
      `\n\n${set('AS-NEW')}\n \n\n${set('AS-OLD')}\r\n\r\n${set('AS-GONE', 'delete: not used\n')}`,
    );
    expect(received.status).toBe(200);
    expect(order()).toEqual(['create AS-NEW', 'update AS-OLD', 'delete AS-GONE']);
    expect(written[0]?.create).toMatchObject({
      source: 'TEST',
      type: 'as-set',
      options: { dryRun: false, clientAddress: '127.0.0.1' },
    });
    expect(written[2]?.delete?.reason).toBe('not used');
    expect(written[2]?.delete?.object?.attributes.map(({ name }) => name)).toEqual(['as-set', 'source']);
    expect(received.headers['cadastre-serial']).toBe(String(serial));
  });

  it('that refer to later ones are tried again while others succeed', async () => {
    const c = set('AS-C', 'members: AS-B\n');
    const received = await sync(
      [c, set('AS-B', 'members: AS-A\n'), set('AS-A'), set('AS-X', 'members: AS-Y\n')].join('\n'),
    );
    expect([...stored]).toEqual(['AS-A', 'AS-B', 'AS-C']);
    expect(order().filter((one) => one === 'create AS-X').length).toBe(3);
    expect([received.status, countOf(received.text, 'Number of objects processed with errors')]).toEqual([200, '1']);
  });

  it('cost two attempts each at most, however long the chain of references to later ones is', async () => {
    const names = Array.from({ length: 50 }, (_, n) => `AS-CHAIN${n}`);
    const chain = names.map((name, n) => set(name, n < 49 ? `members: AS-CHAIN${n + 1}\n` : ''));
    expect((await sync(chain.join('\n'))).status).toBe(200);
    expect(stored.size).toBe(50);
    expect(order().length).toBe(99);
  });

  it('are tried ten times at most, in whatever order they come', async () => {
    // Each refers to one at the other end: a round in either direction stores only one.
    const at = (n: number) => (n % 2 === 0 ? n / 2 : 99 - (n - 1) / 2);
    const zigzag = Array.from({ length: 100 }, (_, n) => [
      at(n),
      set(`AS-Z${n}`, n < 99 ? `members: AS-Z${n + 1}\n` : ''),
    ]);
    const sorted = zigzag.sort(([a], [b]) => Number(a) - Number(b)).map(([, one]) => one);
    await sync(sorted.join('\n'));
    const attempts = Map.groupBy(order(), (one) => one);
    expect(Math.max(...[...attempts.values()].map((all) => all.length))).toBe(10);
  });

  it('that name one object twice are tried in the order in which they came', async () => {
    const both = [set('AS-TWICE', 'members: AS-B\nremarks: 1\n'), set('AS-TWICE', 'members: AS-B\nremarks: 2\n')];
    await sync([...both, set('AS-B')].join('\n'));
    expect(order().slice(-2)).toEqual(['create AS-TWICE', 'update AS-TWICE']);
    const remarks = written.at(-1)?.update?.object?.attributes.find(({ name }) => name === 'remarks');
    expect(remarks?.value.trim()).toBe('2');
  });

  it('are not tried again in a dry run', async () => {
    const received = await sync(`${set('AS-C', 'members: AS-B\n')}\ndry-run:\n\n${set('AS-B')}`);
    expect(order()).toEqual(['create AS-C', 'create AS-B']);
    expect(written.every((one) => one.create?.options?.dryRun)).toBe(true);
    expect(stored.size).toBe(0);
    expect(received.headers['cadastre-serial']).toBeUndefined();
  });

  it('dry-run may be a parameter; a mistyped one writes nothing (W7)', async () => {
    await sync(set('AS-A'), {}, '/syncupdates/TEST?dry-run');
    expect(written[0]?.create?.options?.dryRun).toBe(true);
    expect((await sync(set('AS-A'), {}, '/syncupdates/TEST?dry-run=yes')).status).toBe(400);
    expect(written.length).toBe(1);
  });

  it('that are refused for want of authority make it 401, and the others are stored', async () => {
    refused.set('AS-A', {
      outcome: WriteOutcome.WRITE_OUTCOME_UNAUTHORISED,
      messages: [failureMessage('Authorisation for [%s] %s failed\nusing "%s:"', ['as-set', 'AS-A', 'mnt-by'])],
    });
    const received = await sync(`${set('AS-A')}\n${set('AS-B')}`);
    expect([received.status, [...stored]]).toEqual([401, ['AS-B']]);
    expect(received.headers['www-authenticate']).toMatch(/^Basic/);
    expect(received.text).toContain(
      '***Error:   Authorisation for [as-set] AS-A failed\n            using "mnt-by:"\n',
    );
  });

  it('that break do not keep others from being stored, and are not tried again', async () => {
    const received = await sync(`${set('AS-BROKEN')}\n${set('AS-B')}`);
    expect([received.status, [...stored]]).toEqual([503, ['AS-B']]);
    expect(order()).toEqual(['create AS-BROKEN', 'create AS-B']);
    expect(received.text).toContain('Create FAILED: [as-set] AS-BROKEN\n');
  });

  it('a reason for deletion may be of blanks, however many', async () => {
    stored.add('AS-A');
    const headers = { ...text, authorization: 'Basic good' };
    await sync(set('AS-A', `Delete :${' '.repeat(300_000)}\u2028\n`), { headers });
    expect(written[0]?.delete?.reason).toBe('');
  });

  it('a deletion has one reason, and is none of a new object', async () => {
    stored.add('AS-A');
    expect((await sync(set('AS-A', 'delete: a\ndelete: b\n'))).text).toContain('Multiple reasons specified for delete');
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = new URLSearchParams({ DATA: set('AS-A', 'delete: a\n'), NEW: 'yes' }).toString();
    expect((await sync(body, { headers: form })).text).toContain('delete is not allowed when keyword NEW is specified');
    expect(written).toEqual([]);
  });
});

describe('the acknowledgement', () => {
  it('counts, and explains failures before successes', async () => {
    stored = new Set(['AS-OLD', 'AS-SAME']);
    const long = 'a word and another one '.repeat(5).trim();
    const about = { name: 'source', value: '         TEST' };
    refused.set('AS-BAD', {
      outcome: WriteOutcome.WRITE_OUTCOME_INVALID,
      messages: [
        { ...failureMessage('Unrecognized source: %s', ['TEST']), attribute: about },
        failureMessage('%s', [long]),
      ],
    });
    refused.set('AS-SAME', {
      outcome: WriteOutcome.WRITE_OUTCOME_UNCHANGED,
      messages: [{ ...failureMessage('Submitted object identical to database object'), severity: 2 }],
    });
    const objects = [set('AS-BAD'), set('AS-OLD'), set('AS-SAME'), set('AS-NONE', 'delete: x\n'), 'what is: this'];
    const received = await sync(objects.join('\n\n'));
    expect(received.headers['content-type']).toBe('text/plain;charset=utf-8');
    const rest = received.text.replace(
      /^ - From-Host: 127\.0\.0\.1\n - Date\/Time: \w{3} \w{3} \d\d [\d:]{8} \d{4}\n/,
      '',
    );
    expect(rest.slice(0, rest.lastIndexOf('~'.repeat(52)))).toBe(`
SUMMARY OF UPDATE:

Number of objects found:                   4
Number of objects processed successfully:  2
  Create:         0
  Modify:         1
  Delete:         0
  No Operation:   1
Number of objects processed with errors:   2
  Create:         1
  Modify:         0
  Delete:         1

DETAILED EXPLANATION:

${'~'.repeat(52)}
The following object(s) were found to have ERRORS:

---
Create FAILED: [as-set] AS-BAD

as-set:         AS-BAD
source:         TEST
***Error:   Unrecognized source: TEST

***Error:   a word and another one a word and another one a word and another one
            a word and another one a word and another one

---
Delete FAILED: [as-set] AS-NONE

as-set:         AS-NONE
source:         TEST

***Error:   Object AS-NONE does not exist in the database

${'~'.repeat(52)}
The following object(s) were processed SUCCESSFULLY:

---
Modify SUCCEEDED: [as-set] AS-OLD

---
No operation: [as-set] AS-SAME

***Warning: Submitted object identical to database object

${'~'.repeat(52)}
The following paragraph(s) do not look like objects
and were NOT PROCESSED:

---
what is: this

`);
  });
});

it('the acknowledgement tells each of many faults with its attribute', async () => {
  const names = Array.from({ length: 10_000 }, (_, n) => `AS-${n + 1}`);
  const text = set('AS-BAD', names.map((name) => `members:        ${name}\n`).join(''));
  const messages = names.map((name) => ({
    ...failureMessage('No %s', [name]),
    attribute: { name: 'members', value: `        ${name}` },
  }));
  refused.set('AS-BAD', { outcome: WriteOutcome.WRITE_OUTCOME_INVALID, messages, text });
  const received = await sync(set('AS-BAD'));
  expect(received.text).toContain(
    'members:        AS-1\n***Error:   No AS-1\nmembers:        AS-2\n***Error:   No AS-2\n',
  );
  expect(received.text.match(/\*\*\*Error/g)).toHaveLength(10_000);
});

describe('carriers', () => {
  const name = 'AS-FORM';
  const descr = 'descr:          Zürich & 100% + x\n';
  const value = () => written[0]?.create?.object?.attributes[1]?.value.trim();
  const multipart = { 'content-type': 'multipart/form-data; boundary=xyz' };
  const part = (name: string, content: string) =>
    `--xyz\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${content}\r\n`;
  const latin1 = { 'content-type': 'text/plain; charset=iso-8859-1' };
  const notLatin1 = "not in the character set 'iso-8859-1'";
  const urlencoded = (charset = '') => ({ 'content-type': `application/x-www-form-urlencoded${charset}` });

  it.each<[string, Record<string, string>, string | Buffer]>([
    ['text', text, set(name, descr)],
    ['text in latin-1', latin1, Buffer.from(set(name, descr), 'latin1')],
    ['a form', urlencoded(), new URLSearchParams({ DATA: set(name, descr) }).toString()],
    [
      'a form in latin-1',
      urlencoded(';charset=latin1'),
      `NEW=no&DATA=${encodeURIComponent(set(name, descr)).replace('%C3%BC', '%FC')}`,
    ],
    ['a form in parts', multipart, `${part('DATA', set(name, descr))}--xyz--\r\n`],
    [
      'a form with what is not quite encoded',
      urlencoded(),
      `DATA=${set(name, 'descr: Z%C3%bcrich+&').replace('&', '%26+100%+%2B+x%0A')}`,
    ],
  ])('%s', async (_, headers, body) => {
    expect((await sync(body, { headers })).status).toBe(200);
    expect(value()).toBe('Zürich & 100% + x');
  });

  it('NEW creates only', async () => {
    stored.add(name);
    await sync(new URLSearchParams({ DATA: set(name), NEW: 'yes' }).toString(), { headers: urlencoded() });
    expect(order()).toEqual([`create ${name}`]);
  });

  it.each<[string, Record<string, string>, string | Buffer, number, string]>([
    ['nothing', text, '', 400, 'DATA parameter is missing'],
    ['blanks', text, ' \n\n', 400, 'DATA parameter is missing'],
    ['a form without DATA', urlencoded(), 'data=x', 400, 'DATA parameter is missing'],
    ['DIFF', urlencoded(), 'DATA=x&DIFF=yes', 400, 'the DIFF method is not actually supported'],
    ['DIFF without DATA', urlencoded(), 'DIFF=yes', 400, 'the DIFF method is not actually supported'],
    ['NEW without DATA', urlencoded(), 'NEW=yes', 400, 'DATA parameter is missing'],
    ['HELP=no without DATA', urlencoded(), 'HELP=no', 400, 'DATA parameter is missing'],
    ['HELP without DATA', urlencoded(), 'HELP=yes', 200, 'POST objects as RPSL text'],
    ['a password field', urlencoded(), 'DATA=x&password=hush', 400, "Parameter 'password'"],
    ['a password line', text, set('AS-A', 'password: hush\n'), 400, "Parameter 'password'"],
    ['an override line', text, `${set('AS-A')}\nOVERRIDE : hush`, 400, "Parameter 'override'"],
    ['a broken form', { 'content-type': 'multipart/form-data; boundary=xyz' }, 'x', 400, 'Invalid request'],
    ['octets that are no UTF-8', text, Buffer.from([0x61, 0xfc]), 400, 'not valid in the character set'],
    ['UTF-16 with a mark as latin-1', latin1, Buffer.from(`\uFEFF${set('AS-A')}`, 'utf16le'), 400, notLatin1],
    ['UTF-16 as latin-1', latin1, Buffer.from(set('AS-A'), 'utf16le'), 400, notLatin1],
    ['signed UTF-16 as latin-1', latin1, Buffer.from(signed, 'utf16le'), 400, notLatin1],
    ['UTF-16 in a form in latin-1', urlencoded(';charset=iso-8859-1'), 'DATA=%FF%FEa%00', 400, notLatin1],
    ['a form in UTF-16', urlencoded(), Buffer.from('DATA=a', 'utf16le'), 400, "not in the character set 'us-ascii'"],
    ['JSON', { 'content-type': 'application/json' }, '{}', 415, "Content-Type 'application/json'"],
    ['too many objects', text, `${set('AS-A')}\n`.repeat(101), 400, 'More than 100 objects'],
    ['many blank lines', text, `a${'\n'.repeat(5_000_000)}b`, 400, 'More than 100000 lines'],
    ['many blank lines of CR', text, `a${'\r'.repeat(5_000_000)}b`, 400, 'More than 100000 lines'],
    ['many lines of blanks', text, `${set('AS-A')}${' \n'.repeat(100_000)}`, 400, 'More than 100000 lines'],
    ['many continuation lines', text, `${set('AS-A')}${'+\n'.repeat(100_000)}`, 400, 'More than 100000 lines'],
    ['many attributes', text, set('AS-A', 'remarks: x\n'.repeat(25_000)), 400, 'More than 25000 attributes'],
    ['many fields', urlencoded(), `DATA=x${'&a=b'.repeat(100)}`, 400, 'Invalid request'],
    [
      'many parts',
      multipart,
      `${part('DATA', set('AS-A'))}${part('a', '').repeat(100)}--xyz--\r\n`,
      400,
      'Invalid request',
    ],
    [
      'a part with long headers',
      multipart,
      `${part('D'.repeat(5000), 'x')}${part('DATA', set('AS-A'))}--xyz--\r\n`,
      400,
      'Invalid request',
    ],
  ])('%s is refused in text, and nothing is written', async (_, headers, body, status, said) => {
    // Without credentials, the gateway reads no large body.
    const received = await sync(body, { headers: { authorization: 'Basic good', ...headers } });
    expect([received.status, received.headers['content-type']]).toEqual([status, 'text/plain;charset=utf-8']);
    expect(received.text).toContain(said);
    expect(received.text).not.toContain('hush');
    expect(written).toEqual([]);
  });

  it.each<[string, SendOptions, number]>([
    ['/syncupdates/EXAMPLE-GRS', {}, 400],
    ['/syncupdates/NOWHERE', {}, 400],
    ['/syncupdates/TEST', { secure: false }, 426],
    ['/syncupdates/TEST', { headers: { ...text, authorization: 'Basic bad' } }, 401],
    ['/syncupdates/TEST', { headers: { ...text, origin: 'https://evil.example' } }, 403],
    ['/syncupdates/TEST', { method: 'PUT' }, 405],
    ['/syncupdates', {}, 404],
  ])('%s %j is %d', async (path, options, status) => {
    expect((await sync(set('AS-A'), options, path)).status).toBe(status);
    expect(written).toEqual([]);
  });
});

describe('signed updates (W9)', () => {
  const principal = () => written[0]?.create?.options?.principal;

  it('are verified with the key-cert objects that are named, and written by the signers', async () => {
    expect((await sync(signed)).status).toBe(200);
    expect(listed?.signedText.toString()).toBe(signed);
    expect(lookedUp[0]).toMatchObject({
      key: { source: 'TEST', type: 'key-cert', key: 'PGPKEY-0BADCAFE' },
      view: View.VIEW_UNFILTERED,
    });
    expect(verify?.candidatePgpKeys).toEqual([
      '-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nabcd\nefgh\n-----END PGP PUBLIC KEY BLOCK-----',
    ]);
    expect(order()).toEqual(['create AS-INSIDE']);
    expect(principal()).toMatchObject({
      credentials: [CredentialKind.CREDENTIAL_KIND_SIGNATURE],
      accountName: '',
      keyFingerprints: ['abcd'],
    });
  });

  it('are verified with the key-cert objects of the keys that they have as subkeys', async () => {
    subkeyOf = ['PGPKEY-0BADCAFE', 'PGPKEY-FFFFFFFF'];
    await sync(signed);
    expect(lookedUp.slice(0, 2).map(({ key }) => key?.key)).toEqual(['PGPKEY-0BADCAFE', 'PGPKEY-FFFFFFFF']);
  });

  it('use their signatures up, unless it is a dry run or the text inside is refused', async () => {
    inside = Buffer.from(`dry-run:\n${set('AS-INSIDE')}`);
    await sync(signed);
    expect([accepted, written.map(({ create }) => create?.options?.dryRun)]).toEqual([[], [true]]);
    inside = Buffer.from(`password: hush\n${set('AS-INSIDE')}`);
    expect((await sync(signed)).status).toBe(400);
    expect(accepted).toEqual([]);
    inside = Buffer.from(set('AS-INSIDE'));
    verify = undefined;
    expect([(await sync(signed)).status, accepted]).toEqual([200, ['hash of outer', 'hash of inner']]);
    expect(verify).toMatchObject({ checkOnly: true });
  });

  it('whose signature was used in the meantime write nothing', async () => {
    acceptance = SignatureOutcome.SIGNATURE_OUTCOME_REJECTED;
    expect([(await sync(signed)).status, written]).toEqual([401, []]);
  });

  it.each<[string, Record<string, string>, string, string]>([
    ['dry-run', text, signed, '/syncupdates/TEST?dry-run'],
    ['dry-run', text, '-----BEGIN CMS-----\nAAAA\n-----END CMS-----\n', '/syncupdates/TEST?dry-run=true'],
    [
      'NEW',
      { 'content-type': 'application/x-www-form-urlencoded' },
      new URLSearchParams({ DATA: signed, NEW: 'yes' }).toString(),
      '/syncupdates/TEST',
    ],
  ])('take no %s that the signature does not cover', async (name, headers, body, path) => {
    const received = await sync(body, { headers }, path);
    const said = `The signature of the text does not cover the parameter ${name}: leave it out`;
    expect([received.status, received.text]).toEqual([400, said]);
    expect([verify, listed, written]).toEqual([undefined, undefined, []]);
  });

  it.each<[string, Record<string, string>, string]>([
    ['octets', text, signed.replace('\nx\n', `\n${'x'.repeat(65_536)}\n`)],
    ['lines', text, signed.replace('\nx\n', '\n'.repeat(4_096))],
    ['octets of CMS', { 'content-type': 'application/cms' }, 'x'.repeat(65_537)],
  ])('with too many %s are refused before anybody looks at them', async (_, headers, body) => {
    const received = await sync(body, { headers });
    expect([received.status, received.text]).toEqual([
      413,
      'A signed text may have at most 65536 octets and 4096 lines',
    ]);
    expect([verify, listed]).toEqual([undefined, undefined]);
  });

  it('go along with an API key', async () => {
    await sync(signed, { headers: { ...text, authorization: 'Basic good' } });
    expect(principal()).toMatchObject({ accountName: 'alice@example.net', keyFingerprints: ['abcd'] });
  });

  it.each([
    ['PEM', text, '-----BEGIN CMS-----\nAAAA\n-----END CMS-----\n'],
    ['DER', { 'content-type': 'application/pkcs7-mime; smime-type=signed-data' }, Buffer.from([0x30, 0x80, 0xff])],
  ])('may be CMS in %s form', async (_, headers, body) => {
    expect((await sync(body, { headers })).status).toBe(200);
    expect(verify?.signedText).toEqual(Buffer.from(body));
    expect(order()).toEqual(['create AS-INSIDE']);
  });

  it('whose signature is refused are 401 with the reason, an API key notwithstanding', async () => {
    outcome = SignatureOutcome.SIGNATURE_OUTCOME_REJECTED;
    const received = await sync(signed, { headers: { ...text, authorization: 'Basic good' } });
    expect([received.status, received.text]).toEqual([401, 'Message was signed more than one hour ago']);
    expect(written).toEqual([]);
  });

  it('whose signatures are refused count as failed credentials, used ones too', async () => {
    const limited = await startGateway(backends, { CADASTRE_LIMITS: 'failed-credentials=2' });
    try {
      const status = async (body: string) => {
        return (await limited.send('/syncupdates/TEST', { method: 'POST', headers: text, body })).status;
      };
      acceptance = SignatureOutcome.SIGNATURE_OUTCOME_REJECTED;
      expect(await status(signed)).toBe(401);
      outcome = SignatureOutcome.SIGNATURE_OUTCOME_REJECTED;
      expect([await status(signed), await status(signed)]).toEqual([401, 401]);
      listed = undefined;
      expect([await status(signed), listed]).toEqual([429, undefined]);
      expect(await status(set('AS-UNSIGNED'))).toBe(200);
    } finally {
      await limited.stop();
    }
  });

  it('whose certificate has expired name its key-cert', async () => {
    outcome = SignatureOutcome.SIGNATURE_OUTCOME_REJECTED;
    why = failureMessage('Certificate in keycert %s has expired', ['ab'.repeat(32)]);
    subkeyOf = ['X509-1103'];
    expect((await sync(signed)).text).toBe('Certificate in keycert X509-1103 has expired');
  });

  it('that are not signed after all are 400', async () => {
    outcome = SignatureOutcome.SIGNATURE_OUTCOME_UNSIGNED;
    expect((await sync(Buffer.from('x'), { headers: { 'content-type': 'application/cms' } })).status).toBe(400);
  });

  describe('beside other text', () => {
    const other = signed.replace('\nx\n', '\nother\n');
    const credential = { headers: { ...text, authorization: 'Basic good' } };
    const signers = () => written.map(({ create }) => create?.options?.principal?.keyFingerprints ?? []);

    it.each([
      ['before', `${set('AS-OUTSIDE')}\n${signed}`, ['AS-OUTSIDE', 'AS-INSIDE'], [[], ['abcd']]],
      ['behind', `${signed}\n${set('AS-OUTSIDE')}`, ['AS-INSIDE', 'AS-OUTSIDE'], [['abcd'], []]],
      ['between', `${signed}\n${set('AS-OUTSIDE')}\n\n${other}`, undefined, [['abcd'], [], ['ef01']]],
      ['in lines that end with CR', `${signed}${set('AS-OUTSIDE')}`.replaceAll('\n', '\r'), undefined, [['abcd'], []]],
    ])('objects %s the signed block do not get its credential', async (_, body, names, expected) => {
      expect((await sync(body)).status).toBe(200);
      if (names) expect(order()).toEqual(names.map((name) => `create ${name}`));
      expect(signers()).toEqual(expected);
    });

    it('unsigned objects have the credentials of the request', async () => {
      await sync(`${signed}\n${set('AS-OUTSIDE')}`, credential);
      expect(written.map(({ create }) => create?.options?.principal)).toMatchObject([
        { accountName: 'alice@example.net', keyFingerprints: ['abcd'] },
        { accountName: 'alice@example.net', keyFingerprints: [] },
      ]);
    });

    it('blocks of two signers are both judged, and their signatures used up together', async () => {
      expect((await sync(`${signed}\n${other}`)).status).toBe(200);
      expect([order(), signers()]).toEqual([
        ['create AS-INSIDE', 'create AS-OTHER'],
        [['abcd'], ['ef01']],
      ]);
      expect(accepted).toEqual(['hash of outer', 'hash of inner', 'hash of other']);
    });

    it('objects of two signers that share a placeholder are no single write', async () => {
      inside = Buffer.from(set('AUTO-1', 'members: AS-B\n'));
      await sync(`${signed}\n${set('AS-B', 'tech-c: AUTO-1\n')}`);
      expect(signers()).toContainEqual([]);
      expect(signers()).toContainEqual(['abcd']);
    });

    it('a block whose signature is refused keeps the others from being written', async () => {
      refusesOther = true;
      expect((await sync(`${signed}\n${set('AS-OUTSIDE')}\n${other}`)).status).toBe(401);
      expect([written, accepted]).toEqual([[], []]);
    });

    it.each([
      ['a dry run that no signature covers', `${signed}\ndry-run:\n${set('AS-OUTSIDE')}`, 'does not cover'],
      ['more than five signatures', `${signed}${signed}${other}${other}`, 'at most 5 signatures'],
      ['a block without an end', signed.replace('-----END PGP SIGNATURE-----', ''), 'The text is not signed'],
      ['a password outside', `${signed}\n${set('AS-OUTSIDE', 'password: hush\n')}`, "Parameter 'password'"],
    ])('%s is refused', async (_, body, said) => {
      if (body.includes('-----END') === false) outcome = SignatureOutcome.SIGNATURE_OUTCOME_UNSIGNED;
      const received = await sync(body);
      expect([received.status, received.text]).toEqual([400, expect.stringContaining(said)]);
      expect([written, accepted]).toEqual([[], []]);
    });

    it('a dry run in one block is one of the whole text', async () => {
      inside = Buffer.from(`dry-run:\n${set('AS-INSIDE')}`);
      await sync(`${signed}\n${set('AS-OUTSIDE')}`);
      expect(written.map(({ create }) => create?.options?.dryRun)).toEqual([true, true]);
      expect(accepted).toEqual([]);
    });
  });

  it('carry no secrets inside either (W8)', async () => {
    inside = Buffer.from(set('AS-INSIDE', 'password: hush\n'));
    const received = await sync('-----BEGIN PKCS7-----\nAAAA\n-----END PKCS7-----');
    expect([received.status, received.text]).toEqual([400, expect.not.stringContaining('hush')]);
    expect(written).toEqual([]);
  });
});
