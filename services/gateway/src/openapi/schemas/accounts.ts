import { instant, list, object, ref, type Schema, text, truth } from './schema.js';

const maintainer = text('Name of the mntner that the key is limited to.', { examples: ['EXAMPLE-MNT'] });

/** The documents about API keys and sessions. */
export const accountSchemas: Readonly<Record<string, Schema>> = {
  ApiKey: object(
    'An API key, without its secret.',
    {
      id: text('Identifier of the key.'),
      name: text('What its owner calls it.'),
      created: instant('When it was made.'),
      expires: instant('From when on it is not accepted.'),
    },
    {
      revoked: instant('When it was revoked; absent when it was not.'),
      'last-used': instant('When it was last used; absent when it never was.'),
      maintainer,
    },
  ),
  ApiKeyList: object('The keys of an account, newest first, revoked and expired ones included.', {
    'api-keys': list(ref('ApiKey')),
  }),
  ApiKeyWish: object(
    'A wish for an API key.',
    { name: text('What to call it.', { examples: ['laptop'] }) },
    {
      expires: text('An instant with its offset, or a day in UTC; at most a year from now, which is the default.', {
        examples: ['2030-01-31'],
      }),
      maintainer,
    },
  ),
  NewApiKey: object('A new API key.', {
    'api-key': ref('ApiKey'),
    credential: text('The value for `Authorization: Basic`. It is shown here and nowhere else.'),
  }),
  RevokedApiKey: object('A key that was revoked.', { 'api-key': ref('ApiKey') }),
  Session: object('Who is signed in.', {
    session: object('The session.', {
      account: text('Name of the account at the identity provider.', { examples: ['alice@example.net'] }),
      created: instant('When it began.'),
      expires: instant('When it ends in any case.'),
      'idle-expires': instant('When it ends if it is not used before.'),
    }),
  }),
  OwnMaintainers: object('Mntners for which an account may act.', {
    maintainers: list(
      object('A mntner.', {
        source: text('Its source.', { examples: ['TEST'] }),
        key: text('Its name.', { examples: ['EXAMPLE-MNT'] }),
      }),
      { maxItems: 1000 },
    ),
    incomplete: truth('Whether there are more.'),
  }),
  EndedSession: object('Nobody is signed in any more.', {}),
};
