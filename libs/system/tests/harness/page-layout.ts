import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Pause between the requests of a slow page. */
const stepMs = 100;

/**
 * Makes pages load slowly, one response after the other, and records how their parts move. Call it before opening a
 * page. Returns a function that waits until the page has every response, and has rendered.
 */
export async function slowDown(page: Page): Promise<() => Promise<void>> {
  await page.addInitScript(`{
    const fetchNow = fetch;
    let requests = 0;
    const open = new Map();
    globalThis.fetch = async (...request) => {
      const number = ++requests;
      open.set(number, String(request[0]?.url ?? request[0]));
      try {
        await new Promise((resolve) => setTimeout(resolve, number * ${stepMs}));
        const response = await fetchNow(...request);
        await response.clone().arrayBuffer();
        return response;
      } finally {
        open.delete(number);
      }
    };
    // A page begins requests after it has rendered the response to others: on a busy machine, much later.
    globalThis.unsettled = async () => {
      const before = requests;
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestIdleCallback(done))));
      const waiting = document.querySelector('.waiting') ? ['what is loading'] : [];
      return [...open.values(), ...waiting, ...(requests > before ? ['another request'] : [])];
    };
    globalThis.layoutShifts = [];
    const nameOf = (node) => !node ? 'what is gone' : node.nodeType === 3 ? nameOf(node.parentNode)
      : node.nodeName.toLowerCase() + (node.className ? '.' + node.className : '');
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries())
        if (!hadRecentInput) layoutShifts.push({ value, moved: sources.map(({ node }) => nameOf(node)) });
    }).observe({ type: 'layout-shift', buffered: true });
  }`);
  return async () => {
    await expect.poll(() => page.evaluate('unsettled()')).toEqual([]);
  };
}

/** Waits until a page no longer shows that it loads something. */
export async function settle(page: Page): Promise<void> {
  await expect.poll(() => page.locator('.waiting').count()).toBe(0);
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
}

/** How far the parts of a page moved while it loaded (cumulative layout shift), if that is too far, and which parts. */
export async function shiftFaults(page: Page): Promise<string[]> {
  const shifts = (await page.evaluate('layoutShifts')) as { value: number; moved: string[] }[];
  const sum = shifts.reduce((total, { value }) => total + value, 0);
  return sum < 0.1 ? [] : [`moves by ${sum.toFixed(3)}: ${shifts.flatMap(({ moved }) => moved).join(', ')}`];
}

/** How much wider than the screen a page is. */
export async function widthFaults(page: Page): Promise<string[]> {
  const overflow = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
  return overflow > 0 ? [`is ${overflow} px wider than the screen`] : [];
}

/**
 * Controls smaller than 24 by 24 CSS pixels. A link in a text may be smaller, if a circle of 24 px around its middle
 * touches no other target (WCAG 2.2, 2.5.8). The label of a checkbox or a field for files is part of it.
 */
export async function targetFaults(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const all = [...document.querySelectorAll('a[href], button, input, select, textarea, summary')]
      .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.matches('.skip'));
    const boxOf = (one) => {
      const boxes = [one, ...(one.matches('[type=checkbox], [type=radio], [type=file]') ? one.labels : [])]
        .map((part) => part.getBoundingClientRect());
      const left = Math.min(...boxes.map((box) => box.left)), right = Math.max(...boxes.map((box) => box.right));
      const top = Math.min(...boxes.map((box) => box.top)), bottom = Math.max(...boxes.map((box) => box.bottom));
      return { left, right, top, bottom, width: right - left, height: bottom - top };
    };
    const boxes = new Map(all.map((one) => [one, boxOf(one)]));
    const isLarge = ({ width, height }) => width > 23.5 && height > 23.5;
    const middle = (box) => [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    const near = (box, other) => {
      const [x, y] = middle(box);
      const dx = Math.max(other.left - x, 0, x - other.right), dy = Math.max(other.top - y, 0, y - other.bottom);
      if (Math.hypot(dx, dy) < 11.5) return true;
      const [ox, oy] = middle(other);
      return !isLarge(other) && Math.hypot(ox - x, oy - y) < 23.5;
    };
    const isAlone = (one) => all.every((other) => other === one || !near(boxes.get(one), boxes.get(other)));
    const isInText = (one) => getComputedStyle(one).display === 'inline';
    return all.filter((one) => !isLarge(boxes.get(one)) && !(isInText(one) && isAlone(one))).map((one) => {
      const { width, height } = boxes.get(one);
      return 'has the small target ' + Math.round(width) + 'x' + Math.round(height) + ' ' + one.outerHTML.slice(0, 90);
    });
  })()`);
}
