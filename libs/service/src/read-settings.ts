import { readFileSync } from 'node:fs';
import type { Setting } from './settings.js';

/** A service's settings, by the name the code uses for each. */
export type SettingsSpec = Record<string, Setting<unknown>>;

export type Values<S extends SettingsSpec> = { [K in keyof S]: S[K] extends Setting<infer T> ? T : never };

/** The environment of a process. */
export type Environment = Record<string, string | undefined>;

/** Unusable settings; the message has one line for each. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  constructor(readonly problems: string[]) {
    super(problems.join('\n'));
  }
}

/**
 * Reads all settings of a spec; an empty variable counts as absent.
 * Throws a SettingsError that lists every bad setting and never shows a secret's value.
 */
export function readSettings<S extends SettingsSpec>(spec: S, env: Environment = process.env): Values<S> {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [key, one] of Object.entries(spec)) {
    const read = readOne(one, env);
    if ('problem' in read) problems.push(`${one.name}: ${read.problem}`);
    else values[key] = read.value;
  }
  if (problems.length > 0) throw new SettingsError(problems);
  return values as Values<S>;
}

type Read = { value: unknown } | { problem: string };

function readOne(one: Setting<unknown>, env: Environment): Read {
  const text = one.secret ? secretText(one.name, env) : plainText(env[one.name]);
  if (text === undefined) return one.required ? { problem: `is missing (${one.doc})` } : { value: one.fallback };
  return typeof text === 'string' ? one.parse(text) : text;
}

function plainText(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === '' ? undefined : text.trim();
}

function secretText(name: string, env: Environment): string | undefined | { problem: string } {
  const file = plainText(env[`${name}_FILE`]);
  if (file !== undefined) return readSecretFile(`${name}_FILE`, file);
  const direct = plainText(env[name]);
  if (direct !== undefined && env.CADASTRE_ENVIRONMENT === 'production') {
    return { problem: `is not accepted in production: put it into a file and name that in ${name}_FILE` };
  }
  return direct;
}

function readSecretFile(name: string, file: string): string | { problem: string } {
  try {
    const text = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
    return text === '' ? { problem: `the file that ${name} names is empty` } : text;
  } catch (error) {
    return { problem: `the file that ${name} names cannot be read (${(error as NodeJS.ErrnoException).code})` };
  }
}

/** The build makes this file: the environment variables that any program of this registry reads as settings. */
const namesFile = new URL('../setting-names.json', import.meta.url);

/** The image build and tests set these. */
const otherVariables = /^CADASTRE_(BUILD|TEST)_/;

/**
 * The CADASTRE_ variables that no program reads: mistyped names, and former settings. Does not include those of other
 * programs, because programs often share one environment.
 */
export function unknownSettings(spec: SettingsSpec, env: Environment = process.env): string[] {
  const known = new Set<string>(JSON.parse(readFileSync(namesFile, 'utf8')));
  const own = new Set(Object.values(spec).flatMap((one) => (one.secret ? [one.name, `${one.name}_FILE`] : [one.name])));
  return Object.keys(env).filter(
    (name) =>
      name.startsWith('CADASTRE_') &&
      !otherVariables.test(name) &&
      !known.has(name) &&
      !own.has(name) &&
      plainText(env[name]) !== undefined,
  );
}

/** The settings of a spec as a table for --help. */
export function describeSettings(spec: SettingsSpec): string {
  const rows = Object.values(spec).map((one) => [
    one.secret ? `${one.name}_FILE` : one.name,
    one.secret ? 'path of a file' : one.form,
    one.defaultText === undefined ? (one.required ? 'required' : '') : `default ${one.defaultText}`,
    one.doc,
  ]);
  const width = (column: number) => Math.max(0, ...rows.map((row) => row[column]!.length));
  const widths = [0, 1, 2].map(width);
  return rows
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n');
}
