import { expect, test } from 'vitest';
import { failureTexts } from './failure-texts.js';

const now = new Date(2026, 10, 21, 14, 2, 30);

test.each<[what: string, status: number, retryAfterSeconds: number, sent: string[], texts: string[]]>([
  ['its message', 400, 0, ['Invalid source'], ['Invalid source']],
  ['when a limit ends', 429, 37, ['Too many requests: 5'], ['Too many requests: 5. Again in 37 s, at 14:03:07.']],
  [
    'the end of a long one',
    429,
    3600,
    ['Denied until then.'],
    ['Denied until then. Again in 60 minutes, at 15:02:30.'],
  ],
  ['a sentence without a body', 503, 0, [], ['The registry is overloaded or restarting.']],
  ['no page of a proxy', 502, 0, ['<!DOCTYPE html>\n<h1>Oops'], ['The registry does not answer at the moment.']],
  ['no page of a proxy after blanks', 504, 0, ['\n<html>'], ['The registry does not answer at the moment.']],
  ['an unknown status', 418, 5, ['<html>'], ['The registry returned status 418.']],
])('a failure says %s', (_what, status, retryAfterSeconds, sent, texts) => {
  expect(failureTexts({ status, retryAfterSeconds, sent }, now)).toEqual(texts);
});
