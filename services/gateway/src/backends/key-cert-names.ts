import type { Message } from '@cadastre/proto/registry';
import type { CallOptions } from '@cadastre/service';
import type { Context } from '../context.js';

/**
 * Replaces certificate fingerprints in messages of the auth service by the names of the key-certs with these
 * certificates. Without such a key-cert, or while the objects service is unavailable, the message names none.
 */
export function withKeyCertNames(
  { reader }: Pick<Context, 'reader'>,
  messages: readonly Message[],
  options: CallOptions,
): Promise<Message[]> {
  return Promise.all(
    messages.map(async (message) => {
      const fingerprint = message.args.find((one) => /^[0-9a-f]{64}$/.test(one));
      if (fingerprint === undefined || !message.text.includes(inKeyCert)) return message;
      const request = { source: '', pgpSubkeyIds: [], certificateFingerprints: [fingerprint] };
      const { names } = await reader.findKeyCerts(request, options).catch(() => ({ names: [] }));
      return names[0] === undefined
        ? { ...message, text: message.text.replace(inKeyCert, ''), args: [] }
        : { ...message, args: [names[0]] };
    }),
  );
}

const inKeyCert = ' in keycert %s';
