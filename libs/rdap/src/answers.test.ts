import { samples } from '@cadastre/rpsl';
import { describe, expect, it } from 'vitest';
import { faultsOf } from '../tests/testing.js';
import { answer, errorAnswer, helpAnswer, historyAnswer, searchAnswer } from './answers.js';
import { document, type Parts } from './document.js';
import type { Notice } from './documents.js';
import { ipNetwork } from './network.js';
import type { Registry, Stored } from './registry.js';
import { asJson, registry, requested, sampleContacts, storedLines, storedOf } from './stored.fixture.js';

const outspoken: Registry = {
  ...registry,
  termsUrl: 'https://r.example/terms',
  inaccuracyUrl: 'https://r.example/report',
  port43: 'whois.r.example',
  notices: [{ title: 'Maintenance', description: ['On Sunday.'] }],
};

const always = ['rdap_level_0', 'cidr0', 'nro_rdap_profile_0', 'redacted'];
const terms = {
  title: 'Terms and Conditions',
  description: ['The use of this service is subject to terms and conditions.'],
  links: [{ value: requested.url, rel: 'terms-of-service', href: 'https://r.example/terms', type: 'text/html' }],
};
const [maintenance] = outspoken.notices!;

const nestedOf = (stored: Stored, parts: Parts = {}) => document(registry, requested, stored, parts)!;
const sample = (type: keyof typeof samples, parts?: Parts) => nestedOf(storedOf(samples[type]), parts);
const bare = nestedOf(storedLines('aut-num: AS3333', 'source: TEST-NONAUTH'));

/** An answer that passes all checks. */
function checked<T>(made: T): T {
  expect(faultsOf(asJson(made))).toEqual([]);
  return made;
}

const titles = (notices: readonly Notice[] = []) => notices.map(({ title }) => title);

describe('the answer to a lookup', () => {
  it('has what only the top of an answer says', () => {
    const { links, notices, ...rest } = checked(answer(outspoken, requested, bare));
    expect(rest).toMatchObject({ rdapConformance: expect.any(Array), port43: 'whois.r.example', lang: 'en' });
    expect(links.at(-1)).toEqual(terms.links[0]);
    expect(notices).toEqual([
      terms,
      maintenance,
      {
        title: 'Inaccuracy Reporting',
        description: ['Please report wrong data.'],
        links: [
          { value: requested.url, rel: 'inaccuracy-report', href: 'https://r.example/report', type: 'text/html' },
        ],
      },
      { title: 'Source', description: ['Objects returned came from source', 'TEST-NONAUTH'] },
    ]);
  });

  it('has only what the operator has set', () => {
    const shown = checked(answer(registry, requested, bare));
    expect(titles(shown.notices)).toEqual(['Source']);
    expect(shown).not.toHaveProperty('port43');
    expect(shown.links.map(({ rel }) => rel)).toEqual(['self', 'alternate']);
  });

  it.each([
    ['inetnum', {}, ['geofeed1', 'rirSearch1', 'ips']],
    ['aut-num', {}, ['nro_rdap_profile_asn_flat_0', 'rirSearch1', 'autnums']],
    ['domain', {}, ['rirSearch1']],
    ['domain', { network: ipNetwork(registry, requested, storedOf(samples.inetnum))! }, ['rirSearch1', 'geofeed1']],
    ['person', {}, []],
    ['organisation', { networks: [storedOf(samples.inetnum)] }, ['geofeed1']],
    ['organisation', { autnums: [storedOf(samples['aut-num'])] }, ['nro_rdap_profile_asn_flat_0']],
  ] as const)('of %s names its extensions', (type, parts, extensions) => {
    expect(checked(answer(registry, requested, sample(type, parts))).rdapConformance).toEqual([
      ...always,
      ...extensions,
    ]);
  });

  it.each([
    ['notify: a@b.example', true],
    ['auth: SSO a@b.example', true],
    ['source: TEST # Filtered', true],
    ['remarks: Filtered', false],
    ['changed: a@b.example 20200101', false],
  ])('of an object with %s is called filtered: %s', (line, isFiltered) => {
    const { notices } = checked(answer(registry, requested, nestedOf(storedLines('aut-num: AS3333', line))));
    expect(titles(notices).includes('Filtered')).toBe(isFiltered);
  });

  it('is called filtered when the address of a contact is withheld', () => {
    const stored = storedLines('aut-num: AS3333', 'admin-c: AE1-TEST', 'source: TEST');
    const { notices } = answer(registry, requested, nestedOf(stored, { related: sampleContacts }));
    expect(titles(notices)).toContain('Filtered');
  });

  it.each([
    [{ cut: true }, ['Only 0 networks and 0 AS numbers of the organisation are shown.']],
    [
      { namesakes: ['mntner', 'irt'] },
      ['The handle is also the key of a mntner.', 'The handle is also the key of an irt.'],
    ],
  ] as const)('with %j says so', (parts, description) => {
    const { notices } = checked(answer(registry, requested, sample('organisation', { ...parts, showEmail: true })));
    expect(notices?.at(-1)?.description).toEqual(description);
  });

  it('has the language of its object', () => {
    expect(answer(registry, requested, nestedOf(storedLines('aut-num: AS1', 'language: DE'))).lang).toBe('de');
  });
});

