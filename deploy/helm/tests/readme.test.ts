import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { chart } from './render.js';
import { valuesTable } from './values-table.js';

const heading = `# Values of the chart

Made from the comments in [values.yaml](values.yaml) by \`npx vitest run deploy/helm/tests/readme.test.ts -u\`.
What has a wrong form is refused by [values.schema.json](values.schema.json).
`;

test('the table of values matches values.yaml', async () => {
  const table = valuesTable(readFileSync(`${chart}values.yaml`, 'utf8'));
  await expect(`${heading}\n${table}\n`).toMatchFileSnapshot(`${chart}VALUES.md`);
});

test('every path of values that the README names exists', () => {
  const table = readFileSync(`${chart}VALUES.md`, 'utf8');
  const readme = readFileSync(`${chart}README.md`, 'utf8');
  const tops =
    'defaults|network|gateway|objects|auth|search|events|whois|mirror|cli|migrate|internalTls|operators|networkPolicy|ingress|gatewayApi|monitoring|tracing|evaluation|test|image';
  const paths = [...readme.matchAll(new RegExp(`\`((?:${tops})\\.[A-Za-z.]+)\``, 'g'))].map(([, path]) => path!);
  expect(paths.length).toBeGreaterThan(20);
  const exists = (path: string) => table.includes(`| \`${path}\``) || table.includes(`| \`${path}.`);
  // What every service has is in the table once.
  const common = (path: string) => path.replace(/^(gateway|objects|auth|search|events|whois|mirror)\./, 'defaults.');
  const ofAll = (path: string) => path.replace(/^[a-z]+\.(env|pod)$/, '$1');
  expect(paths.filter((path) => ![path, common(path), ofAll(path)].some(exists))).toEqual([]);
});
