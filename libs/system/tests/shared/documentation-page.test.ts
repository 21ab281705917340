import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { hasBrowser, startBrowser } from '../harness/browser.js';

describe.runIf(hasBrowser())('the page that shows the description of the interface', () => {
  const system = inject('sharedSystem');
  let browser: Awaited<ReturnType<typeof startBrowser>>;

  beforeAll(async () => {
    browser = await startBrowser();
  });

  afterAll(async () => {
    await browser?.close();
  });

  it('shows the operations, and violates no rule of its content security policy', async () => {
    const page = await browser.newPage({ ignoreHTTPSErrors: true });
    // The page draws a hundred operations, which takes long on a busy machine.
    page.setDefaultTimeout(150_000);
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(`${system.https}/docs`);
    const operation = page.locator('#operations-Objects-lookUpObject');
    await operation.waitFor();
    await operation.locator('button').first().click();
    const { paths } = await (await page.request.get(`${system.https}/openapi.json`)).json();
    const { description } = paths['/{source}/{objectType}/{key}'].get;
    await operation.getByText(description.slice(0, description.indexOf('`')).trim()).waitFor();
    expect(complaints).toEqual([]);
  });
});
