import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { cadastre } from '../harness/cadastre.js';
import { personText } from '../harness/person-text.js';
import { type RequestOptions, type Rest, restClient } from '../harness/rest.js';
import { documentOf, jsonBody, messagesOf, objectOf, values, type WhoisClient, whoisClient } from '../harness/whois.js';

const system = inject('sharedSystem');
let rest: Rest & { close(): void };
let whois: WhoisClient;
let bob: string;

beforeAll(async () => {
  rest = restClient(system);
  whois = whoisClient(rest, system.credential);
  const made = await cadastre(system, ['api-key', 'create', '--user', 'bob@example.net', '--name', 'tests']);
  bob = made.stdout.trim();
});

afterAll(async () => {
  rest?.close();
});

// Every test has its own set, because sets need no address space and are small.
let number = 0;
let key: string;
let text: string;
const setText = (name: string, extra = '') => `as-set:         ${name}
descr:          A set for a test
${extra}tech-c:         EN1-TEST
admin-c:        AE1-TEST
mnt-by:         EXAMPLE-MNT
source:         TEST
`;
const nobody: RequestOptions = { headers: {} };
const descr = (value: string) => text.replace('A set for a test', value);
const exists = async (name = key) => (await whois.lookup('as-set', name)).status === 200;

beforeEach(() => {
  number += 1;
  key = `AS64500:AS-TEST${number}`;
  text = setText(key);
});

describe('who may write', () => {
  test('no one without HTTPS: 426 with Upgrade, whatever the body (W6)', async () => {
    const answer = await whois.create('as-set', 'nonsense: x', '', { plain: true });
    expect([answer.status, answer.headers.upgrade]).toEqual([426, expect.stringContaining('TLS')]);
    expect((await whois.create('as-set', text, '', { plain: true, credential: undefined })).status).toBe(426);
    expect(await exists()).toBe(false);
  });

  test.each<[string, () => RequestOptions]>([
    ['without a credential', () => ({ ...nobody, credential: undefined })],
    ['with the key of somebody else', () => ({ credential: bob })],
    ['with a wrong key', () => ({ credential: Buffer.from('a:b').toString('base64') })],
  ])('no one %s: 401 (W5)', async (_, options) => {
    expect((await whois.create('as-set', text, '', options())).status).toBe(401);
    expect(await exists()).toBe(false);
  });

  test('the refusal names the maintainers who could authorise', async () => {
    const answer = await whois.create('as-set', text, '', { credential: bob });
    expect(messagesOf(answer)[0]).toContain(`Authorisation for [as-set] ${key} failed`);
    expect(messagesOf(answer)[0]).toContain('EXAMPLE-MNT');
  });

  test('a key limited to another maintainer may not write', async () => {
    const made = await cadastre(system, [
      ...['api-key', 'create', '--user', 'alice@example.net'],
      ...['--name', 'limited', '--maintainer', 'OTHER-MNT'],
    ]);
    expect((await whois.create('as-set', text, '', { credential: made.stdout.trim() })).status).toBe(401);
  });

  test('a refused update of a mntner does not show the stored object', async () => {
    const mntner = `mntner:         EXAMPLE-MNT
admin-c:        AE1-TEST
upd-to:         bob@example.net
auth:           SSO bob@example.net
mnt-by:         EXAMPLE-MNT
source:         TEST
`;
    const answer = await whois.update('mntner', 'EXAMPLE-MNT', mntner, '', { credential: bob });
    expect([answer.status, answer.text]).toEqual([401, expect.not.stringContaining('alice@example.net')]);
  });
});

test('only the operator creates an as-block', async () => {
  const block = `as-block:       AS65100 - AS65199
descr:          AS numbers for documentation
mnt-by:         EXAMPLE-MNT
source:         TEST
`;
  expect((await whois.create('as-block', block, '?dry-run', { credential: bob })).status).toBe(401);
  expect((await whois.create('as-block', block, '?dry-run')).status).toBe(200);
});

