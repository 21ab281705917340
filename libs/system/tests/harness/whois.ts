import type { Answer, RequestOptions, Rest } from './rest.js';

export interface WhoisAttribute {
  name: string;
  value: string;
  comment?: string;
  'referenced-type'?: string;
}

export interface WhoisObject {
  type: string;
  version?: number;
  link: { type: string; href: string };
  source: { id: string };
  'primary-key': { attribute: WhoisAttribute[] };
  attributes: { attribute: WhoisAttribute[] };
}

export interface WhoisMessage {
  severity: 'Error' | 'Warning' | 'Info';
  text: string;
  args?: { value: string }[];
  attribute?: { name: string; value: string };
}

/** The parts of the JSON document of the REST interface that tests use. */
export interface WhoisResources {
  objects?: { object: WhoisObject[] };
  errormessages?: { errormessage: WhoisMessage[] };
  versions?: { type: string; key: string; version: Record<string, unknown>[] };
  [member: string]: unknown;
}

/** The document of a JSON response. */
export function documentOf(answer: Answer): WhoisResources {
  return JSON.parse(answer.text) as WhoisResources;
}

/** The first object of a JSON response. */
export function objectOf(answer: Answer): WhoisObject {
  const object = documentOf(answer).objects?.object[0];
  if (!object) throw new Error(`no object in the response (${answer.status}): ${answer.text}`);
  return object;
}

/** Values of an attribute. */
export function values(object: WhoisObject, name: string): string[] {
  return object.attributes.attribute.filter((one) => one.name === name).map((one) => one.value);
}

/** Messages with their arguments filled in. */
export function messagesOf(answer: Answer): string[] {
  return (documentOf(answer).errormessages?.errormessage ?? []).map(({ severity, text, args = [] }) => {
    const rest = args.map(({ value }) => value);
    return `${severity}: ${text.replace(/%[sd%]/g, (mark) => (mark === '%%' ? '%' : (rest.shift() ?? mark)))}`;
  });
}

/** RPSL text as a JSON request body. */
export function jsonBody(...texts: string[]): string {
  return JSON.stringify({
    objects: { object: texts.map((text) => ({ attributes: { attribute: attributesOf(text) } })) },
  });
}

/** The attributes of an RPSL text, with continuation lines inside their values. */
export function attributesOf(text: string): WhoisAttribute[] {
  const lines = text
    .trimEnd()
    .replace(/\n([ \t+])/g, '\u0000$1')
    .split('\n');
  return lines.map((line) => {
    const colon = line.indexOf(':');
    return {
      name: line.slice(0, colon),
      value: line
        .slice(colon + 1)
        .replaceAll('\u0000', '\n')
        .trim(),
    };
  });
}

/** Reads and writes objects of a source as JSON. */
export function whoisClient(rest: Rest, credential: string, source = 'TEST') {
  const json = { accept: 'application/json', contentType: 'application/json', credential };
  const path = (type: string, key?: string) =>
    `/${source}/${type}${key === undefined ? '' : `/${encodeURIComponent(key)}`}`;
  return {
    create: (type: string, text: string, query = '', more: RequestOptions = {}) =>
      rest(`${path(type)}${query}`, { ...json, method: 'POST', body: jsonBody(text), ...more }),
    update: (type: string, key: string, text: string, query = '', more: RequestOptions = {}) =>
      rest(`${path(type, key)}${query}`, { ...json, method: 'PUT', body: jsonBody(text), ...more }),
    remove: (type: string, key: string, query = '', more: RequestOptions = {}) =>
      rest(`${path(type, key)}${query}`, { accept: json.accept, credential, method: 'DELETE', ...more }),
    /** By default anonymous and filtered. */
    lookup: (type: string, key: string, query = '', more: RequestOptions = {}) =>
      rest(`${path(type, key)}${query}`, { accept: json.accept, ...more }),
    versions: (type: string, key: string) => rest(`${path(type, key)}/versions`, { accept: json.accept }),
    version: (type: string, key: string, revision: number) =>
      rest(`${path(type, key)}/versions/${revision}`, { accept: json.accept }),
  };
}

export type WhoisClient = ReturnType<typeof whoisClient>;
