import { describe, expect, it } from 'vitest';
import { lookup, refused, sources, template, two, versions } from '../documents/entries.fixture.js';
import { render } from '../documents/render.js';
import { whoisResourcesSchemas } from '../documents/whois-resources-schema.js';
import { parseJson } from './json.js';
import { refusedBy } from './refused.fixture.js';

const limits = { objects: 20, attributes: 10, depth: 32 };
const parse = (text: string) => parseJson(text, limits).map(({ attributes }) => attributes);
const inside = (attributes: string) => `{"objects":{"object":[{"attributes":{"attribute":[${attributes}]}}]}}`;

it('reads names, values and comments in order; scalars become the text that was sent', () => {
  const text = inside(`{"name":"person","value":"A \\u00e9"},{"value":1.50,"name":"remarks","comment":null},
    {"name":"remarks","value":12345678901234567890},{"name":"remarks","value":true},{"name":"x","value":null},null,{}`);
  expect(parse(text)).toEqual([
    [
      { name: 'person', value: 'A é' },
      { name: 'remarks', value: '1.50' },
      { name: 'remarks', value: '12345678901234567890' },
      { name: 'remarks', value: 'true' },
      { name: 'x' },
      {},
      {},
    ],
  ]);
});

it.each(['null', '{}', '{"objects":null}', '{"objects":{}}', '{"objects":{"object":[]}}'])(
  '%s has no objects',
  (text) => {
    expect(parse(text)).toEqual([]);
  },
);

it('counts objects, also those without attributes', () => {
  expect(parse('{"objects":{"object":[{},null,{"attributes":{}}]}}')).toEqual([[], [], []]);
});

it.each([lookup, two, refused, sources, template, versions])('reads the output of the writer (%#)', (resource) => {
  const written = (resource.objects ?? []).map((one) =>
    one.attributes.map(({ name, value, comment }) => ({ name, value, ...(comment === undefined ? {} : { comment }) })),
  );
  expect(parse(render('json', resource))).toEqual(written);
});

it('has every member of responses, so that clients can send back what they received', () => {
  const { properties = {} } = whoisResourcesSchemas.WhoisResources!;
  expect(Object.keys(properties)).toContain('limits');
  for (const name of Object.keys(properties)) expect(parse(JSON.stringify({ [name]: {} }))).toEqual([]);
});

describe('hostile or broken documents are refused with 400', () => {
  it.each([
    ['a wrapper around the root', '{"whois-resources":{}}', 'Unrecognized field "whois-resources"'],
    ['an unknown member', '{"objects":{"object":[{"xyz":1}]}}', 'Unrecognized field "xyz"'],
    ['an unknown member of an attribute', inside('{"xlink:href":"a"}'), 'Unrecognized field "xlink:href"'],
    ['__proto__', '{"__proto__":{"objects":1}}', 'Unrecognized field "__proto__"'],
    ['constructor', '{"constructor":{}}', 'Unrecognized field "constructor"'],
    ['an object instead of an array', '{"objects":{"object":{}}}', 'an array is expected for "object"'],
    ['an array instead of an object', '{"objects":[]}', 'an object is expected for "objects"'],
    ['an array as value', inside('{"name":"a","value":["b"]}'), 'a text is expected for "value"'],
    ['a list as document', '[]', 'an object is expected for the document'],
    ['a text as document', '"x"', 'an object is expected for the document'],
    ['deep nesting', '['.repeat(200_000), 'nested deeper than 32 levels'],
    ['deep nesting in passed over members', `{"sources":${'['.repeat(40)}${']'.repeat(40)}}`, 'nested deeper'],
    ['many attributes', inside(Array(11).fill('{}').join(',')), 'More than 10 attributes'],
    ['a missing bracket', '{"objects":{"object":[', 'JSON processing exception'],
    ['a number with a leading zero', inside('{"value":01}'), 'unexpected character "1"'],
    ['a number that is none', inside('{"value":1.}'), 'unexpected character "1"'],
    ['NaN', inside('{"value":NaN}'), 'unexpected character "N"'],
    ['a trailing comma', '{"service":{"name":"a",}}', 'unexpected character "}"'],
    ['an unknown escape', inside('{"value":"\\x"}'), 'unknown escape'],
    ['an open text', '{"link', 'a text has no end'],
    ['an open text after a backslash', '{"link\\', 'a text has no end'],
    ['text behind the document', '{} {}', 'JSON processing exception'],
    ['a raw line end in a text', '{"link":{"type":"a\nb"}}', 'JSON processing exception'],
    ['XML', '<whois-resources/>', 'JSON processing exception'],
  ])('%s', (_what, text, reason) => {
    const refusal = refusedBy(() => parse(text));
    expect(refusal.status).toBe(400);
    expect(refusal.texts[0]).toContain(reason);
  });

  it('limits values and lines of any text', () => {
    const max = limits.attributes * 12 + 5_000;
    expect(parse(`{"sources":[${'1,'.repeat(max - 3)}1]}`)).toEqual([]);
    for (const [text, reason] of [
      [`{"sources":[${'1,'.repeat(max)}1]}`, `more than ${max} values`],
      [`{"sources":{${'"a":1,'.repeat(max)}"a":1}}`, `more than ${max} values`],
      [`{"sources":[${'[],'.repeat(100_000)}`, `more than ${max} values`],
      [`{${'\n'.repeat(100_000)}x`, `more than ${2 * max} lines`],
      [`["\n${'['.repeat(100_000)}`, 'a text has no end'],
    ] as const) {
      expect(refusedBy(() => parse(text)).texts[0]).toContain(reason);
    }
    expect(parse(inside(`{"value":"${'[,\\"'.repeat(10_000)}"}`))).toEqual([[{ value: '[,"'.repeat(10_000) }]]);
  });

  it('shortens unknown names', () => {
    const { texts } = refusedBy(() => parse(`{"${'x'.repeat(100_000)}":1}`));
    expect(texts[0]).toMatch(/^JSON processing exception: Unrecognized field "x{100,200}… \(line: 1, column: 2\)$/);
  });

  it('names line and column', () => {
    expect(refusedBy(() => parse('{\n  "objects" : x }')).texts[0]).toMatch(/\(line: 2, column: 15\)$/);
    expect(refusedBy(() => parse('{\n  "service": {"name":"tagz"},\n  "tagz" : 1 }')).texts).toEqual([
      'JSON processing exception: Unrecognized field "tagz" (line: 3, column: 3)',
    ]);
    expect(refusedBy(() => parse('{"objects":\n{"object":[{},\n {"attributes":[]}]}}')).texts[0]).toMatch(
      /an object is expected for "attributes" \(line: 3, column: 3\)$/,
    );
  });

  it('does not repeat the input', () => {
    expect(refusedBy(() => parse('{"a":"hunter2" hunter2')).texts[0]).not.toContain('hunter2');
  });
});
