// Fails when services/gateway/openapi.json removes or changes what services/gateway/openapi.released.json promises.
import { readFileSync } from 'node:fs';
import { apiCompare, breaking } from 'api-smart-diff';

const read = (name) => JSON.parse(readFileSync(new URL(`../services/gateway/${name}`, import.meta.url), 'utf8'));
const { diffs } = apiCompare(read('openapi.released.json'), read('openapi.json'));
// A change of a schema appears at each path that uses it. Clients must not depend on the names of schemas.
const broken = diffs.filter(({ type, path }) => type === breaking && path[0] === 'paths');
for (const { action, path } of broken) console.error(`breaking: ${action} ${path.slice(1).join(' ')}`);
if (broken.length > 0) {
  console.error('Clients of the REST interface rely on this. `make contracts-release` accepts the change.');
  process.exitCode = 1;
}