describe('create', () => {
  test('an object that exists: 409 for its maintainer, 401 for others (W2)', async () => {
    await whois.create('as-set', text);
    expect((await whois.create('as-set', text)).status).toBe(409);
    expect((await whois.create('as-set', text, '', { credential: bob })).status).toBe(401);
  });

  test('another type than in the path: 400', async () => {
    const answer = await whois.create('route-set', text);
    expect([answer.status, messagesOf(answer)]).toEqual([
      400,
      ['Error: Object type specified in URI (route-set) does not match the WhoisResources contents'],
    ]);
  });

  test('a reference to nothing: 400 naming it (W3)', async () => {
    const answer = await whois.create('as-set', text.replace('EN1-TEST', 'ZZ99-TEST'));
    expect([answer.status, messagesOf(answer)]).toEqual([400, ['Error: Unknown object referenced ZZ99-TEST']]);
  });

  test('several errors are reported at once', async () => {
    const answer = await whois.create(
      'as-set',
      `${text.replace(/tech-c.*\n/, '')}nonsense: x\ndescr:\nmembers: 1.2.3\n`,
    );
    expect(answer.status).toBe(400);
    expect(messagesOf(answer)).toEqual(
      expect.arrayContaining([
        'Error: Mandatory attribute "tech-c" is missing',
        'Error: "nonsense" is not a known RPSL attribute',
        expect.stringContaining('Syntax error in 1.2.3'),
      ]),
    );
    expect(await exists()).toBe(false);
  });

  test('assigns a key for AUTO-1', async () => {
    const person = personText('Zoe Zander', 'AUTO-1');
    const made = [await whois.create('person', person), await whois.create('person', person)];
    expect(made.flatMap((answer) => values(objectOf(answer), 'nic-hdl'))).toEqual(['ZZ1-TEST', 'ZZ2-TEST']);
  });

  test('an account that the identity provider does not know: 400 (W14)', async () => {
    const mntner = `mntner:         STRANGE-MNT
admin-c:        AE1-TEST
upd-to:         noc@example.net
auth:           SSO stranger@example.net
mnt-by:         EXAMPLE-MNT
source:         TEST
`;
    const answer = await whois.create('mntner', mntner);
    expect([answer.status, messagesOf(answer).join()]).toEqual([400, expect.stringContaining('stranger@example.net')]);
  });

  test('a key of the path with a format extension, body and answer as XML', async () => {
    const body = `<?xml version="1.0"?><whois-resources><objects><object type="as-set"><attributes>
      ${text
        .trim()
        .split('\n')
        .map((line) => `<attribute name="${line.split(':')[0]}" value="${line.slice(16)}"/>`)
        .join('')}
    </attributes></object></objects></whois-resources>`;
    const answer = await rest('/TEST/as-set.xml', {
      method: 'POST',
      contentType: 'application/xml',
      credential: system.credential,
      body,
    });
    expect([answer.status, answer.text]).toEqual([
      200,
      expect.stringContaining(`<attribute name="as-set" value="${key}"/>`),
    ]);
  });
});

