import { fileURLToPath } from 'node:url';

/** Arguments for `node` before a TypeScript file of this workspace: runs it as the tests run. */
export const sourceArguments: readonly string[] = [
  '--no-warnings',
  '--experimental-transform-types',
  '--conditions=source',
  `--import=${new URL('load-sources.mjs', import.meta.url).href}`,
];

/** The file of a compiled module and the arguments of `node` before it; its source when this process runs from TypeScript. */
export function moduleToRun(compiled: URL): { readonly file: string; readonly nodeArguments: readonly string[] } {
  const file = fileURLToPath(compiled);
  if (!import.meta.url.endsWith('.ts')) return { file, nodeArguments: [] };
  return { file: file.replace(/\.js$/, '.ts'), nodeArguments: sourceArguments };
}
