import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withMarkedSection } from './marked-section.ts';
import { checkout, reportFile } from './revision.ts';

const page = await readFile(join(checkout, reportFile), 'utf8');

describe('withMarkedSection', () => {
  it('replaces the text between the marks, and nothing else', () => {
    const once = withMarkedSection(page, 'old tables');
    const twice = withMarkedSection(once, '\nnew tables\n\n');
    expect(once).toContain('\n\nold tables\n\n');
    expect(twice).toBe(once.replace('old tables', 'new tables'));
    expect(withMarkedSection(twice, 'old tables')).toBe(once);
  });

  it.each([
    ['no marks', 'text'],
    ['no second mark', page.replace('<!-- bench: end -->', '')],
    ['marks in the wrong order', `<!-- bench: end -->\n${page.replace('<!-- bench: end -->', '')}`],
  ])('refuses a text with %s', (_, text) => {
    expect(() => withMarkedSection(text, 'tables')).toThrow('lacks the lines');
  });
});
