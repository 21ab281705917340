import { ServiceError } from '@cadastre/service';

/** A message of a stream that begins with settings. */
interface Message<S> {
  readonly part?:
    | { readonly $case: 'settings'; readonly value: S }
    | { readonly $case: 'changes' | 'data' | 'keys' }
    | undefined;
}

/** Reads the first message of a stream. Throws a ServiceError when it is not the settings. */
export async function firstSettings<S>(messages: AsyncIterator<Message<S>>): Promise<S> {
  const first = await messages.next();
  const part = first.done ? undefined : first.value.part;
  if (part?.$case !== 'settings') throw new ServiceError('invalid', 'The first message must be the settings');
  return part.value;
}
