import { ServiceError } from '@cadastre/service';

const canceledStatement = '57014';

/** States of a server that is away, starting, stopping or full, and of broken connections. */
const unavailable = /^(?:08...|57P0[1-3]|53300)$/;
const networkCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'ENOTFOUND', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN']);

/** What a failed statement means to whoever asked. */
export function indexFailure(thrown: unknown): unknown {
  const { code = '', message = '' } = (thrown ?? {}) as { code?: string; message?: string };
  if (code === canceledStatement || message === 'Query read timeout') {
    return new ServiceError('timeout', 'The search took too long', { cause: thrown });
  }
  const away = unavailable.test(code) || networkCodes.has(code) || /timeout exceeded when|terminated/.test(message);
  return away ? new ServiceError('unavailable', 'The search index is not available', { cause: thrown }) : thrown;
}
