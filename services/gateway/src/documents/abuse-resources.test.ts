import { expect, it } from 'vitest';
import { renderAbuseError, renderAbuseResources } from './abuse-resources.js';
import { abuseResources, xmlTree } from './entries.fixture.js';
import type { Format } from './whois-resources.js';

const parsers: Record<Format, (document: string) => unknown> = {
  xml: xmlTree,
  json: (document) => Object.entries(JSON.parse(document)),
  text: (document) => document,
};

it.each<[Format, string]>([
  [
    'xml',
    `<?xml version="1.0" encoding="UTF-8"?>
<abuse-resources service="abuse-contact" xmlns:xlink="http://www.w3.org/1999/xlink">
    <link xlink:type="locator" xlink:href="https://rest.example.net/abuse-contact/192.0.2.1"/>
    <parameters>
        <primary-key value="192.0.2.0 - 192.0.2.255"/>
    </parameters>
    <abuse-contacts key="AR1-TEST" email="abuse@example.net" suspect="false" org-id="ORG-EX1-TEST"/>
    <terms-and-conditions xlink:type="locator" xlink:href="https://example.net/terms"/>
</abuse-resources>
`,
  ],
  [
    'json',
    `{
  "service": "abuse-contact",
  "link": { "type": "locator", "href": "https://rest.example.net/abuse-contact/192.0.2.1" },
  "parameters": { "primary-key": { "value": "192.0.2.0 - 192.0.2.255" } },
  "abuse-contacts": { "key": "AR1-TEST", "email": "abuse@example.net", "suspect": false, "org-id": "ORG-EX1-TEST" },
  "terms-and-conditions": { "type": "locator", "href": "https://example.net/terms" }
}`,
  ],
  [
    'text',
    `primary-key:    192.0.2.0 - 192.0.2.255
key:            AR1-TEST
email:          abuse@example.net
suspect:        false
org-id:         ORG-EX1-TEST
`,
  ],
])('an abuse contact as %s', (format, expected) => {
  const parse = parsers[format];
  expect(parse(renderAbuseResources(format, abuseResources))).toEqual(parse(expected));
});

it.each<Format>(['xml', 'json', 'text'])('a contact without organisation shows no org-id in %s', (format) => {
  const contact = { key: 'AR1-TEST', email: 'abuse@example.net', suspect: true };
  const text = renderAbuseResources(format, { ...abuseResources, contact });
  expect(text).not.toContain('org-id');
  expect(text).toContain('true');
});

it.each<[Format, string]>([
  [
    'xml',
    `<?xml version="1.0" encoding="UTF-8"?>
<abuse-resources xmlns:xlink="http://www.w3.org/1999/xlink">
    <message>No contact for &lt;x&gt;</message>
</abuse-resources>
`,
  ],
  ['json', '{ "message": "No contact for <x>" }'],
  ['text', 'No contact for <x>'],
])('no abuse contact as %s', (format, expected) => {
  const parse = parsers[format];
  expect(parse(renderAbuseError(format, 'No contact for <x>'))).toEqual(parse(expected));
});
