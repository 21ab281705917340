import type { AuthenticateRequest } from '@cadastre/proto/auth';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../context.js';
import { challenge, HttpError } from '../errors.js';
import { sessionOf } from '../reply/session-cookies.js';
import { messages } from '../ripe-messages.js';

type WithCertificates = Pick<Context, 'clientCertificates'>;

/** Whether a request has credentials. Most have none, so this is cheap for them. */
export function hasCredentials({ clientCertificates }: WithCertificates, request: FastifyRequest): boolean {
  return (
    request.headers.authorization !== undefined ||
    sessionOf(request) !== undefined ||
    clientCertificates.of(request.raw) !== undefined
  );
}

/**
 * The credentials of a request. Throws an HttpError: 401 for an Authorization of another scheme than Basic and Bearer,
 * 400 for a Client-Cert without a certificate.
 */
export function credentialsOf({ clientCertificates }: WithCertificates, request: FastifyRequest): AuthenticateRequest {
  return {
    ...readAuthorization(request.headers.authorization),
    session: sessionOf(request) ?? '',
    clientCertificate: clientCertificates.of(request.raw) ?? Buffer.alloc(0),
  };
}

function readAuthorization(header: string | undefined): Pick<AuthenticateRequest, 'basic' | 'bearerToken'> {
  if (header === undefined) return { basic: '', bearerToken: '' };
  const [, scheme = '', rest = ''] = /^(basic|bearer) +(.*)$/i.exec(header) ?? [];
  const value = rest.trim();
  if (value === '') throw new HttpError(401, messages.unsupportedScheme(), challenge);
  return scheme.toLowerCase() === 'basic' ? { basic: value, bearerToken: '' } : { basic: '', bearerToken: value };
}
