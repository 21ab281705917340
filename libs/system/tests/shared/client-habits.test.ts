import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { habits } from '../harness/clients-page.js';
import { type Answer, type RequestOptions, restClient } from '../harness/rest.js';
import { documentOf, jsonBody, messagesOf } from '../harness/whois.js';

// The table of docs/use/clients.md about how the registry responds to what clients do.
const system = inject('sharedSystem');
const json = { contentType: 'application/json', accept: 'application/json' };
const alice = { ...json, credential: system.credential };
const mntnerWithPassword = Buffer.from('EXAMPLE-MNT:secret').toString('base64');
let rest: ReturnType<typeof restClient>;

const contacts = 'tech-c: AE1-TEST\nadmin-c: AE1-TEST\nmnt-by: EXAMPLE-MNT\nsource: TEST\n';
const set = (name: string) => jsonBody(`as-set: ${name}\n${contacts}`);
const person = jsonBody(
  'person: Harry Habit\naddress: 1 Example Street\nphone: +31 20 555 0100\ne-mail: harry@example.net\nnic-hdl: HH1-TEST\nmnt-by: EXAMPLE-MNT\nsource: TEST\n',
);
const passwordMntner = jsonBody(
  'mntner: HABIT-MNT\nadmin-c: AE1-TEST\nupd-to: alice@example.net\nauth: SSO alice@example.net\nauth: MD5-PW $1$abcdefgh$0123456789012345678901\nmnt-by: HABIT-MNT\nsource: TEST\n',
);

beforeAll(async () => {
  rest = restClient(system);
  await rest('/TEST/as-set', { ...alice, method: 'POST', body: set('AS-HABITUAL') });
  await rest('/TEST/person', { ...alice, method: 'POST', body: person });
  await rest('/TEST/person/HH1-TEST', { ...alice, method: 'DELETE' });
});

afterAll(() => rest.close());

const send = (method: string, path: string, body?: string, more: RequestOptions = alice) =>
  rest(path, { ...more, method, ...(body === undefined ? {} : { body }) });

/** Looks an object up without a credential, and writes back what the response showed. */
async function writeBackFiltered(): Promise<Answer> {
  const { objects } = documentOf(await rest('/TEST/route/192.0.2.0/24AS64500.json'));
  return send('PUT', '/TEST/route/192.0.2.0/24AS64500?dry-run', JSON.stringify({ objects }));
}

const requests: [string, () => Promise<Answer>][] = [
  ['`?password=` or `?override=` in the URL', () => send('POST', '/TEST/as-set?password=secret', set('AS-HABIT'))],
  [
    '`password:` in the text of `/syncupdates`',
    () => send('POST', '/syncupdates/TEST', 'password: secret\n\nperson: x\n', { contentType: 'text/plain' }),
  ],
  [
    'Basic authentication with a mntner and its password',
    () => send('POST', '/TEST/as-set', set('AS-HABIT'), { ...json, credential: mntnerWithPassword }),
  ],
  ['`auth: MD5-PW` in a mntner', () => send('POST', '/TEST/mntner', passwordMntner)],
  ['a write over plain HTTP', () => send('POST', '/TEST/as-set', set('AS-HABIT'), { ...json, plain: true })],
  [
    'a lookup with a credential over plain HTTP',
    () => send('GET', '/TEST/mntner/EXAMPLE-MNT', undefined, { ...alice, plain: true }),
  ],
  [
    "the cookie `crowd.token_key` of RIPE's sign-in",
    () => send('GET', '/TEST/mntner/EXAMPLE-MNT', undefined, { ...json, headers: { cookie: 'crowd.token_key=abc' } }),
  ],
  ['`PUT` of an object that does not exist', () => send('PUT', '/TEST/as-set/AS-HABIT', set('AS-HABIT'))],
  ['`POST` of an object that exists', () => send('POST', '/TEST/as-set', set('AS-HABITUAL'))],
  ['`unfiltered` on a write', () => send('PUT', '/TEST/as-set/AS-HABITUAL?dry-run=&unfiltered=', set('AS-HABITUAL'))],
  [
    '`resource-holder=0` on a search',
    () => send('GET', '/search?query-string=EXAMPLE-MNT&resource-holder=0', undefined, json),
  ],
  ['a mistyped or unknown parameter of a write', () => send('POST', '/TEST/as-set?dryrun', set('AS-HABIT'))],
  [
    'a write without `Content-Type`',
    () => send('POST', '/TEST/as-set', set('AS-HABIT'), { accept: json.accept, credential: system.credential }),
  ],
  ['`Accept: text/html`', () => send('GET', '/TEST/mntner/EXAMPLE-MNT', undefined, { accept: 'text/html' })],
  ['the source `RIPE` in a registry of another name', () => send('GET', '/RIPE/mntner/EXAMPLE-MNT', undefined, json)],
  ['writing back an object that was looked up filtered', writeBackFiltered],
  ['the `nic-hdl` of a deleted person', () => send('POST', '/TEST/person', person)],
  ['`PUT /references/TEST`', () => send('PUT', '/references/TEST', person)],
  ['`POST /domain-objects/TEST`', () => send('POST', '/domain-objects/TEST', person)],
];

test('the table has just these habits', () => {
  expect(habits().map(({ habit }) => habit)).toEqual(requests.map(([habit]) => habit));
});

test.each(requests)('%s', async (name, request) => {
  const { status, message } = habits().find(({ habit }) => habit === name)!;
  const answer = await request();
  expect(answer.status).toBe(status);
  expect(errorsOf(answer)).toEqual(message === undefined ? [] : [message]);
});

/** The errors of a response; its whole text if it is not JSON, or the sentence in it if it is XML. */
function errorsOf(answer: Answer): string[] {
  const type = answer.headers['content-type'] ?? '';
  if (type.startsWith('text/plain')) return [answer.text.trim()];
  if (!type.startsWith('application/xml'))
    return messagesOf(answer)
      .filter((message) => message.startsWith('Error: '))
      .map((message) => message.slice('Error: '.length));
  const [, text = '', argument = ''] = /text="(.*?)">\s*<args value="(.*?)"\/>/s.exec(answer.text) ?? [];
  return [text.replace('%s', argument)];
}
