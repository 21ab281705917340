import {
  type Parsed,
  parseAddress,
  parseBaseUrl,
  parseDatabaseUrl,
  parseDuration,
  parseFlag,
  parseInteger,
  parseList,
  parseLists,
  parsePairs,
  parsePeerAddress,
  parseUrl,
} from './setting-values.js';

/** Options of every setting. Without `default` and without `optional: true` the variable is required. */
export interface SettingOptions<D = string> {
  /** Name of the environment variable. */
  name: string;
  /** One sentence for the operator: what it does, and its unit. */
  doc: string;
  /** Value when the variable is absent or empty. */
  default?: D;
  /** Makes the variable optional; the value is `undefined` without it. */
  optional?: boolean;
}

/** Bounds, inclusive: of the number, or of the text's length. */
interface Bounds {
  min?: number;
  max?: number;
}

/** One typed setting; made by the functions of `setting`, read by `readSettings`. */
export interface Setting<T> {
  name: string;
  doc: string;
  /** Format of the value, for --help. */
  form: string;
  /** Shown by --help; absent when there is no default. */
  defaultText?: string;
  required: boolean;
  /** Whether the file that NAME_FILE names holds the value. */
  secret: boolean;
  /** Parses a text; on failure returns a sentence that explains the problem. */
  parse(text: string): Parsed<T>;
  /** The value when the variable is absent. */
  fallback: T | undefined;
}

type Outcome<T, O> = O extends { optional: true } ? T | undefined : T;

interface Kind<T> {
  form: string;
  secret?: boolean;
  parse(text: string): Parsed<T>;
}

/** The only place that ties the type of a value to whether it is optional. */
function define<T, O extends SettingOptions<unknown>>(o: O, kind: Kind<T>, fallback?: unknown): Setting<Outcome<T, O>> {
  return {
    name: o.name,
    doc: o.doc,
    form: kind.form,
    ...(o.default === undefined ? {} : { defaultText: String(o.default) }),
    required: o.default === undefined && !o.optional,
    secret: kind.secret ?? false,
    parse: kind.parse as Setting<Outcome<T, O>>['parse'],
    fallback: fallback as Outcome<T, O> | undefined,
  };
}

/** For kinds whose default has the same format as the variable. */
function defineWritten<T, O extends SettingOptions>(o: O, kind: Kind<T>): Setting<Outcome<T, O>> {
  if (o.default === undefined) return define(o, kind);
  const parsed = kind.parse(o.default);
  if ('problem' in parsed) throw new Error(`the default of ${o.name} ${parsed.problem}`);
  return define(o, kind, parsed.value);
}

/** Text; `min` and `max` bound its length. */
function text<const O extends SettingOptions & Bounds>(o: O): Setting<Outcome<string, O>> {
  const { min = 1, max = 10_000 } = o;
  const parse = (value: string): Parsed<string> =>
    value.length >= min && value.length <= max ? { value } : { problem: `must have ${min} to ${max} characters` };
  return define(o, { form: 'text', parse }, o.default);
}

/** A whole number between `min` and `max`. */
function integer<const O extends SettingOptions<number> & Bounds>(o: O): Setting<Outcome<number, O>> {
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = o;
  return define(o, { form: 'number', parse: (value) => parseInteger(value, min, max) }, o.default);
}

/** A port number; 0 lets the system choose. */
function port<const O extends SettingOptions<number>>(o: O): Setting<Outcome<number, O>> {
  return define(o, { form: 'port', parse: (value) => parseInteger(value, 0, 65_535) }, o.default);
}

/** `true` or `false`. */
function flag<const O extends SettingOptions<boolean>>(o: O): Setting<Outcome<boolean, O>> {
  return define(o, { form: 'true|false', parse: parseFlag }, o.default);
}

/** Comma-separated texts, trimmed; drops empty ones. */
function list<const O extends SettingOptions<readonly string[]>>(o: O): Setting<Outcome<string[], O>> {
  return define(o, { form: 'a,b,...', parse: parseList }, o.default);
}

/** Comma-separated `name=value` pairs; names may repeat. */
function pairs<const O extends SettingOptions<readonly (readonly [string, string])[]>>(
  o: O,
): Setting<Outcome<(readonly [string, string])[], O>> {
  return define(o, { form: 'name=value,...', parse: parsePairs }, o.default);
}

/** Lists by their names: `name=a,b name=c`. */
function lists<const O extends SettingOptions<readonly (readonly [string, readonly string[]])[]>>(
  o: O,
): Setting<Outcome<(readonly [string, readonly string[]])[], O>> {
  return define(o, { form: 'name=a,b name=c ...', parse: parseLists }, o.default);
}

