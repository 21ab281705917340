import { expect, test } from 'vitest';
import { templateText, verboseTemplateText } from './template.js';
import { objectTypes } from './types.js';

test('a template line has name, requirement, cardinality and keys in columns', () => {
  expect(templateText('route').split('\n').slice(0, 3)).toEqual([
    'route:          [mandatory]  [single]     [primary/lookup key]',
    'descr:          [optional]   [multiple]   [ ]',
    'origin:         [mandatory]  [single]     [primary/inverse key]',
  ]);
});

test('conditional and generated attributes are marked', () => {
  expect(templateText('organisation')).toContain('phone:          [conditional] [multiple]   [ ]\n');
  expect(templateText('organisation')).toContain('created:        [generated]  [single]     [ ]\n');
});

test.each(objectTypes.map((t) => t.name))('the verbose template of %s explains every attribute', (type) => {
  const text = verboseTemplateText(type);
  expect(text).toContain(templateText(type));
  for (const line of templateText(type).trimEnd().split('\n')) {
    const name = line.slice(0, line.indexOf(':'));
    expect(text).toMatch(new RegExp(`\\n${name}\\n   [A-Z].*\\n(?:   .*\\n)*   Value`));
  }
  expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
});
