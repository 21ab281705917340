import {
  type ApplyChangesRequest,
  ChangeAction,
  KeyOutcome,
  WriteOutcome,
  type WriteResult,
} from '@cadastre/proto/objects';
import { failureMessage } from '@cadastre/service';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { exampleAuth, exampleReader, type RunningGateway, type SendOptions, startGateway } from './gateway.fixture.js';

let gateway: RunningGateway;
let applied: ApplyChangesRequest[];
let outcomes: WriteOutcome[];
/** Whether the response to a write shows an object. */
let isShown: (key: string) => boolean;

beforeAll(async () => {
  gateway = await startGateway({
    auth: exampleAuth,
    reader: exampleReader,
    writer: {
      write: async ({ write }) => {
        const request = write!.value as ApplyChangesRequest;
        applied.push(request);
        return { results: resultsOf(request), keyOutcome: KeyOutcome.KEY_OUTCOME_UNSPECIFIED };
      },
    },
  });
});
afterAll(() => gateway.stop());
beforeEach(() => {
  applied = [];
  isShown = () => true;
  outcomes = [created, created, created];
});

const created = WriteOutcome.WRITE_OUTCOME_CREATED;
const modified = WriteOutcome.WRITE_OUTCOME_MODIFIED;
const deleted = WriteOutcome.WRITE_OUTCOME_DELETED;
const skipped = WriteOutcome.WRITE_OUTCOME_SKIPPED;
const stored = [created, modified, deleted];

function resultsOf({ changes }: ApplyChangesRequest): WriteResult[] {
  return changes.map(({ object }, at) => resultOf(object!.attributes[0]!.value, outcomes[at]!));
}

function resultOf(key: string, outcome: WriteOutcome): WriteResult {
  const text = `as-set:         ${key}\nsource:         TEST\n`;
  const object = { source: 'TEST', type: 'as-set', key, text, revision: 1, serial: 1n, contacts: [], tags: [] };
  const isStored = stored.includes(outcome);
  const messages = isStored || outcome === skipped ? [] : [failureMessage(`refused: ${key}`)];
  return { outcome, ...(isShown(key) && { object }), messages, serial: isStored ? 9n : 0n };
}

const set = (name: string, action?: string) => ({
  ...(action === undefined ? {} : { action }),
  attributes: {
    attribute: [
      { name: 'as-set', value: name },
      { name: 'source', value: 'TEST' },
    ],
  },
});
const headers = { authorization: 'Basic good', 'content-type': 'application/json' };
const batch = (objects: readonly object[], more: SendOptions = {}, path = '/batch/TEST') => {
  const body = JSON.stringify({ objects: { object: objects } });
  return gateway.send(path, { method: 'POST', headers: { accept: 'application/json', ...headers }, body, ...more });
};