/** A duration, "500ms", "10s", "5m" or "2h"; the value is in milliseconds. */
function duration<const O extends SettingOptions>(o: O): Setting<Outcome<number, O>> {
  return defineWritten(o, { form: '500ms|10s|5m|2h', parse: parseDuration });
}

/** Options of several numbers in one setting, each with a default. */
interface NamedOptions<N extends string> {
  name: string;
  doc: string;
  defaults: Readonly<Record<N, string>>;
}

/** `name=value name=value`: those that a text does not name have their defaults. */
function named<N extends string>(
  o: NamedOptions<N>,
  form: string,
  parseOne: (text: string) => Parsed<number>,
): Setting<Readonly<Record<N, number>>> {
  const names = Object.keys(o.defaults) as N[];
  const usual = names.map((name) => `${name}=${o.defaults[name]}`).join(' ');
  const parse = (given: string): Parsed<Record<N, number>> => {
    const values: Record<string, number> = {};
    for (const part of `${usual} ${given}`.split(/[\s,]+/).filter(Boolean)) {
      const [, name = '', text = ''] = /^([a-z-]+)=(.*)$/.exec(part) ?? [];
      if (!Object.hasOwn(o.defaults, name))
        return { problem: `must be NAME=VALUE with ${names.join(', ')}, not "${part}"` };
      const read = parseOne(text);
      if ('problem' in read) return { problem: `${name} ${read.problem}` };
      values[name] = read.value;
    }
    return { value: values as Record<N, number> };
  };
  return defineWritten({ name: o.name, doc: o.doc, default: usual }, { form, parse });
}

/** Several whole numbers, each at least 1: `requests=100 searches=20`. */
function integers<const N extends string>(o: NamedOptions<N>): Setting<Readonly<Record<N, number>>> {
  return named(o, 'name=number ...', (text) => parseInteger(text, 1, Number.MAX_SAFE_INTEGER));
}

/** Several durations, in milliseconds: `read=5s search=15s`. */
function durations<const N extends string>(o: NamedOptions<N>): Setting<Readonly<Record<N, number>>> {
  return named(o, 'name=10s ...', parseDuration);
}

/** An absolute URL; the value is text. */
function url<const O extends SettingOptions>(o: O): Setting<Outcome<string, O>> {
  return defineWritten(o, { form: 'URL', parse: parseUrl });
}

/** An absolute URL to which paths are added; the value has no final slash. */
function baseUrl<const O extends SettingOptions>(o: O): Setting<Outcome<string, O>> {
  return defineWritten(o, { form: 'URL', parse: parseBaseUrl });
}

/** One of a fixed set of words. */
function oneOf<const V extends string, const O extends SettingOptions<V>>(
  values: readonly V[],
  o: O,
): Setting<Outcome<V, O>> {
  const parse = (value: string): Parsed<V> => {
    const found = values.find((one) => one === value);
    return found === undefined ? { problem: `must be one of ${values.join(', ')}` } : { value: found };
  };
  return define(o, { form: values.join('|'), parse }, o.default);
}

/**
 * A secret: read from the file that NAME_FILE names, without a final line end. NAME itself works only when
 * CADASTRE_ENVIRONMENT is not "production", because environments leak easily.
 */
function secret<const O extends Omit<SettingOptions, 'default'>>(o: O): Setting<Outcome<string, O>> {
  return define(o, { form: 'secret', secret: true, parse: (value) => ({ value }) });
}

/** The secret URL of a PostgreSQL database. */
function databaseUrl<const O extends Omit<SettingOptions, 'default'>>(o: O): Setting<Outcome<string, O>> {
  return define(o, { form: 'secret', secret: true, parse: parseDatabaseUrl });
}

/** An address to call: like `address`, or several `IP:port`, separated by commas and used in turn. */
function peerAddress<const O extends SettingOptions>(o: O): Setting<Outcome<string, O>> {
  return defineWritten(o, { form: 'host:port|unix:/path', parse: parsePeerAddress });
}

/** An address to listen on: `host:port`, `[v6]:port` or `unix:/absolute/path`. */
function address<const O extends SettingOptions>(o: O): Setting<Outcome<string, O>> {
  return defineWritten(o, { form: 'host:port|unix:/path', parse: parseAddress });
}

/** The kinds of settings. */
export const setting = {
  text,
  integer,
  port,
  flag,
  list,
  pairs,
  lists,
  duration,
  integers,
  durations,
  url,
  baseUrl,
  oneOf,
  secret,
  databaseUrl,
  address,
  peerAddress,
};
