import { bootstrapNames } from '@cadastre/rdap';
import type { Schema } from '@cadastre/rdap/schema';
import { objectTypeNames } from '@cadastre/rpsl';
import type { QueryParameter, QueryParameters } from '../parameters.js';
import type { ParameterObject } from './document-types.js';
import type { RequestHeader } from './operation.js';

interface PathParameter {
  readonly doc: string;
  readonly example: string | number;
  readonly schema: Schema;
}

const anyText: Schema = { type: 'string' };

/** The parameters of path templates. */
const pathParameters: Readonly<Record<string, PathParameter>> = {
  source: {
    doc: 'Name of a source, in any letter case. Writes accept only a source of this registry.',
    example: 'TEST',
    schema: anyText,
  },
  objectType: {
    doc: 'Type of the object, in any letter case.',
    example: 'person',
    schema: { type: 'string', enum: objectTypeNames },
  },
  key: {
    doc: 'Primary key of the object, in any letter case: usually the value of the first attribute; for person and role, the `nic-hdl`; for route and route6, the prefix followed by the origin, as in `192.0.2.0/24AS64500`. Percent-encode blanks; slashes may be percent-encoded.',
    example: 'AE1-TEST',
    schema: anyText,
  },
  setType: {
    doc: 'Type of the set, in any letter case.',
    example: 'as-set',
    schema: { type: 'string', enum: ['as-set', 'route-set'] },
  },
  set: { doc: 'Name of the set, in any letter case.', example: 'AS-EXAMPLE', schema: anyText },
  version: { doc: 'Number of the version.', example: 1, schema: { type: 'integer', minimum: 1 } },
  resource: {
    doc: 'An IPv4 address, range or prefix, an IPv6 address or prefix, or an AS number. Slashes may be percent-encoded.',
    example: '192.0.2.77',
    schema: anyText,
  },
  range: {
    doc: 'An address, a prefix, or the first and the last address with a hyphen between them. Slashes may be percent-encoded.',
    example: '192.0.2.0/24',
    schema: anyText,
  },
  number: { doc: 'An AS number, with or without `AS`.', example: '64500', schema: anyText },
  domain: {
    doc: 'A domain name in any letter case, with or without a final dot.',
    example: '2.0.192.in-addr.arpa',
    schema: anyText,
  },
  handle: { doc: 'The key of the object, in any letter case.', example: 'AE1-TEST', schema: anyText },
  relation: {
    doc: 'How the objects relate to the key (RFC 9910).',
    example: 'rdap-up',
    schema: { type: 'string', enum: ['rdap-up', 'rdap-top', 'rdap-down', 'rdap-bottom'] },
  },
  hostName: { doc: 'A host name.', example: 'ns1.example.net', schema: anyText },
  bootstrapFile: {
    doc: 'Name of the bootstrap file.',
    example: 'ipv4.json',
    schema: { type: 'string', enum: bootstrapNames.map((name) => `${name}.json`) },
  },
  publishedSource: {
    doc: 'Name of the source: for NRTMv4 as this registry writes it, for dumps in lower case.',
    example: 'EXAMPLE',
    schema: anyText,
  },
  publishedFile: { doc: 'Name of the file.', example: 'update-notification-file.jose', schema: anyText },
  dumpFile: { doc: 'Name of the file.', example: 'example.db.gz', schema: anyText },
  file: { doc: 'Name of the file.', example: 'start.js', schema: anyText },
  token: {
    doc: 'The token in the link of a notification.',
    example: '0b5ab7f2-5f0e-4a0e-8a1c-2f7f0c9b6f11',
    schema: anyText,
  },
  id: { doc: 'Identifier of the key or the webhook.', example: 'a3kf0z8q2m', schema: anyText },
};

/** The parameters in the template of a path. Throws for one without a description. */
export function pathParameterObjects(path: string): ParameterObject[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const parameter = pathParameters[name];
    if (parameter === undefined) throw new Error(`path parameter ${name} has no description`);
    const { doc, example, schema } = parameter;
    return { name, in: 'path', required: true, description: doc, schema, example };
  });
}

/** The query parameters of a route. */
export function queryParameterObjects(query: QueryParameters): ParameterObject[] {
  const described = Object.entries(query).filter(([, { isOldName }]) => !isOldName);
  return described.map(([name, parameter]) => ({
    name,
    in: 'query',
    description: parameter.doc,
    ...(parameter.kind === 'text' && parameter.required ? { required: true } : {}),
    ...shapeOf(parameter),
    ...exampleOf(parameter),
  }));
}

function exampleOf({ kind, example }: QueryParameter): Pick<ParameterObject, 'example'> {
  if (example === undefined) return {};
  return { example: kind === 'list' ? [example] : example };
}

function shapeOf(parameter: QueryParameter): Pick<ParameterObject, 'schema' | 'allowEmptyValue' | 'style' | 'explode'> {
  switch (parameter.kind) {
    case 'flag':
      return { schema: { type: 'boolean' }, allowEmptyValue: true };
    case 'count':
      return { schema: { type: 'integer', minimum: 0 } };
    case 'text':
      return { schema: parameter.values ? { ...anyText, enum: parameter.values } : anyText };
    case 'list':
      return { schema: { type: 'array', items: anyText }, style: 'form', explode: true };
  }
}

/** Request headers of a route. */
export function headerParameterObjects(headers: readonly RequestHeader[]): ParameterObject[] {
  return headers.map(({ name, doc, schema }) => ({ name, in: 'header', description: doc, schema }));
}
