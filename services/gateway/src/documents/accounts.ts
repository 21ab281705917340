import { count, instant, list, object, ref, type Schema, text, truth } from '@cadastre/rdap/schema';

const maintainer = text('Name of the mntner that the key is limited to.', { examples: ['EXAMPLE-MNT'] });

/** The documents about API keys and sessions. */
export const accountSchemas: Readonly<Record<string, Schema>> = {
  ApiKeyDetails: object(
    'An API key, without its secret.',
    {
      id: text('Identifier of the key.'),
      name: text('Name that its owner chose.'),
      created: instant('Time of creation.'),
      expires: instant('Time of expiry.'),
    },
    {
      revoked: instant('Time of revocation; absent if it was not revoked.'),
      'last-used': instant('Time of last use; absent if it was never used.'),
      maintainer,
    },
  ),
  ApiKeyList: object('The keys of an account, newest first, including revoked and expired ones.', {
    'api-keys': list(ref('ApiKeyDetails')),
  }),
  ApiKeyRequest: object(
    'A request for an API key.',
    { name: text('Name of the key.', { examples: ['laptop'] }) },
    {
      expires: text('A time with its offset, or a date in UTC; at most one year from now; default: one year from now.'),
      maintainer,
    },
  ),
  CreatedApiKey: object('A new API key.', {
    'api-key': ref('ApiKeyDetails'),
    credential: text('The value for `Authorization: Basic`. Only this response contains it.'),
  }),
  RevokedApiKey: object('The revoked key.', { 'api-key': ref('ApiKeyDetails') }),
  CurrentSession: object('The session of the caller.', {
    session: object('The session.', {
      account: text('Name of the account at the identity provider.', { examples: ['alice@example.net'] }),
      created: instant('Time of creation.'),
      expires: instant('When the session expires at the latest.'),
      'idle-expires': instant('When the session expires without further use.'),
    }),
  }),
  OwnMaintainers: object('The mntners that an account may use.', {
    maintainers: list(
      object(
        'A mntner.',
        {
          source: text('Its source.', { examples: ['TEST'] }),
          key: text('Its name.', { examples: ['EXAMPLE-MNT'] }),
        },
        {
          storage: object(
            'The bytes of object texts with their history, of the writes that it authorised. Absent without a limit.',
            {
              used: count('Bytes stored.'),
              most: count('Maximum bytes.'),
            },
          ),
        },
      ),
      { maxItems: 1000 },
    ),
    incomplete: truth('Whether the account may use more mntners than these.'),
  }),
  EndedSession: object(
    'The session has ended.',
    {},
    {
      'sign-out-url': text(
        'Where the browser ends its session at the identity provider (OpenID Connect RP-Initiated Logout), which then redirects to the public URL of this service.',
      ),
    },
  ),
};