describe('a batch', () => {
  it('creates, updates and deletes objects in one transaction', async () => {
    outcomes = [created, modified, deleted];
    const received = await batch([set('AS-NEW'), set('AS-OLD', 'CREATE'), set('AS-OLD2', 'DELETE')]);
    expect([received.status, received.headers['cadastre-serial']]).toEqual([200, '9']);
    expect(applied).toHaveLength(1);
    expect(applied[0]).toMatchObject({
      source: 'TEST',
      changes: [
        { action: ChangeAction.CHANGE_ACTION_PUT },
        { action: ChangeAction.CHANGE_ACTION_PUT },
        { action: ChangeAction.CHANGE_ACTION_DELETE, reason: 'Batch Delete' },
      ],
      options: { dryRun: false, principal: { accountName: 'alice@example.net' }, clientAddress: '127.0.0.1' },
    });
    const { objects } = JSON.parse(received.text);
    expect(objects.object.map(({ link }: { link: { href: string } }) => link.href.split('/').at(-1))).toEqual([
      'AS-NEW',
      'AS-OLD',
      'AS-OLD2',
    ]);
  });

  it('may be XML, with actions as attributes', async () => {
    const body = `<whois-resources><objects>
      <object><attributes><attribute name="inetnum" value="192.0.2.0/24"/></attributes></object>
      <object action="DELETE"><attributes><attribute name="AS-SET" value="AS-OLD"/></attributes></object>
    </objects></whois-resources>`;
    await batch([], { headers: { ...headers, 'content-type': 'application/xml' }, body });
    expect(applied[0]?.changes.map(({ action }) => action)).toEqual([
      ChangeAction.CHANGE_ACTION_PUT,
      ChangeAction.CHANGE_ACTION_DELETE,
    ]);
  });

  it('accepts the reason of deletions and a dry run', async () => {
    await batch([set('AS-OLD', 'DELETE')], {}, '/batch/TEST?delete-reason=gone&dry-run');
    expect(applied[0]).toMatchObject({ changes: [{ reason: 'gone' }], options: { dryRun: true } });
  });

  it.each([
    [[created, WriteOutcome.WRITE_OUTCOME_INVALID], 400],
    [[skipped, WriteOutcome.WRITE_OUTCOME_UNAUTHORISED], 401],
    [[skipped, WriteOutcome.WRITE_OUTCOME_NOT_FOUND], 404],
    [[WriteOutcome.WRITE_OUTCOME_INVALID, WriteOutcome.WRITE_OUTCOME_REFERENCED], 409],
  ])('with the outcomes %j has the status %d, and every object', async (given, status) => {
    outcomes = given;
    const received = await batch([set('AS-A'), set('AS-B')]);
    const { objects, errormessages } = JSON.parse(received.text);
    expect([received.status, objects.object.length]).toEqual([status, 2]);
    expect(errormessages.errormessage.map(({ text }: { text: string }) => text)).toContain('refused: AS-B');
  });

  it.each<[string, readonly object[], SendOptions, string, number, string]>([
    ['no objects', [], {}, '/batch/TEST', 400, 'At least one object is expected'],
    ['an empty body', [], { body: '' }, '/batch/TEST', 400, 'At least one object is expected'],
    ['an unknown action', [set('AS-A', 'REMOVE')], {}, '/batch/TEST', 400, "Unknown action '%s'"],
    ['an object without attributes', [set('AS-A'), {}], {}, '/batch/TEST', 400, 'The validated collection is empty'],
    ['101 objects', Array(101).fill(set('AS-A')), {}, '/batch/TEST', 400, 'More than %d objects'],
    ['an unknown source', [], {}, '/batch/NOWHERE', 400, "Invalid source '%s'"],
    ['a mistyped dry run', [set('AS-A')], {}, '/batch/TEST?dry-rnu', 400, "Unknown parameter '%s'"],
    ['an override', [set('AS-A')], {}, '/batch/TEST?override=a,hush,b', 400, "Parameter '%s' is not accepted"],
    ['no credentials', [set('AS-A')], { headers: { 'content-type': 'application/json' } }, '/batch/TEST', 401, ''],
    ['another method', [set('AS-A')], { method: 'PUT' }, '/batch/TEST', 405, 'Method %s is not allowed here'],
    ['no source', [set('AS-A')], {}, '/batch', 404, 'Unknown path'],
    ['a path of references', [], { method: 'DELETE' }, '/references/TEST/person/X1-TEST', 404, 'Unknown path'],
  ])('%s is refused, and nothing is written', async (_what, objects, options, path, status, said) => {
    const received = await batch(objects, options, path);
    expect([received.status, applied]).toEqual([status, []]);
    expect(received.text).toContain(said);
    expect(received.text).not.toContain('hush');
  });

  it('returns the outcome of each object, in the order of the request', async () => {
    outcomes = [WriteOutcome.WRITE_OUTCOME_INVALID, skipped, WriteOutcome.WRITE_OUTCOME_EXISTS];
    isShown = (key) => key !== 'AS-B';
    const { text } = await batch([set('AS-A'), set('AS-B'), set('AS-C')]);
    const message = (name: string) => ({ severity: 'Error', text: `refused: ${name}` });
    expect(JSON.parse(text).results.result).toEqual([
      { outcome: 'invalid', object: 1, objectmessages: { objectmessage: [message('AS-A')] } },
      { outcome: 'skipped' },
      { outcome: 'exists', object: 2, objectmessages: { objectmessage: [message('AS-C')] } },
    ]);
    outcomes = [created, modified];
    const xml = await batch([set('AS-A'), set('AS-C')], { headers: { ...headers, accept: 'application/xml' } });
    expect(xml.text).toContain(
      '<results>\n    <result outcome="created" object="1"/>\n    <result outcome="modified" object="2"/>\n</results>\n',
    );
  });
});