describe('update', () => {
  test('an object that does not exist: 404 (W1)', async () => {
    expect((await whois.update('as-set', key, text)).status).toBe(404);
    expect(await exists()).toBe(false);
  });

  test('another key than in the path: 400', async () => {
    await whois.create('as-set', text);
    const answer = await whois.update('as-set', key, setText(`${key}X`));
    expect([answer.status, messagesOf(answer)]).toEqual([400, [`Error: Primary key (${key}) cannot be modified.`]]);
  });

  test('without a change: 200, a warning, no version', async () => {
    await whois.create('as-set', text);
    const answer = await whois.update('as-set', key, text);
    expect([answer.status, messagesOf(answer)]).toEqual([
      200,
      ['Warning: Submitted object identical to database object'],
    ]);
    expect(documentOf(await whois.versions('as-set', key)).versions?.version).toHaveLength(1);
  });

  test('the result of a lookup can be sent back, but not if it was filtered', async () => {
    await whois.create('as-set', setText(key, 'notify:         noc@example.net\n'));
    const send = (body: string) =>
      rest(`/TEST/as-set/${key}`, {
        ...{ accept: 'application/json', contentType: 'application/json' },
        method: 'PUT',
        body,
        credential: system.credential,
      });
    expect((await send((await whois.lookup('as-set', key, '?unfiltered')).text)).status).toBe(200);
    const filtered = await send((await whois.lookup('as-set', key)).text);
    expect([filtered.status, messagesOf(filtered)]).toEqual([
      400,
      ['Error: Cannot submit filtered whois output for updates'],
    ]);
  });

  test('is visible at once, to everyone, every time', async () => {
    await whois.create('as-set', text);
    for (const value of ['one', 'two', 'three', 'four', 'five']) {
      await whois.update('as-set', key, descr(value));
      const seen = await Promise.all(Array.from({ length: 5 }, () => whois.lookup('as-set', key)));
      expect(seen.flatMap((answer) => values(objectOf(answer), 'descr'))).toEqual(Array(5).fill(value));
    }
  });

  test('returns the serial of the change, which ascends', async () => {
    const serials = [await whois.create('as-set', text), await whois.update('as-set', key, descr('changed'))].map(
      (answer) => Number(answer.headers['cadastre-serial']),
    );
    expect(serials[1]).toBeGreaterThan(serials[0]!);
  });
});

describe('delete', () => {
  test('returns the filtered object (W4), and deletes it', async () => {
    await whois.create('as-set', setText(key, 'notify:         noc@example.net\n'));
    const answer = await whois.remove('as-set', key, '?reason=no%20longer%20needed');
    expect([answer.status, values(objectOf(answer), 'notify')]).toEqual([200, []]);
    expect(await exists()).toBe(false);
  });

  test('a referenced object: 409 without the object (W3)', async () => {
    const answer = await whois.remove('person', 'AE1-TEST');
    expect([answer.status, documentOf(answer).objects]).toEqual([409, undefined]);
    expect(messagesOf(answer)).toEqual(['Error: Object [person] AE1-TEST is referenced from other objects']);
  });

  test('an object that does not exist: 404', async () => {
    expect((await whois.remove('as-set', key)).status).toBe(404);
  });

  test('without authority: 401, and nothing of the object', async () => {
    await whois.create('as-set', text);
    const answer = await whois.remove('as-set', key, '', { credential: bob });
    expect([answer.status, documentOf(answer).objects]).toEqual([401, undefined]);
    expect(await exists()).toBe(true);
  });
});

describe('dry run', () => {
  const info = 'Info: Dry-run performed, no changes to the database have been made';

  test.each(['dry-run', 'dry-run=', 'dry-run=true'])('?%s stores nothing and says so (W7)', async (query) => {
    const answer = await whois.create('as-set', text, `?${query}`);
    expect([answer.status, messagesOf(answer), await exists()]).toEqual([200, [info], false]);
  });

  test('of an update and of a deletion changes nothing', async () => {
    await whois.create('as-set', text);
    expect(messagesOf(await whois.update('as-set', key, descr('changed'), '?dry-run'))).toEqual([info]);
    expect(messagesOf(await whois.remove('as-set', key, '?dry-run'))).toEqual([info]);
    expect(values(objectOf(await whois.lookup('as-set', key)), 'descr')).toEqual(['A set for a test']);
  });

  test.each(['dry-run=yes', 'dry-run=1', 'dry-runn'])('mistyped as ?%s stores nothing (W7)', async (query) => {
    const answer = await whois.create('as-set', text, `?${query}`);
    expect([answer.status, await exists()]).toEqual([400, false]);
  });

  test('?dry-run=false is a real write', async () => {
    expect([(await whois.create('as-set', text, '?dry-run=false')).status, await exists()]).toEqual([200, true]);
  });
});

