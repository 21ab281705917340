import { statSync } from 'node:fs';
import { registerHooks } from 'node:module';

// Loaded before a TypeScript file of this workspace (run-sources.ts): Node resolves the ".js" of a relative import to
// its TypeScript file, or to the built file if that is not older: transforming takes half of a start.
const times = new Map();

registerHooks({
  resolve(specifier, context, next) {
    return newest(resolved(specifier, context, next));
  },
});

function resolved(specifier, context, next) {
  try {
    return next(specifier, context);
  } catch (error) {
    if (!/^[./].*\.js$/.test(specifier)) throw error;
    return next(specifier.replace(/\.js$/, '.ts'), context);
  }
}

function newest(found) {
  const parts = /^(file:.*\/(?:libs|services|cli|proto)(?:\/[^/]+)?)\/(?:src|dist)\/(.*?)(?:\.modules)?\.[jt]s$/.exec(
    found.url,
  );
  if (parts === null) return found;
  const [, folder, name] = parts;
  const source = `${folder}/src/${name}.ts`;
  // The modules of a program are beside the file that starts its bundle, which may be older.
  const built = [`${folder}/dist/${name}.modules.js`, `${folder}/dist/${name}.js`].find((one) => timeOf(one) > 0);
  if (built === undefined || timeOf(source) === 0) return found;
  if (timeOf(built) >= timeOf(source)) return { ...found, url: built, format: 'module' };
  return { ...found, url: source, format: 'module-typescript' };
}

function timeOf(url) {
  if (!times.has(url)) times.set(url, statSync(new URL(url), { throwIfNoEntry: false })?.mtimeMs ?? 0);
  return times.get(url);
}
