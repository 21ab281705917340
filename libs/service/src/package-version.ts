import { readFileSync } from 'node:fs';

/** The version of a package, given the URL of a module directly in its src/ or dist/ (`import.meta.url`). */
export function packageVersion(moduleUrl: string | URL): string {
  return JSON.parse(readFileSync(new URL('../package.json', moduleUrl), 'utf8')).version;
}
