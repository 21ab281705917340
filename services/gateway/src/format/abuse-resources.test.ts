import { expect, it } from 'vitest';
import { renderAbuseFailure, renderAbuseResources } from './abuse-resources.js';
import { abuseResources } from './entries.fixture.js';
import type { Format } from './writer.js';

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
  "service" : "abuse-contact",
  "link" : {
    "type" : "locator",
    "href" : "https://rest.example.net/abuse-contact/192.0.2.1"
  },
  "parameters" : {
    "primary-key" : {
      "value" : "192.0.2.0 - 192.0.2.255"
    }
  },
  "abuse-contacts" : {
    "key" : "AR1-TEST",
    "email" : "abuse@example.net",
    "suspect" : false,
    "org-id" : "ORG-EX1-TEST"
  },
  "terms-and-conditions" : {
    "type" : "locator",
    "href" : "https://example.net/terms"
  }
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
  expect(renderAbuseResources(format, abuseResources)).toBe(expected);
});

it.each<Format>(['xml', 'json', 'text'])('a contact without organisation says nothing of one in %s', (format) => {
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
  ['json', '{\n  "message" : "No contact for <x>"\n}'],
  ['text', 'No contact for <x>'],
])('no abuse contact as %s', (format, expected) => {
  expect(renderAbuseFailure(format, 'No contact for <x>')).toBe(expected);
});
