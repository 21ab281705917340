import type { preHandlerHookHandler } from 'fastify';
import type { Context } from '../context.js';
import { HttpError } from '../errors.js';
import { canonicalUrlOf } from '../request-context.js';
import { messages } from '../ripe-messages.js';

/**
 * Leads (302) a person who opens the plain address of an object in a browser to its page. Programs, some of which accept
 * text/html by default, get the object: they do not say that they open a document.
 */
export function leadToPage({ webFiles }: Pick<Context, 'webFiles'>): preHandlerHookHandler {
  return (request, _reply, done) => {
    const { facts, headers, method } = request;
    const { extension, path, query } = canonicalUrlOf(request);
    const isOpened = headers['sec-fetch-dest'] === 'document' && (headers.accept ?? '').includes('text/html');
    const isObject = facts.name === 'object' && method === 'GET' && extension === undefined && query === '';
    if (!isOpened || !isObject || webFiles.size === 0) return done();
    const location = `/-/object${path}`;
    throw new HttpError(302, messages.hasPage(), { location, 'cache-control': 'no-store' });
  };
}
