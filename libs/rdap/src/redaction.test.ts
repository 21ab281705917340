import { samples } from '@cadastre/rpsl';
import { describe, expect, it } from 'vitest';
import { faultsOf, valuesAt } from '../tests/testing.js';
import { answer, historyAnswer, searchAnswer } from './answers.js';
import { document, type Parts } from './document.js';
import type { Redacted } from './documents.js';
import { ipNetwork } from './network.js';
import type { Stored } from './registry.js';
import { asJson, registry, relatedOf, requested, sampleContacts, storedLines, storedOf } from './stored.fixture.js';

const email = (address: string) => ['email', {}, 'text', address];

function answerOf(stored: Stored, parts: Parts = {}) {
  const shown = asJson(answer(registry, requested, document(registry, requested, stored, parts)!));
  expect(faultsOf(shown)).toEqual([]);
  return { shown, redacted: (shown.redacted ?? []) as Redacted[] };
}

/** The answer before the addresses were removed from the card at a path. */
function before(shown: unknown, path: string, ...addresses: readonly string[]): unknown {
  const copy = asJson(shown);
  const [card] = valuesAt(copy, path) as unknown[][];
  card!.push(...addresses.map(email));
  return copy;
}

describe('the path of removed e-mail addresses', () => {
  const person = storedLines(
    "person: A'B",
    "nic-hdl: A'1\\-TEST",
    'e-mail: one@a.example',
    'e-mail: two@a.example',
    'source: TEST',
  );
  const role = storedLines(
    'role: R',
    'nic-hdl: R1-TEST',
    'e-mail: r@a.example',
    'abuse-mailbox: abuse@a.example',
    'source: TEST',
  );
  const related = relatedOf([person, role], role);
  const stored = storedLines('inetnum: 192.0.2.0/24', "admin-c: A'1\\-TEST", 'tech-c: R1-TEST', 'source: TEST');

  it('selects exactly these addresses, and nothing that is shown', () => {
    const { shown, redacted } = answerOf(stored, { related });
    const [ofPerson, ofRole] = redacted.map(({ prePath }) => prePath!);
    const whole = before(
      before(shown, '$.entities[0].vcardArray[1]', 'one@a.example', 'two@a.example'),
      '$.entities[1].vcardArray[1]',
      'r@a.example',
    );
    expect(valuesAt(whole, ofPerson!)).toEqual([email('one@a.example'), email('two@a.example')]);
    expect(valuesAt(whole, ofRole!)).toEqual([email('r@a.example')]);
    expect([ofPerson, ofRole].flatMap((path) => valuesAt(shown, path!))).toEqual([]);
    expect(redacted).toHaveLength(2);
    expect(JSON.stringify(shown)).not.toMatch(/one@|two@|r@a/);
    expect(JSON.stringify(shown)).toContain('abuse@a.example');
  });

  it('starts with the network of a zone', () => {
    const zone = storedLines('domain: 2.0.192.in-addr.arpa', 'zone-c: R1-TEST', 'source: TEST');
    const network = ipNetwork(registry, requested, stored, { related })!;
    const { shown, redacted } = answerOf(zone, { related, network });
    expect(redacted.map(({ prePath }) => prePath!.slice(0, 16))).toEqual([
      '$.entities[?(@.h',
      '$.network.entiti',
      '$.network.entiti',
    ]);
    const whole = before(shown, '$.network.entities[1].vcardArray[1]', 'r@a.example');
    expect(valuesAt(whole, redacted[2]!.prePath!)).toEqual([email('r@a.example')]);
  });

  it('starts with the result of a search', () => {
    const found = document(registry, requested, stored, { related })!;
    const other = document(registry, requested, storedOf(samples.inet6num), { related: sampleContacts })!;
    const shown = asJson(searchAnswer(registry, requested, 'ips', [found, other]));
    expect(faultsOf(shown)).toEqual([]);
    const [first] = shown.redacted as Redacted[];
    const whole = before(shown, '$.ipSearchResults[0].entities[0].vcardArray[1]', 'one@a.example');
    expect(valuesAt(whole, first!.prePath!)).toEqual([email('one@a.example')]);
  });

  it('is that of the entity itself in searches, which do not show its addresses', () => {
    const nested = document(registry, requested, person)!;
    const shown = asJson(searchAnswer(registry, requested, 'entities', [nested]));
    expect(faultsOf(shown)).toEqual([]);
    const whole = before(shown, '$.entitySearchResults[0].vcardArray[1]', 'one@a.example');
    expect(valuesAt(whole, (shown.redacted as Redacted[])[0]!.prePath!)).toEqual([email('one@a.example')]);
    expect(JSON.stringify(shown)).not.toContain('one@');
  });

  it.each([
    ['the entity that was asked for', person, { showEmail: true }],
    [
      'a contact without address',
      storedLines('inetnum: 192.0.2.0/24', 'mnt-by: EXAMPLE-MNT', 'source: TEST'),
      { related: relatedOf([storedOf(samples.mntner)]) },
    ],
    [
      'a contact whose address is its abuse mailbox',
      storedLines('inetnum: 192.0.2.0/24', 'tech-c: X1-TEST', 'source: TEST'),
      {
        related: relatedOf([
          storedLines('role: X', 'nic-hdl: X1-TEST', 'e-mail: A@b.example', 'abuse-mailbox: a@b.example', 'source: T'),
        ]),
      },
    ],
    ['a missing contact', stored, { related: relatedOf([]) }],
  ])('is not there for %s', (_, object, parts) => {
    expect(answerOf(object, parts).shown).not.toHaveProperty('redacted');
  });
});

