import { fileURLToPath } from 'node:url';

/** Lets Node resolve the ".js" of a relative import to its TypeScript file. */
const hook = `
  import { registerHooks } from 'node:module';
  registerHooks({
    resolve(specifier, context, next) {
      try {
        return next(specifier, context);
      } catch (error) {
        if (!/^[./].*\\.js$/.test(specifier)) throw error;
        return next(specifier.replace(/\\.js$/, '.ts'), context);
      }
    },
  });`;

/** Arguments for `node` before a TypeScript file of this workspace: runs it from source, as the tests do. */
export const sourceArguments: readonly string[] = [
  '--no-warnings',
  '--experimental-transform-types',
  '--conditions=source',
  `--import=data:text/javascript,${encodeURIComponent(hook)}`,
];

/** The file of a compiled module and the arguments of `node` before it; its source when this process runs from TypeScript. */
export function moduleToRun(compiled: URL): { readonly file: string; readonly nodeArguments: readonly string[] } {
  const file = fileURLToPath(compiled);
  if (!import.meta.url.endsWith('.ts')) return { file, nodeArguments: [] };
  return { file: file.replace(/\.js$/, '.ts'), nodeArguments: sourceArguments };
}
