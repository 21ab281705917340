import { describe, expect, it } from 'vitest';
import { lookup, refused, sources, template, two, versions } from '../documents/entries.fixture.js';
import { render } from '../documents/render.js';
import { refusedLater } from './refused.fixture.js';
import { parseXml } from './xml.js';

const limits = { objects: 20, attributes: 10, depth: 32 };
const parse = async (text: string) => (await parseXml(text, limits)).map(({ attributes }) => attributes);
const inside = (attributes: string) =>
  `<whois-resources><objects><object type="person"><attributes>${attributes}</attributes></object></objects></whois-resources>`;

it('reads names, values and comments in order', async () => {
  const text = inside(`<attribute name="person" value="A B"/>
    <attribute value="x&#xA;y &amp; &quot;z&#34;" name="remarks" comment="c" referenced-type="role" other="o">
      <link xlink:type="locator" xlink:href="http://a" xmlns:xlink="http://www.w3.org/1999/xlink"/>
    </attribute><attribute name="remarks"/><attribute/>`);
  expect(await parse(`<?xml version="1.0" encoding="UTF-8"?>\n<!-- c -->${text}`)).toEqual([
    [{ name: 'person', value: 'A B' }, { name: 'remarks', value: 'x\ny & "z"', comment: 'c' }, { name: 'remarks' }, {}],
  ]);
});

it('counts objects, also those without attributes', async () => {
  expect(await parse('<whois-resources/>')).toEqual([]);
  expect(await parse('<whois-resources><objects><object/><object/></objects></whois-resources>')).toEqual([[], []]);
});

it('ignores unknown, misplaced and foreign elements', async () => {
  const foreign = '<x:attribute xmlns:x="http://example.net/" name="a" value="b"/>';
  expect(await parse(inside(`${foreign}<new><attribute name="a" value="b"/></new>`))).toEqual([[]]);
});

it('accepts 200 XML attributes on every element', async () => {
  const wide = `<a ${numbered(199, 'xmlns:a')} b="c"/>`;
  expect(await parse(inside(wide + wide))).toEqual([[]]);
});

it('lets other requests run while it parses a long document', async () => {
  let turns = 0;
  let done = false;
  const count = () => {
    turns++;
    if (!done) setImmediate(count);
  };
  setImmediate(count);
  await parse(inside(' '.repeat(1_000_000)));
  done = true;
  expect(turns).toBeGreaterThan(10);
});

it.each([lookup, two, refused, sources, template, versions])('reads what the writer wrote (%#)', async (resource) => {
  const objects = await parse(render('xml', resource));
  const written = (resource.objects ?? []).map((one) =>
    one.attributes.map(({ name, value, comment }) => ({ name, value, ...(comment === undefined ? {} : { comment }) })),
  );
  expect(objects).toEqual(written);
});

const numbered = (count: number, name: string) => Array.from({ length: count }, (_, i) => `${name}${i}="u"`).join(' ');
const bomb = `<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>${inside('<attribute name="&b;"/>')}`;
const external = `<!DOCTYPE a SYSTEM "file:///etc/passwd">${inside('')}`;

describe('hostile or broken documents are refused with 400', () => {
  it.each([
    ['nothing at all', '', 'XML processing exception'],
    ['a DOCTYPE with entities', bomb, 'a DOCTYPE is not allowed'],
    ['an external DOCTYPE', external, 'a DOCTYPE is not allowed'],
    ['an undefined entity', inside('<attribute name="&b;"/>'), 'XML processing exception'],
    ['a foreign root', '<abuse-resources/>', 'root element whois-resources expected, found abuse-resources'],
    ['a foreign namespace', '<whois-resources xmlns="http://example.net/"/>', 'root element whois-resources expected'],
    ['a second root', '<whois-resources/><whois-resources/>', 'XML processing exception'],
    ['an unclosed element', '<whois-resources><objects>', 'XML processing exception'],
    ['a doubled attribute', inside('<attribute name="a" name="b"/>'), 'XML processing exception'],
    ['an undeclared prefix', inside('<x:attribute/>'), 'XML processing exception'],
    ['a control character', inside('<attribute value="&#0;"/>'), 'XML processing exception'],
    ['deep nesting', inside('<a>'.repeat(100_000)), 'nested deeper than 32 levels'],
    ['many elements', inside('<a/>'.repeat(2_000)), 'too many elements'],
    ['many attributes', inside('<attribute/>'.repeat(11)), 'More than 10 attributes'],
    ['many XML attributes of an element', inside(`<a ${numbered(201, 'a')}/>`), 'more than 200 attributes'],
    ['many XML attributes of the root', `<whois-resources ${numbered(100_000, 'a')}/>`, 'more than 200 attributes'],
    ['many namespaces', `<whois-resources ${numbered(100_000, 'xmlns:a')}/>`, 'more than 200 attributes'],
    ['a long name of an element', inside(`<${'a'.repeat(201)}/>`), 'a name is longer than 200 characters'],
    ['a long name of an XML attribute', inside(`<a ${'a'.repeat(201)}=""/>`), 'a name is longer than 200 characters'],
    ['a long namespace', inside(`<a xmlns:b="${'a'.repeat(1_001)}"/>`), 'a namespace is longer than 1000 characters'],
    ['a long closing tag', `<whois-resources></${'a'.repeat(100_000)}>`, 'XML processing exception'],
    ['JSON', '{}', 'XML processing exception'],
  ])('%s', async (_what, text, reason) => {
    const refusal = await refusedLater(parse(text));
    expect(refusal.status).toBe(400);
    expect(refusal.texts[0]).toContain(reason);
  });

  it('names line and column', async () => {
    expect((await refusedLater(parse('<whois-resources>\n  </objects>\n'))).texts[0]).toMatch(
      /\(line: 2, column: \d+\)$/,
    );
  });
});