describe('characters', () => {
  const send = (body: Buffer, contentType: string) =>
    rest('/TEST/as-set', {
      accept: 'application/json',
      contentType,
      method: 'POST',
      body,
      credential: system.credential,
    });

  test('outside ISO 8859-1 become "?" with one warning (F5)', async () => {
    const answer = await whois.create('as-set', descr('Łódź 東京 ø'));
    expect([answer.status, values(objectOf(answer), 'descr')]).toEqual([200, ['?ód? ?? ø']]);
    expect(messagesOf(answer)).toEqual([expect.stringMatching(/^Warning: .*descr/)]);
  });

  test('of the declared character set are converted', async () => {
    const answer = await send(Buffer.from(jsonBody(descr('Ærø')), 'latin1'), 'application/json; charset=ISO-8859-1');
    expect([answer.status, values(objectOf(answer), 'descr')]).toEqual([200, ['Ærø']]);
  });

  test('of an unknown character set: 400 (F4)', async () => {
    expect((await send(Buffer.from(jsonBody(text)), 'application/json; charset=klingon')).status).toBe(400);
  });

  test('that are not UTF-8: 400', async () => {
    expect((await send(Buffer.from(jsonBody(descr('Ærø')), 'latin1'), 'application/json')).status).toBe(400);
  });

  test('that are control characters are refused (F5)', async () => {
    expect((await whois.create('as-set', descr('bell \u0007'))).status).toBe(400);
    expect(await exists()).toBe(false);
  });
});

describe('bodies', () => {
  test.each<[string, string | undefined, string, number]>([
    ['no Content-Type', undefined, '{}', 415],
    ['text/plain', 'text/plain', 'as-set: AS-X', 415],
    ['JSON cut off', 'application/json', '{"objects":', 400],
    ['no object', 'application/json', '{}', 400],
    ['two objects', 'application/json', jsonBody('as-set: AS-X', 'as-set: AS-Y'), 400],
    ['XML with a DOCTYPE', 'application/xml', '<!DOCTYPE x [<!ENTITY a "b">]><whois-resources/>', 400],
    ['XML cut off', 'application/xml', '<whois-resources>', 400],
    ['nothing', 'application/json', '', 400],
  ])('with %s are refused with a message', async (_, contentType, body, status) => {
    const options = { accept: 'application/json', method: 'POST', credential: system.credential, body };
    const answer = await rest('/TEST/as-set', contentType === undefined ? options : { ...options, contentType });
    expect([answer.status, messagesOf(answer).length]).toEqual([status, 1]);
  });

  test('line ends in a value create no attribute', async () => {
    const answer = await whois.create('as-set', text.replace('A set for a test', 'first'), '', {
      body: jsonBody(text).replace('A set for a test', 'first\\nmnt-by: BOB-MNT'),
    });
    expect([answer.status, values(objectOf(answer), 'mnt-by')]).toEqual([200, ['EXAMPLE-MNT']]);
  });

  test('with a password parameter are refused, and it is not repeated (W8)', async () => {
    const answer = await whois.create('as-set', text, '?password=hush-7261');
    expect([answer.status, answer.text, await exists()]).toEqual([
      400,
      expect.not.stringContaining('hush-7261'),
      false,
    ]);
  });
});

