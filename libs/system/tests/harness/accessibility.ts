import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Serious and critical accessibility violations that axe finds on a page, one line for each element. */
export async function seriousViolations(page: Page): Promise<string[]> {
  // Animations blend colours, which axe cannot judge.
  await page.evaluate('document.getAnimations().forEach((one) => one.cancel())');
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe);
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } }).axe.run({
      resultTypes: ['violations'],
    }),
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target }) => `${new URL(page.url()).pathname} ${id}: ${target.join(' ')}`),
    );
}

/** What axe finds, light and wide, then dark and narrow, and whether the page is wider than a phone. */
export async function violationsInBothLooks(page: Page): Promise<string[]> {
  const found = await seriousViolations(page);
  const size = page.viewportSize()!;
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 390, height: 800 });
  found.push(...(await seriousViolations(page)));
  if (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) found.push('wider than a phone');
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize(size);
  return found;
}
