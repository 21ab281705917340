import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

// The requirements of client generators (docs/use/clients.md) on the description, beyond its validity.
const document: Description = JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8'));
const { schemas, securitySchemes, responses } = document.components;
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
const replies = [...operations.flatMap((operation) => Object.values(operation.responses)), ...Object.values(responses)];

it('names forms before text: OpenAPI Generator for Java and typescript-fetch names a missing type otherwise', () => {
  const bodies = operations.map(({ requestBody }) => Object.keys(requestBody?.content ?? {}));
  const withBoth = bodies.filter((types) => types.includes('text/plain') && types.some(isForm));
  expect(withBoth).not.toEqual([]);
  expect(withBoth.filter((types) => types.findLastIndex(isForm) > types.indexOf('text/plain'))).toEqual([]);
});

it('has no operation with two parameters of one name: they become arguments of one function', () => {
  const twice = operations.flatMap(({ operationId, parameters }) =>
    repeated(parameters.map(({ name }) => name)).map((name) => `${operationId} ${name}`),
  );
  expect(twice).toEqual([]);
});

it('has no schema with the name of another one or of a security scheme: ogen makes types of all', () => {
  expect(repeated([...Object.keys(schemas), ...Object.keys(securitySchemes)])).toEqual([]);
});

it('has no schemas X and NewX: in Go, NewX makes an X', () => {
  const names = Object.keys(schemas);
  expect(names.filter((name) => names.includes(`New${name}`))).toEqual([]);
});

it('calls files binary: clients decode other strings', () => {
  const files = replies.flatMap(({ content }) => content?.['*/*'] ?? []);
  expect(files).not.toEqual([]);
  expect(files.filter(({ schema }) => schema.format !== 'binary')).toEqual([]);
});

it('has anyOf where an answer may have several schemas: with oneOf, clients in Go need another library', () => {
  expect(JSON.stringify(document)).not.toContain('"oneOf"');
});

function isForm(type: string): boolean {
  return ['application/x-www-form-urlencoded', 'multipart/form-data'].includes(type);
}

/** The repeated names, in the view of generators: without their letter case and punctuation. */
function repeated(names: readonly string[]): string[] {
  const plain = names.map((name) => name.toLowerCase().replace(/[^a-z0-9]/g, ''));
  return plain.filter((name, at) => plain.indexOf(name) < at);
}

type Content = Record<string, { schema: { format?: string; oneOf?: { $ref: string }[] } }>;

interface Operation {
  operationId: string;
  parameters: { name: string }[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
}

interface Description {
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, { required?: string[]; properties?: object }>;
    securitySchemes: object;
    responses: Operation['responses'];
  };
}
