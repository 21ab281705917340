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
  parseProxyUrl,
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

/** Options of several numbers in one setting, each with a default. */
interface NamedOptions<N extends string> {
  name: string;
  doc: string;
  defaults: Readonly<Record<N, string>>;
}

/** A kind whose default is a value. */
function valued<T>(form: string, parse: Kind<T>['parse']) {
  return <const O extends SettingOptions<Readonly<T>>>(o: O): Setting<Outcome<T, O>> =>
    define(o, { form, parse }, o.default);
}

/** A kind whose default is written as the variable is. */
function written<T>(form: string, parse: Kind<T>['parse']) {
  return <const O extends SettingOptions>(o: O): Setting<Outcome<T, O>> => defineWritten(o, { form, parse });
}

function secret(parse: Kind<string>['parse']) {
  return <const O extends Omit<SettingOptions, 'default'>>(o: O): Setting<Outcome<string, O>> =>
    define(o, { form: 'secret', secret: true, parse });
}

/** `name=value name=value`: those that a text does not name have their defaults. */
function named(form: string, parseOne: Kind<number>['parse']) {
  return <const N extends string>({ name, doc, defaults }: NamedOptions<N>): Setting<Readonly<Record<N, number>>> => {
    const names = Object.keys(defaults) as N[];
    const usual = names.map((one) => `${one}=${defaults[one]}`).join(' ');
    const parse = (given: string): Parsed<Record<N, number>> => {
      const values: Record<string, number> = {};
      for (const part of `${usual} ${given}`.split(/[\s,]+/).filter(Boolean)) {
        const [, one = '', text = ''] = /^([a-z-]+)=(.*)$/.exec(part) ?? [];
        if (!Object.hasOwn(defaults, one)) {
          return { problem: `must be NAME=VALUE with ${names.join(', ')}, not "${part}"` };
        }
        const read = parseOne(text);
        if ('problem' in read) return { problem: `${one} ${read.problem}` };
        values[one] = read.value;
      }
      return { value: values as Record<N, number> };
    };
    return defineWritten({ name, doc, default: usual }, { form, parse });
  };
}

/** The kinds of settings. */
export const setting = {
  /** Text; `min` and `max` bound its length. */
  text<const O extends SettingOptions & Bounds>(o: O): Setting<Outcome<string, O>> {
    const { min = 1, max = 10_000 } = o;
    const parse = (value: string): Parsed<string> =>
      value.length >= min && value.length <= max ? { value } : { problem: `must have ${min} to ${max} characters` };
    return define(o, { form: 'text', parse }, o.default);
  },

  /** A whole number between `min` and `max`. */
  integer<const O extends SettingOptions<number> & Bounds>(o: O): Setting<Outcome<number, O>> {
    const { min = 0, max = Number.MAX_SAFE_INTEGER } = o;
    return define(o, { form: 'number', parse: (value) => parseInteger(value, min, max) }, o.default);
  },

  /** A port number; 0 lets the system choose. */
  port: valued('port', (value) => parseInteger(value, 0, 65_535)),

  /** `true` or `false`. */
  flag: valued('true|false', parseFlag),

  /** Comma-separated texts, trimmed; drops empty ones. */
  list: valued('a,b,...', parseList),

  /** Comma-separated `name=value` pairs; names may repeat. */
  pairs: valued('name=value,...', parsePairs),

  /** Lists by their names: `name=a,b name=c`. */
  lists: valued('name=a,b name=c ...', parseLists),

  /** A duration, "500ms", "10s", "5m" or "2h"; the value is in milliseconds. */
  duration: written('500ms|10s|5m|2h', parseDuration),

  /** Several whole numbers, each at least 1: `requests=100 searches=20`. */
  integers: named('name=number ...', (text) => parseInteger(text, 1, Number.MAX_SAFE_INTEGER)),

  /** Several durations, in milliseconds: `read=5s search=15s`. */
  durations: named('name=10s ...', parseDuration),

  /** An absolute URL; the value is text. */
  url: written('URL', parseUrl),

  /** An absolute URL to which paths are added; the value has no final slash. */
  baseUrl: written('URL', parseBaseUrl),

  /** One of a fixed set of words. */
  oneOf<const V extends string, const O extends SettingOptions<V>>(values: readonly V[], o: O): Setting<Outcome<V, O>> {
    const parse = (value: string): Parsed<V> => {
      const found = values.find((one) => one === value);
      return found === undefined ? { problem: `must be one of ${values.join(', ')}` } : { value: found };
    };
    return define(o, { form: values.join('|'), parse }, o.default);
  },

  /**
   * A secret: read from the file that NAME_FILE names, without a final line end. NAME itself works only when
   * CADASTRE_ENVIRONMENT is not "production", because environments leak easily.
   */
  secret: secret((value) => ({ value })),

  /** The secret URL of a PostgreSQL database. */
  databaseUrl: secret(parseDatabaseUrl),

  /** The secret URL of an HTTP proxy. */
  proxyUrl: secret(parseProxyUrl),

  /** An address to listen on: `host:port`, `[v6]:port` or `unix:/absolute/path`. */
  address: written('host:port|unix:/path', parseAddress),

  /** An address to call: like `address`, or several `IP:port`, separated by commas and used in turn. */
  peerAddress: written('host:port|unix:/path', parsePeerAddress),
};