describe('the path of a member with only the first value', () => {
  const stored = storedLines(
    'inetnum: 192.0.2.0/24',
    'country: NL',
    'country: DE',
    'country: NL',
    'language: NL',
    'language: de',
    'source: TEST',
  );

  it('selects that member', () => {
    const { shown, redacted } = answerOf(stored);
    expect(redacted).toEqual([
      {
        name: { description: 'Multiple language attributes found' },
        postPath: '$.lang',
        pathLang: 'jsonpath',
        method: 'partialValue',
        reason: { description: 'Only the first of NL, de is shown.' },
      },
      {
        name: { description: 'Multiple country attributes found' },
        postPath: '$.country',
        pathLang: 'jsonpath',
        method: 'partialValue',
        reason: { description: 'Only the first of NL, DE is shown.' },
      },
    ]);
    expect(redacted.map(({ postPath }) => valuesAt(shown, postPath!))).toEqual([['nl'], ['NL']]);
  });

  it('starts with the network of an organisation', () => {
    const organisation = storedOf(samples.organisation);
    const { shown, redacted } = answerOf(organisation, {
      showEmail: true,
      networks: [storedOf(samples.inet6num), stored],
      autnums: [storedLines('aut-num: AS3333', 'country: NL', 'country: DE', 'source: TEST')],
    });
    expect(redacted.map(({ postPath }) => valuesAt(shown, postPath!))).toEqual([['nl'], ['NL'], ['NL']]);
  });

  it('starts with the record of a history', () => {
    const nested = document(registry, requested, stored)!;
    const versions = [
      { from: new Date('2024-01-01T00:00:00Z'), nested: document(registry, requested, storedOf(samples.inetnum))! },
      { from: new Date('2023-01-01T00:00:00Z'), until: new Date('2024-01-01T00:00:00Z'), nested },
    ];
    const shown = asJson(historyAnswer(registry, requested, versions));
    expect(faultsOf(shown)).toEqual([]);
    expect((shown.redacted as Redacted[]).map(({ postPath }) => postPath)).toEqual([
      '$.records[1].content.lang',
      '$.records[1].content.country',
    ]);
  });
});
