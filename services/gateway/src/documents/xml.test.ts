import { expect, it } from 'vitest';
import * as given from './entries.fixture.js';
import { createWriter, render } from './render.js';
import type { Resource } from './whois-resources.js';

const start = '<?xml version="1.0" encoding="UTF-8"?>\n<whois-resources xmlns:xlink="http://www.w3.org/1999/xlink">\n';
const terms = '<terms-and-conditions xlink:type="locator" xlink:href="https://example.net/terms"/>\n';
const end = '</whois-resources>\n';

const autNum = `<object type="aut-num">
    <link xlink:type="locator" xlink:href="https://rest.example.net/test/aut-num/AS64500"/>
    <source id="test"/>
    <primary-key>
        <attribute name="aut-num" value="AS64500"/>
    </primary-key>
    <attributes>
        <attribute name="aut-num" value="AS64500"/>
        <attribute name="as-name" value="EXAMPLE-AS" comment="our &quot;network&quot;"/>
        <attribute name="org" value="ORG-EX1-TEST" referenced-type="organisation">
            <link xlink:type="locator" xlink:href="https://rest.example.net/test/organisation/ORG-EX1-TEST"/>
        </attribute>
        <attribute name="remarks" value=""/>
        <attribute name="source" value="TEST" comment="Filtered"/>
    </attributes>
</object>
`;
const route = `<object type="route" version="2">
    <link xlink:type="locator" xlink:href="https://rest.example.net/test/route/192.0.2.0/24AS64500"/>
    <source id="test"/>
    <primary-key>
        <attribute name="route" value="192.0.2.0/24"/>
        <attribute name="origin" value="AS64500"/>
    </primary-key>
    <attributes>
        <attribute name="route" value="192.0.2.0/24"/>
    </attributes>
    <tags>
        <tag id="unref" data="14 &lt;days&gt;"/>
    </tags>
</object>
`;

