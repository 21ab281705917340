import { expect, it } from 'vitest';
import { publicQuery } from './secret-parameters.js';

it.each([
  ['dry-run&password=hunter2&x=%20&pass%77ord=y', 'dry-run&x=%20'],
  ['password=hunter2', ''],
  ['keyId=x&limit=1&apiKey=x&api_key=x&api-key=x&API%4bEY=x', 'limit=1'],
  ['token=x&access_token=x&sessionId=x&signature=x&client-secret=x&Authorization=x&pwd=x', ''],
  ['a=b;apiKey=x&c=d', 'c=d'],
  ['QUtJQUlPU0ZPRE5ON0VYQU1QTEU6c2VjcmV0&QUtJQUlPU0ZPRE5ON0VYQU1QTEU6c2VjcmV0=', ''],
  ['key=192.0.2.1&ipkey=192.0.2.1&query-string=a%26b&inverse-attribute=mnt-by', undefined],
])('the link of ?%s has no credentials', (query, expected) => {
  expect(publicQuery(query)).toBe(expected ?? query);
});