describe('concurrent requests', () => {
  const rounds = 15;

  test('one of two creations of one key wins', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const name = `${key}-${round}`;
      const statuses = await Promise.all(
        [1, 2, 3].map(async () => (await whois.create('as-set', setText(name))).status),
      );
      expect(statuses.sort()).toEqual([200, 409, 409]);
    }
  });

  test('an object is never deleted while it becomes referenced (W11)', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const target = `POEM-T${number}R${round}`.replace('POEM', 'FORM');
      await whois.create(
        'poetic-form',
        `poetic-form: ${target}\nadmin-c: AE1-TEST\nmnt-by: EXAMPLE-MNT\nsource: TEST\n`,
      );
      const poem = `poem: POEM-T${number}R${round}\nform: ${target}\ntext: x\nmnt-by: EXAMPLE-MNT\nsource: TEST\n`;
      const [added, removed] = await Promise.all([whois.create('poem', poem), whois.remove('poetic-form', target)]);
      expect([
        [200, 409],
        [400, 200],
      ]).toContainEqual([added.status, removed.status]);
    }
  });

  test('overlapping networks are never both created (W11)', async () => {
    const network = (range: string) => `inetnum:        ${range}
netname:        RACE-NET
country:        NL
admin-c:        AE1-TEST
tech-c:         EN1-TEST
status:         ASSIGNED PA
mnt-by:         EXAMPLE-MNT
source:         TEST
`;
    for (let round = 0; round < rounds; round += 1) {
      const [low, high] = [`10.0.${round}.0 - 10.0.${round}.199`, `10.0.${round}.100 - 10.0.${round}.255`];
      const answers = await Promise.all([low, high].map((range) => whois.create('inetnum', network(range))));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    }
  });

  test('concurrent updates of one object are all versions, without loss', async () => {
    await whois.create('as-set', text);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => whois.update('as-set', key, descr(`number ${n}`))),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(documentOf(await whois.versions('as-set', key)).versions?.version).toHaveLength(11);
  });
});

describe('a batch', () => {
  const batch = (objects: readonly { text: string; action?: string }[], query = '', more: RequestOptions = {}) => {
    const { objects: sent } = JSON.parse(jsonBody(...objects.map((one) => one.text)));
    const object = sent.object.map((one: object, at: number) => ({ ...one, action: objects[at]!.action }));
    const options = { accept: 'application/json', contentType: 'application/json', credential: system.credential };
    return rest(`/batch/TEST${query}`, {
      method: 'POST',
      ...options,
      body: JSON.stringify({ objects: { object } }),
      ...more,
    });
  };

  test('creates, updates and deletes together; objects may refer to later ones', async () => {
    const [first, second] = [`${key}A`, `${key}B`];
    expect((await batch([{ text: setText(first, `members: ${second}\n`) }, { text: setText(second) }])).status).toBe(
      200,
    );
    const changed = setText(first).replace('A set for a test', 'Changed');
    const answer = await batch([
      { text: changed },
      { text: setText(second), action: 'DELETE' },
      { text: setText(key) },
    ]);
    expect([answer.status, documentOf(answer).objects?.object.length]).toEqual([200, 3]);
    expect([await exists(first), await exists(second), await exists(key)]).toEqual([true, false, true]);
    expect(values(objectOf(await whois.lookup('as-set', first)), 'descr')).toEqual(['Changed']);
  });

  test.each<[string, string, number]>([
    ['a reference to nothing', 'tech-c: NO1-TEST\n', 400],
    ['a mntner of others', 'mnt-by: OTHER-MNT\n', 400],
    ['a syntax error', 'tech-c: a b c\n', 400],
  ])('with %s stores nothing, and names the fault', async (_, extra, status) => {
    const answer = await batch([{ text: setText(`${key}A`) }, { text: setText(`${key}B`, extra) }]);
    expect(answer.status).toBe(status);
    expect(messagesOf(answer)).not.toEqual([]);
    expect([await exists(`${key}A`), await exists(`${key}B`)]).toEqual([false, false]);
  });

  test('stores nothing as a dry run, and nothing for others (W5, W7)', async () => {
    expect((await batch([{ text }], '?dry-run')).status).toBe(200);
    expect((await batch([{ text }], '', { credential: bob })).status).toBe(401);
    expect((await batch([{ text }], '', { credential: undefined })).status).toBe(401);
    expect((await batch([{ text, action: 'DELETE' }])).status).toBe(404);
    expect(await exists()).toBe(false);
  });
});
