/** Lets plain Node find the TypeScript file behind the ".js" of a relative import. */
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

/** Arguments for `node` in front of a TypeScript file of this workspace: runs it from the sources, like the tests. */
export const sourceArguments: readonly string[] = [
  '--no-warnings',
  '--experimental-transform-types',
  '--conditions=source',
  `--import=data:text/javascript,${encodeURIComponent(hook)}`,
];