it.each<[string, Resource, string]>([
  [
    'one object',
    given.lookup,
    `<objects>\n${autNum}</objects>\n${terms}<version version="1.2.3" timestamp="2025-01-03T00:00:00Z" commit-id="0a1b2c3"/>\n`,
  ],
  ['two objects, tags and version', given.two, `<objects>\n${autNum}${route}</objects>\n`],
  ['an empty list of objects', given.emptyList, `<objects>\n</objects>\n${terms}`],
  ['nothing', given.nothing, ''],
  [
    'messages',
    given.refused,
    `<link xlink:type="locator" xlink:href="https://rest.example.net/NOWHERE/person/EX1-TEST?a=1&amp;b=2"/>
<errormessages>
    <errormessage severity="Error" text="&quot;%s&quot; is not valid for this object type">
        <attribute name="admin-c" value="        EX1-TEST"/>
        <args value="admin-c"/>
    </errormessage>
    <errormessage severity="Warning" text="A 100%% warning"/>
    <errormessage severity="Info" text="Dry-run performed"/>
</errormessages>
${terms}`,
  ],
  [
    'sources',
    given.sources,
    `<link xlink:type="locator" xlink:href="https://rest.example.net/metadata/sources"/>
<service name="getSupportedDataSources"/>
<sources>
    <source name="TEST" id="test"/>
</sources>
<grs-sources>
    <source name="EXAMPLE-GRS" id="example-grs" grs-id="example-grs"/>
</grs-sources>
`,
  ],
  [
    'a template',
    given.template,
    `<service name="getObjectTemplate"/>
<templates>
    <template type="route">
        <source id="test"/>
        <attributes>
            <attribute name="route" requirement="MANDATORY" cardinality="SINGLE" keys="PRIMARY_KEY LOOKUP_KEY"/>
            <attribute name="descr" requirement="OPTIONAL" cardinality="MULTIPLE" keys=""/>
        </attributes>
    </template>
</templates>
`,
  ],
  [
    'versions',
    given.versions,
    `<versions type="aut-num" key="AS64500">
    <version>
        <revision>1</revision>
        <date>2025-01-01T00:00:00Z</date>
        <operation>ADD/UPD</operation>
    </version>
    <version>
        <revision>12</revision>
        <date>2025-02-01T10:20:30Z</date>
        <operation>DEL</operation>
        <reason>no longer used</reason>
    </version>
</versions>
<version version="1.2.3"/>
`,
  ],
  [
    'a search and everything that is said about an object',
    given.searched,
    `<service name="search"/>
<parameters>
    <inverse-lookup>
        <inverse-attribute value="mnt-by"/>
    </inverse-lookup>
    <client>example,192.0.2.7</client>
    <type-filters>
        <type-filter id="route"/>
        <type-filter id="route6"/>
    </type-filters>
    <flags>
        <flag value="no-filtering"/>
    </flags>
    <query-strings>
        <query-string value="&quot;TEST&quot;-MNT"/>
    </query-strings>
    <sources>
        <source id="TEST"/>
    </sources>
</parameters>
<objects>
<object type="route">
    <link xlink:type="locator" xlink:href="https://rest.example.net/test/route/192.0.2.0/24AS64500"/>
    <source id="test"/>
    <primary-key>
    </primary-key>
    <attributes>
        <attribute name="org" value="ORG-EX1-TEST" referenced-type="organisation" comment="ours" managed="true">
            <link xlink:type="locator" xlink:href="https://rest.example.net/test/organisation/ORG-EX1-TEST"/>
        </attribute>
    </attributes>
    <tags>
        <tag id="legacy"/>
    </tags>
    <resource-holder key="ORG-EX1-TEST" name="Example &amp; Co"/>
    <abuse-contact key="AR1-TEST" email="abuse@example.net" suspect="false" org-id="ORG-EX1-TEST"/>
    <managed>true</managed>
    <objectmessages>
        <objectmessage severity="Warning" text="conflict with %s">
            <args value="ROUTE"/>
            <args value="24"/>
        </objectmessage>
    </objectmessages>
</object>
</objects>
${terms}`,
  ],
  [
    'a search without parameters and objects',
    given.searchedPlainly,
    `<service name="search"/>
<parameters>
    <inverse-lookup/>
    <type-filters/>
    <flags/>
    <query-strings>
        <query-string value="x"/>
    </query-strings>
    <sources/>
</parameters>
<objects>
</objects>
`,
  ],
  [
    'a location',
    given.located,
    `<link xlink:type="locator" xlink:href="https://rest.example.net/geolocation?ipkey=192.0.2.1"/>
<service name="geolocation-finder"/>
<geolocation-attributes>
    <location value="52.37 4.89">
        <link xlink:type="locator" xlink:href="https://rest.example.net/test/inetnum/192.0.2.0 - 192.0.2.255"/>
    </location>
    <language value="en">
        <link xlink:type="locator" xlink:href="https://rest.example.net/test/organisation/ORG-EX1-TEST"/>
    </language>
    <language value="nl">
        <link xlink:type="locator" xlink:href="https://rest.example.net/test/organisation/ORG-EX1-TEST"/>
    </language>
    <geofeed value="https://example.net/geofeed.csv">
        <link xlink:type="locator" xlink:href="https://rest.example.net/test/inetnum/192.0.2.0 - 192.0.2.255"/>
    </geofeed>
</geolocation-attributes>
${terms}`,
  ],
])('XML shows %s', (_what, resource, expected) => {
  expect(given.xmlTree(render('xml', resource))).toEqual(given.xmlTree(start + expected + end));
});

it('escapes line ends and markup in values and drops characters that XML does not allow', () => {
  const value = 'a\n\tb\r <&>"\' \u0000\u0008\uFFFE\uD800 é 😀';
  const entry = { ...given.autNum, attributes: [{ name: 'remarks', value }] };
  expect(createWriter('xml').object(entry)).toContain(
    '<attribute name="remarks" value="a&#xA;&#x9;b &lt;&amp;&gt;&quot;\'  é 😀"/>',
  );
});

it('streams: a late message comes after the objects in a well-formed document', () => {
  const writer = createWriter('xml');
  const pieces = [writer.open({ listsObjects: true }), writer.object(given.autNum)];
  pieces.push(writer.messages(given.notFound.messages!), writer.close({}));
  expect(pieces.join('')).toMatch(
    /<\/object>\n<\/objects>\n<errormessages>\n[\s\S]*<\/errormessages>\n<\/whois-resources>\n$/,
  );
});
