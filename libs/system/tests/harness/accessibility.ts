import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Serious and critical accessibility violations that axe finds on a page, one line for each element. */
export async function seriousViolations(page: Page): Promise<string[]> {
  // Animations blend colours, which axe cannot judge.
  await page.evaluate('document.getAnimations().forEach((one) => one.cancel())');
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target }) => `${new URL(page.url()).pathname} ${id}: ${target.join(' ')}`),
    );
}
