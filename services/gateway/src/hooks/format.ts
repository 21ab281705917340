import type { preHandlerHookHandler } from 'fastify';
import { HttpError } from '../errors.js';
import { acceptedFormat } from '../reply/negotiate.js';
import { canonicalUrlOf } from '../request-context.js';
import { messages } from '../ripe-messages.js';

/** Chooses the format of the reply. Refuses (415, of RDAP 406) a request that accepts none of the available ones. */
export const chooseFormat: preHandlerHookHandler = (request, _reply, done) => {
  const format = acceptedFormat(request);
  if (format === undefined) {
    const { accept = '' } = request.headers;
    if (request.facts.format === 'rdap') throw new HttpError(406, messages.unsupportedRdapAccept(accept));
    const isByExtension = canonicalUrlOf(request).extension !== undefined;
    throw new HttpError(415, isByExtension ? messages.unsupportedExtension() : messages.unsupportedAccept(accept));
  }
  request.format = format;
  done();
};
