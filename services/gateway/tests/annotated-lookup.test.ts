import type { AnnotateObjectRequest } from '@cadastre/proto/search';
import { failureMessage, ServiceError } from '@cadastre/service';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { exampleAuth, exampleReader, mntner, type RunningGateway, startGateway } from './gateway.fixture.js';

const requested: AnnotateObjectRequest[] = [];
let isAway = false;
let gateway: RunningGateway;

beforeAll(async () => {
  gateway = await startGateway({
    reader: exampleReader,
    auth: exampleAuth,
    feed: {
      async *watch(_request, call) {
        yield { changes: [], serial: 7n };
        await new Promise((resolve) => call.signal.addEventListener('abort', resolve));
      },
    },
    search: {
      annotateObject: async (request) => {
        requested.push(request);
        if (isAway) throw new ServiceError('unavailable', 'The service is away');
        const { managedAttributes, resourceHolder, abuseContact } = request.annotations!;
        return {
          annotations: {
            related: false,
            ...(managedAttributes && { managed: true }),
            managedAttributes: managedAttributes ? ['mntner'] : [],
            managedMaintainers: [],
            ...(resourceHolder && { resourceHolder: { key: 'ORG-EX1-TEST', name: 'Example' } }),
            ...(abuseContact && {
              abuseContact: { key: 'AR1-TEST', email: 'abuse@example.net', suspect: false, orgId: '' },
            }),
            messages: [],
          },
          messages: abuseContact ? [failureMessage('late', [])] : [],
        };
      },
    },
  });
});
beforeEach(() => {
  requested.length = 0;
  isAway = false;
});
afterAll(() => gateway.stop());

const path = '/TEST/mntner/EXAMPLE-MNT';

async function objectAt(query: string, headers: Record<string, string> = {}) {
  const { status, text } = await gateway.send(`${path}.json${query}`, { headers });
  expect(status).toBe(200);
  return JSON.parse(text).objects.object[0];
}

const holder = { key: 'ORG-EX1-TEST', name: 'Example' };
const contact = { key: 'AR1-TEST', email: 'abuse@example.net', suspect: false };

describe('a lookup', () => {
  it.each([
    ['?resource-holder', { 'resource-holder': holder }],
    ['?abuse-contact=true', { 'abuse-contact': contact }],
    ['?managed-attributes=1', { managed: true }],
    [
      '?unfiltered&abuse-contact=true&managed-attributes=true&resource-holder=true',
      { 'resource-holder': holder, 'abuse-contact': contact, managed: true },
    ],
    ['?resource-holder=0&abuse-contact=no&managed-attributes=false', {}],
    ['', {}],
  ])('with "%s" has %j', async (query, expected) => {
    const { 'resource-holder': resourceHolder, 'abuse-contact': abuseContact, managed } = await objectAt(query);
    const shown = { 'resource-holder': resourceHolder, 'abuse-contact': abuseContact, managed };
    expect(JSON.parse(JSON.stringify(shown))).toEqual(expected);
    expect(requested).toHaveLength(Object.keys(expected).length > 0 ? 1 : 0);
  });

  it('marks the managed attributes, and shows the warnings of the search service', async () => {
    const { text } = await gateway.send(`${path}.json?managed-attributes&abuse-contact`);
    const { objects, errormessages } = JSON.parse(text);
    expect(objects.object[0].attributes.attribute[0]).toMatchObject({ name: 'mntner', managed: true });
    expect(errormessages.errormessage).toMatchObject([{ text: 'late' }]);
  });

  it('has the annotations in XML behind the attributes', async () => {
    const { text } = await gateway.send(`${path}?resource-holder=true`);
    expect(text).toContain('</attributes>\n    <resource-holder key="ORG-EX1-TEST" name="Example"/>\n</object>');
  });

  it('requests annotations of the shown object', async () => {
    await objectAt('?resource-holder');
    expect(requested[0]?.object).toMatchObject({ source: 'TEST', text: mntner.text });
  });

  it('requests none in text, which has no annotations', async () => {
    expect((await gateway.send(`${path}.txt?resource-holder`)).text).toBe(`${mntner.text}\n`);
    expect(requested).toEqual([]);
  });

  it('works without the search service, with a warning', async () => {
    isAway = true;
    const { status, text } = await gateway.send(`${path}.json?resource-holder&abuse-contact&managed-attributes`);
    const { objects, errormessages } = JSON.parse(text);
    expect(status).toBe(200);
    expect(objects.object[0]).not.toHaveProperty('resource-holder');
    expect(errormessages.errormessage).toMatchObject([{ severity: 'Warning' }]);
  });
});

it('neither answers from the cached form without annotations, nor caches its own', async () => {
  for (let round = 0; round < 4; round++) {
    expect(await objectAt('')).not.toHaveProperty('resource-holder');
    expect(await objectAt('?resource-holder=no')).not.toHaveProperty('resource-holder');
    expect(await objectAt('?resource-holder')).toMatchObject({ 'resource-holder': holder });
    const { 'abuse-contact': abuseContact, ...others } = await objectAt('?abuse-contact');
    expect(abuseContact).toEqual(contact);
    expect(others).not.toHaveProperty('resource-holder');
    expect(requested).toHaveLength(2 * (round + 1));
  }
});
