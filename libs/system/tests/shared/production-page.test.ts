import { readFileSync } from 'node:fs';
import { expect, inject, it } from 'vitest';
import { cadastre } from '../harness/cadastre.js';

// The objects of docs/operate/production.md that a new registry loads first.
const system = inject('sharedSystem');
const page = readFileSync(new URL('../../../../docs/operate/production.md', import.meta.url), 'utf8');
const objects = /^```text registry\.rpsl\n(.*?)^```$/ms.exec(page)![1]!;

it('begins a registry with objects that a load takes', async () => {
  const text = objects.replaceAll(/^source: .*$/gm, 'source: TEST').replaceAll('HM1-EXAMPLE', 'HM1-TEST');
  const loaded = await cadastre(system, ['load', '--source', 'TEST', '--dry-run', '--json', '-'], text);
  expect(loaded).toMatchObject({ code: 0 });
  expect(JSON.parse(loaded.stdout)).toMatchObject({ rejected: 0 });
});