describe('a condition of an object in a batch', () => {
  const tag = '"3-mjwlh9mg-yPg9Xv4mDrsPQlvoTnWHNmqpGYo"';
  const states = [{ revision: 3, lastModified: new Date(Number.parseInt('mjwlh9mg', 36)) }];

  it('if-match updates or deletes, if-none-match creates', async () => {
    outcomes = [modified, deleted, created, created];
    const received = await batch([
      { ...set('AS-NEW'), 'if-match': tag },
      { ...set('AS-OLD', 'DELETE'), 'if-match': `W/${tag}` },
      { ...set('AS-OLD2'), 'if-none-match': '*' },
      set('AS-C'),
    ]);
    expect(received.status).toBe(200);
    expect(applied[0]?.changes).toMatchObject([
      { action: ChangeAction.CHANGE_ACTION_UPDATE, expected: { states } },
      { action: ChangeAction.CHANGE_ACTION_DELETE, expected: { states } },
      { action: ChangeAction.CHANGE_ACTION_CREATE, expected: undefined },
      { action: ChangeAction.CHANGE_ACTION_PUT, expected: undefined },
    ]);
  });

  it('works in XML, and a stale state is 412', async () => {
    outcomes = [WriteOutcome.WRITE_OUTCOME_STALE, skipped];
    const quoted = tag.replaceAll('"', '&quot;');
    const one = '<attributes><attribute name="as-set" value="AS-OLD"/></attributes>';
    const body = `<whois-resources><objects><object if-match="${quoted}">${one}</object><object if-none-match="*">${one}</object></objects></whois-resources>`;
    const received = await batch([], { headers: { ...headers, 'content-type': 'application/xml' }, body });
    expect(received.status).toBe(412);
    expect(applied[0]?.changes).toMatchObject([{ expected: { states } }, { action: 1 }]);
  });

  it.each([
    ['* needs an object in any state', '*', undefined],
    ['that is no tag of ours is true of no object', '"x"', { states: [] }],
  ])('if-match %s', async (_what, ifMatch, expected) => {
    await batch([{ ...set('AS-NEW'), 'if-match': ifMatch }]);
    expect(applied[0]?.changes).toMatchObject([{ action: ChangeAction.CHANGE_ACTION_UPDATE, expected }]);
  });

  it.each<[string, object]>([
    ['if-none-match with a tag', { ...set('AS-A'), 'if-none-match': tag }],
    ['a condition of five thousand characters', { ...set('AS-A'), 'if-match': 'x'.repeat(5_000) }],
    ['both conditions', { ...set('AS-A'), 'if-none-match': '*', 'if-match': tag }],
    ['a deletion of what must not exist', { ...set('AS-A', 'DELETE'), 'if-none-match': '*' }],
  ])('%s is refused', async (_what, object) => {
    expect((await batch([object])).status).toBe(400);
    expect(applied).toEqual([]);
  });

  it.each([
    ['PUT', '/TEST/as-set/AS-OLD', 'if-match'],
    ['POST', '/TEST/as-set', 'if-none-match'],
    ['POST', '/references/TEST', 'if-match'],
  ])('%s %s does not support it: %s is 400', async (method, path, name) => {
    const object = { ...set('AS-OLD'), [name]: tag };
    const pair = ['mntner', 'person'].map((type) => ({
      [name]: tag,
      attributes: { attribute: [{ name: type, value: 'X' }] },
    }));
    const received = await batch(path.startsWith('/references') ? pair : [object], { method }, path);
    expect([received.status, applied]).toEqual([400, []]);
    expect(received.text).toContain("Only objects of a batch may have '%s'");
  });
});
