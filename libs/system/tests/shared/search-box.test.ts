import type { Page, Route } from 'playwright-core';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { seriousViolations } from '../harness/accessibility.js';
import { describeWeb } from '../harness/describe-web.js';
import { eventually } from '../harness/eventually.js';

const network = '192.0.2.0 - 192.0.2.255';
const networkPage = '/-/object/TEST/inetnum/192.0.2.0%20-%20192.0.2.255';

describeWeb('the search box', ({ pages }) => {
  let page: Page;

  beforeAll(async () => {
    page = await pages.newPage();
  });
  beforeEach(() => page.unrouteAll());

  const box = () => page.getByRole('combobox', { name: 'Search the registry' });
  const answer = () => page.locator('.answer');
  const result = () => page.getByRole('region', { name: 'Result' });
  const address = () => page.evaluate<string>('location.pathname + location.search');
  const ask = async (text: string) => {
    await pages.open(page, '/');
    await box().fill(text);
    await page.keyboard.press('Enter');
  };
  /** Answers requests to a path of the registry; returns their parameters. */
  const serve = async (path: string, respond: (parameters: URLSearchParams) => object | number) => {
    const requested: URLSearchParams[] = [];
    await page.route(
      (url) => url.pathname === path,
      (route: Route) => {
        const parameters = new URL(route.request().url()).searchParams;
        requested.push(parameters);
        const response = respond(parameters);
        return route.fulfill(typeof response === 'number' ? { status: response } : { json: response });
      },
    );
    return requested;
  };

  test('an address, however it is written, is answered in short, and the focus is at the answer', async () => {
    await ask('192[.]0[.]2[.]77/24');
    await page.getByText('Understood as an IPv4 prefix, 192.0.2.0/24, which contains 192.0.2.77').waitFor();
    await answer().waitFor();
    const said = await answer().textContent();
    for (const part of ['Example Networks (NL) B.V.', network, 'EXAMPLE-NET', 'Netherlands (NL)', 'Alice Example'])
      expect(said).toContain(part);
    expect(said).toMatch(/192\.0\.2\.0\/24 from AS64500/);
    const mail = answer().getByRole('link', { name: 'abuse@example.net' });
    expect(await mail.getAttribute('href')).toBe('mailto:abuse@example.net');
    await eventually(async () =>
      expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Result'),
    );
    expect(await seriousViolations(page)).toEqual([]);
    await answer().getByRole('link', { name: 'AS64500' }).click();
    await page.getByText('Understood as an AS number').waitFor();
    await answer().getByText('All routes from AS64500').waitFor();
    const types = () => result().getByRole('article').locator('h2 .chip').allTextContents();
    await expect.poll(async () => (await types())[0]).toBe('aut-num');
    await answer()
      .getByRole('link', { name: /^\d+ route$/ })
      .click();
    await page.getByRole('heading', { name: /objects? refers? to it/ }).waitFor();
    expect(await address()).toBe('/-/object/TEST/aut-num/AS64500?view=referrers&type=route');
    await page.goBack();
    await page.goBack();
    await answer().getByText('EXAMPLE-NET').waitFor();
  });

  test.each([
    ['valid', 'ROA valid'],
    ['invalid', 'ROA invalid'],
    ['not-found', 'No ROA covers it'],
    [undefined, 'ROAs not checked'],
    [404, 'ROAs not checked'],
  ])('a route whose state is %s: "%s"', async (roa, text) => {
    const routes = [{ prefix: '192.0.2.0/24', origin: 'AS64500', roa }];
    await serve('/bulk-lookup', () => (roa === 404 ? 404 : { resources: [{ resource: '192.0.2.77', routes }] }));
    await ask('192.0.2.77');
    await answer().getByText(text).waitFor();
  });

  test('a route that conflicts with a ROA says why', async () => {
    await page.route('**/search?*', async (route) => {
      const response = await route.fetch();
      const found = await response.json();
      const warning = {
        severity: 'Warning',
        text: 'this %s object conflicts with an RPKI ROA',
        args: [{ value: 'ROUTE' }],
      };
      for (const object of found.objects.object)
        if (object.type === 'route') object.objectmessages = { objectmessage: [warning] };
      return route.fulfill({ response, json: found });
    });
    await ask('192.0.2.77');
    await answer().getByText('this ROUTE object conflicts with an RPKI ROA').waitFor();
    expect(await seriousViolations(page)).toEqual([]);
  });

  test('an address that nobody holds is said to be so', async () => {
    await ask('203.0.113.200');
    await answer().getByText('is in no registered network').waitFor();
  });

  test.each([
    ['64500', 'an AS number, AS64500', /AS64500/],
    ['-T route -i origin AS64500', 'an AS number, AS64500, named in origin, only route', /192\.0\.2\.0\/24AS64500/],
    ['abuse@example.net', 'an e-mail address', /EN1-TEST/],
  ])('%j is understood as %s', async (text, what, heading) => {
    await ask(text);
    await page.getByText(`Understood as ${what}`).waitFor();
    await result().getByRole('heading', { name: heading }).first().waitFor();
  });

  test.each([
    ['192.0.2.0/33', 'IPv4 prefixes end at /32'],
    ['+31 20 555 0100', 'objects are not found by telephone numbers'],
  ])('%j has an answer without a search', async (text, said) => {
    await pages.open(page, `/-/query?${new URLSearchParams({ q: text })}`);
    await page.getByText(said).waitFor();
  });

  test('an AS number that nobody holds, and a template', async () => {
    await ask('AS64999');
    await answer().getByText('is not registered').waitFor();
    await ask('-t inetnum');
    await page.getByRole('heading', { name: 'Attributes of inetnum' }).waitFor();
    expect(await address()).toBe('/-/template/inetnum');
    expect(await seriousViolations(page)).toEqual([]);
    await box().fill('AS64500');
    await page.keyboard.press('Enter');
    await answer().getByText('All routes from AS64500').waitFor();
  });

  test('a URL of the registry opens what it names', async () => {
    await ask('https://rest.example.net/test/inetnum/192.0.2.0%20-%20192.0.2.255.json');
    await page.getByRole('heading', { name: network }).waitFor();
    expect(await address()).toBe(networkPage);
    await pages.open(page, `/-/query?${new URLSearchParams({ q: '/search?query-string=AS64500&flags=r' })}`);
    await result().getByRole('article').first().waitFor();
    expect(await address()).toBe('/-/query?q=AS64500&flag=no-referenced');
  });

  test.each([
    ['a long text', 'x'.repeat(20_000), 'a text of 20,000 characters'],
    ['a list', '192.0.2.1 192.0.2.2', '2 addresses, prefixes or AS numbers'],
  ])('%s is not searched for; bulk lookup is offered', async (_what, text, said) => {
    await ask(text);
    await page.getByText(`That is ${said}`).waitFor();
    expect(await page.getByRole('link', { name: 'Bulk lookup' }).first().getAttribute('href')).toBe('/-/bulk');
    expect(await address()).toBe('/');
  });

  test('objects are suggested as one types, and chosen with the keyboard', async () => {
    const suggestions = [
      { source: 'TEST', type: 'inetnum', key: network, title: 'EXAMPLE-NET' },
      { source: 'TEST', type: 'mntner', key: 'EXAMPLE-MNT', title: 'EXAMPLE-MNT' },
    ];
    // Only for the whole text: between two keys a busy machine may show those for its beginning.
    const requested = await serve('/search/suggestions', (parameters) => ({
      suggestions: parameters.get('beginning') === 'exam' ? suggestions : [],
    }));
    await pages.open(page, '/');
    await box().pressSequentially('exam');
    const options = page.getByRole('listbox', { name: 'Objects that begin with this' }).getByRole('option');
    await options.first().waitFor();
    expect(requested.at(-1)?.get('beginning')).toBe('exam');
    expect(await box().getAttribute('aria-expanded')).toBe('true');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await options.nth(1).getAttribute('aria-selected')).toBe('true');
    expect(await box().getAttribute('aria-activedescendant')).toBe(await options.nth(1).getAttribute('id'));
    expect(await seriousViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect([await options.count(), await box().inputValue()]).toEqual([0, 'exam']);
    await page.keyboard.press('ArrowDown');
    // Keys that begin so are before names.
    expect(await options.first().textContent()).toContain('EXAMPLE-MNT');
    await options.nth(1).click();
    await page.getByRole('heading', { name: network }).waitFor();
    expect(await address()).toBe(networkPage);
  });

  test('without suggestions and matches of words a search still answers', async () => {
    await serve('/search/suggestions', () => 404);
    await serve('/search/words', () => 404);
    await pages.open(page, '/');
    await box().fill('no-such-thing');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'No objects found for “no-such-thing”' }).waitFor();
  });

  test('what no key or name matches is found by its words, with numbers by type, and page by page', async () => {
    const matches = [{ attribute: 'descr', value: 'Example network' }];
    const found = [{ source: 'TEST', type: 'inetnum', key: network, title: 'EXAMPLE-NET', matches }];
    const counts = [
      { type: 'inetnum', objects: 1200 },
      { type: 'route', objects: 1 },
    ];
    const requested = await serve('/search/words', (parameters) => ({
      counts,
      partial: false,
      serial: 1,
      found,
      ...(parameters.has('cursor') ? {} : { cursor: 'next' }),
    }));
    await ask('network of examples');
    await result().getByText('1,201 objects with these words').waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByRole('link', { name: 'inetnum 1,200' }).click();
    await page.getByText('Understood as words in names, descriptions, remarks and addresses').waitFor();
    await result().getByText('Example network').waitFor();
    expect(await address()).toBe('/-/query?q=network+of+examples&type=inetnum&by=words');
    await page.getByRole('link', { name: 'Next' }).click();
    await page.getByRole('link', { name: 'First page' }).waitFor();
    expect(requested.map((one) => [one.get('query-string'), one.getAll('type-filter'), one.get('cursor')])).toEqual([
      ['network of examples', [], null],
      ['network of examples', ['inetnum'], null],
      ['network of examples', ['inetnum'], 'next'],
    ]);
    await page.goBack();
    await page.goBack();
    await page.getByText('Understood as a name').waitFor();
    await result().getByRole('link', { name: network }).click();
    await page.getByRole('heading', { name: network }).waitFor();
  });

  test('what is only the beginning of a key or name is completed', async () => {
    await serve('/search/words', () => ({ counts: [], partial: false, serial: 1, found: [] }));
    const suggestions = [{ source: 'TEST', type: 'inetnum', key: network, title: 'EXAMPLE-NET' }];
    await serve('/search/suggestions', () => ({ suggestions }));
    await pages.open(page, '/-/query?q=exampl');
    await result().getByText('No key and no whole name is “exampl”. These begin with it:').waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await result().getByRole('link', { name: network }).click();
    await page.getByRole('heading', { name: network }).waitFor();
  });

  test('the key / leads to the search box from everywhere, but not out of a field', async () => {
    const isInBox = () => box().evaluate((element) => element === element.ownerDocument.activeElement);
    await pages.open(page, networkPage);
    await page.getByRole('heading', { name: network }).waitFor();
    await page.keyboard.press('/');
    await eventually(async () => expect(await isInBox()).toBe(true));
    expect([await address(), await box().inputValue()]).toEqual([networkPage, '']);
    await page.keyboard.type('192.0.2.0/24');
    await page.keyboard.press('Enter');
    await answer().waitFor();
    await page.keyboard.press('/');
    expect([await isInBox(), await box().inputValue()]).toEqual([true, '192.0.2.0/24']);
  });

  test('on a phone the answer is on the first screen, and nothing moves when it arrives', async () => {
    const phone = await pages.newPage({ viewport: { width: 390, height: 844 } });
    await phone.addInitScript(`
      globalThis.shift = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) globalThis.shift += entry.value;
      }).observe({ type: 'layout-shift', buffered: true });
    `);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await phone.route('**/search?*', (route) => held.then(() => route.continue()));
    await pages.open(phone, '/-/query?q=192.0.2.77&type=inetnum&type=route&level=exact');
    await phone.getByText('Loading the result').waitFor();
    await phone.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
    release();
    const card = phone
      .getByRole('article')
      .or(phone.locator('.card').filter({ hasText: 'No objects' }))
      .first();
    await card.waitFor();
    expect((await card.boundingBox())!.y).toBeLessThan(500);
    expect(await phone.evaluate('globalThis.shift')).toBeLessThan(0.1);
    await phone.context().close();
  });

  test('no page logged an error or violated the content security policy', () => {
    expect(pages.complaints).toEqual([]);
  });
});
