import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, startBrowser } from './harness/browser.js';
import { freshDirectory, type RunningSystem, runSystem } from './harness/run-system.js';

describe.runIf(hasBrowser())('the page that shows the description of the interface', () => {
  let data: Awaited<ReturnType<typeof freshDirectory>>;
  let system: RunningSystem;
  let browser: Awaited<ReturnType<typeof startBrowser>>;

  beforeAll(async () => {
    data = await freshDirectory();
    system = await runSystem(data.directory);
    browser = await startBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    await system?.stop();
    await data.remove();
  });

  it('shows the operations, and breaks no rule of its content security policy', async () => {
    const page = await browser.newPage({ ignoreHTTPSErrors: true });
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(`${system.https}/docs`);
    const operation = page.locator('#operations-Objects-lookUpObject');
    await operation.waitFor({ timeout: 60_000 });
    await operation.locator('button').first().click();
    await operation.getByText('The object with this very key').waitFor({ timeout: 60_000 });
    expect(complaints).toEqual([]);
  });
});