describe('the answer to a search', () => {
  it.each([
    ['ips', 'inetnum', 'ipSearchResults', ['geofeed1', 'rirSearch1', 'ips', 'ipSearchResults']],
    [
      'autnums',
      'aut-num',
      'autnumSearchResults',
      ['nro_rdap_profile_asn_flat_0', 'rirSearch1', 'autnums', 'autnumSearchResults'],
    ],
    ['domains', 'domain', 'domainSearchResults', ['rirSearch1']],
    ['entities', 'role', 'entitySearchResults', []],
  ] as const)('for %s has its documents', (kind, type, member, extensions) => {
    const found = sample(type);
    const shown = checked(searchAnswer(registry, requested, kind, [found]));
    expect(shown).toHaveProperty(member, [found.document]);
    expect(shown.rdapConformance).toEqual([...always, ...extensions]);
    expect(titles(shown.notices)).not.toContain('Search Policy');
  });

  it('says where it was cut', () => {
    const { notices } = checked(searchAnswer(outspoken, requested, 'autnums', [bare, bare], { cut: 2 }));
    expect(titles(notices)).toEqual([
      'Terms and Conditions',
      'Maintenance',
      'Inaccuracy Reporting',
      'Source',
      'Search Policy',
    ]);
    expect(notices?.at(-1)).toMatchObject({
      type: 'result set truncated due to unexplainable reasons',
      description: ['Only the first 2 results are shown.'],
    });
  });

  it('names every source once', () => {
    const main = nestedOf(storedLines('aut-num: AS3334', 'source: TEST'));
    const { notices } = searchAnswer(registry, requested, 'autnums', [main, bare, main]);
    expect(notices?.[0]?.description).toEqual(['Objects returned came from source', 'TEST', 'TEST-NONAUTH']);
  });

  it('has its page, and the properties of a reverse search', () => {
    const paging = { totalCount: 3, pageSize: 2, pageNumber: 1 };
    const reverse = [{ property: 'handle', propertyPath: '$.entities[*].handle' }];
    const shown = checked(searchAnswer(registry, requested, 'autnums', [bare], { paging, reverse }));
    expect(shown).toMatchObject({ paging_metadata: paging, reverse_search_properties_mapping: reverse });
    expect(shown.rdapConformance.slice(-2)).toEqual(['paging', 'reverse_search']);
  });
});

it('shows the states of an object with their times', () => {
  const nested = sample('inetnum');
  const [from, until] = [new Date('2020-01-02T03:04:05Z'), new Date('2021-01-02T03:04:05Z')];
  const shown = checked(
    historyAnswer(
      registry,
      requested,
      [
        { from: until, nested },
        { from, until, nested },
      ],
      { cut: 2 },
    ),
  );
  expect(shown).toMatchObject({
    rdapConformance: [...always, 'geofeed1', 'rirSearch1', 'ips', 'history_version_0'],
    objectClassName: 'history',
    records: [
      { applicableFrom: '2021-01-02T03:04:05.000Z', content: nested.document },
      { applicableFrom: '2020-01-02T03:04:05.000Z', applicableUntil: '2021-01-02T03:04:05.000Z' },
    ],
  });
  expect(shown.records[0]).not.toHaveProperty('applicableUntil');
  expect(titles(shown.notices)).toEqual(['Filtered', 'Source', 'Search Policy']);
});

it('helps with all extensions and the notices of the registry', () => {
  const reverse = [{ searchableResourceType: 'ips', relatedResourceType: 'entity', property: 'handle' }];
  const shown = checked(helpAnswer(outspoken, requested, { extensions: ['paging', 'ips'], reverse }));
  expect(shown.rdapConformance).toEqual([
    ...always,
    'geofeed1',
    'rirSearch1',
    'ips',
    'ipSearchResults',
    'nro_rdap_profile_asn_flat_0',
    'autnums',
    'autnumSearchResults',
    'paging',
  ]);
  expect(shown).toMatchObject({ notices: [terms, maintenance], reverse_search_properties: reverse, lang: 'en' });
});

describe('an error', () => {
  it('has the status and the terms', () => {
    const shown = checked(
      errorAnswer(outspoken, requested, { status: 404, title: 'Not Found', description: ['No such network.'] }),
    );
    expect(shown).toEqual({
      rdapConformance: always,
      notices: [terms, maintenance],
      port43: 'whois.r.example',
      lang: 'en',
      errorCode: 404,
      title: 'Not Found',
      description: ['No such network.'],
    });
  });

  it('about an AS number names the flat model', () => {
    const about = { status: 404, title: 'Not Found', description: ['No.'], isAboutAutnum: true };
    const { rdapConformance } = checked(errorAnswer(registry, requested, about));
    expect(rdapConformance).toEqual([...always, 'nro_rdap_profile_asn_flat_0']);
  });
});
