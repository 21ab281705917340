import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { helmEnvironment, helmProgram } from '../../../scripts/helm.mjs';
import type { Manifest } from './manifest.js';

/** The folder of the chart. */
export const chart = fileURLToPath(new URL('../cadastre/', import.meta.url));

/** What to render. */
export interface Rendering {
  release?: string;
  namespace?: string;
  /** File in ci/, without "-values.yaml". */
  values?: string;
  /** Further values in the form of `helm --set`, path to value; numbers and booleans keep their type. */
  set?: Record<string, string | number | boolean>;
  /** Further values as JSON, path to value. */
  setJson?: Record<string, unknown>;
}

/** Names of the cases in ci/. */
export const cases = readdirSync(`${chart}ci`).map((name) => name.replace(/-values\.yaml$/, ''));

/** What helm has rendered, by its arguments: most tests look at the same few installations. */
const rendered = new Map<string, Promise<Manifest[]>>();

/** The manifests of an installation. Rejects with helm's message when the values are refused. */
export async function render(o: Rendering = {}): Promise<Manifest[]> {
  const args = argumentsOf(o);
  const key = JSON.stringify(args);
  const made = rendered.get(key) ?? manifestsOf(args);
  rendered.set(key, made);
  return structuredClone(await made);
}

/** The notes that helm prints after an installation of these values. */
export async function notes(o: Rendering): Promise<string> {
  const [, ...args] = argumentsOf(o);
  const { stdout } = await promisify(execFile)(helmProgram(), ['install', ...args, '--dry-run=client'], {
    env: helmEnvironment(),
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout.slice(stdout.indexOf('\nNOTES:'));
}

function argumentsOf(o: Rendering): string[] {
  const settings = Object.entries(o.set ?? {}).flatMap(([path, value]) => [
    typeof value === 'string' ? '--set-string' : '--set',
    `${path}=${value}`,
  ]);
  const json = Object.entries(o.setJson ?? {}).flatMap(([path, value]) => [
    '--set-json',
    `${path}=${JSON.stringify(value)}`,
  ]);
  const files = o.values === undefined ? [] : ['--values', `${chart}ci/${o.values}-values.yaml`];
  const where = [o.release ?? 'trial', chart, '--namespace', o.namespace ?? 'registry'];
  return ['template', ...where, ...files, ...settings, ...json];
}

async function manifestsOf(args: readonly string[]): Promise<Manifest[]> {
  const { stdout } = await promisify(execFile)(helmProgram(), args, {
    env: helmEnvironment(),
    maxBuffer: 64 * 1024 * 1024,
  });
  // Kubernetes reads YAML 1.1, where 0440 is octal.
  return parseAllDocuments(stdout, { version: '1.1' })
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null);
}

/** The message of helm about refused values; fails when helm accepts them. */
export async function refusal(o: Rendering): Promise<string> {
  const outcome = await render(o).then(
    () => 'nothing was refused',
    (error: { stderr: string }) => error.stderr,
  );
  return outcome;
}
