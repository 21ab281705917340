import { setTimeout as delay } from 'node:timers/promises';
import {
  AccountServiceService,
  ApiKeyServiceService,
  AuthenticationServiceService,
  BlockListServiceService,
  SessionServiceService,
  SignatureServiceService,
} from '@cadastre/proto/auth';
import type { Message } from '@cadastre/proto/registry';
import {
  connect,
  formatMessage,
  type RpcClient,
  readSettings,
  type ServiceDefinition,
  ServiceError,
} from '@cadastre/service';
import { type FixedClock, fixedClock, keepSecret, testDatabase, testLogger } from '@cadastre/service/testing';
import { type AuthOverrides, createAuthService } from '../src/service.js';
import { type AuthSettings, authSettings } from '../src/settings.js';
import { directoryToken, type FakeDirectory, startFakeDirectory } from './fake-directory.js';

/** The running service with its clients, a database of its own and a faked identity provider. */
export interface AuthSystem {
  authentication: RpcClient<typeof AuthenticationServiceService>;
  apiKeys: RpcClient<typeof ApiKeyServiceService>;
  accounts: RpcClient<typeof AccountServiceService>;
  blocks: RpcClient<typeof BlockListServiceService>;
  sessions: RpcClient<typeof SessionServiceService>;
  signatures: RpcClient<typeof SignatureServiceService>;
  clock: FixedClock;
  directory: FakeDirectory;
  databaseUrl: string;
  stop(): Promise<void>;
}

/**
 * Starts it with changed settings; with the database URL of another one, both share that database. It waits long for the
 * identity provider and for its threads, as a busy machine may need; tests of one that hangs set shorter timeouts.
 */
export async function startAuth(
  change: Partial<AuthSettings> = {},
  overrides: Omit<AuthOverrides, 'logger' | 'now'> = {},
): Promise<AuthSystem> {
  const own = change.databaseUrl ? undefined : await testDatabase(new URL('../migrations/', import.meta.url));
  const databaseUrl = change.databaseUrl ?? own!.url;
  const directory = await startFakeDirectory();
  directory.users.push({ id: 'a-1', userName: 'Alice@example.net' }, { id: 'b-2', userName: 'bob@example.net' });
  const clock = fixedClock('2026-11-21T12:00:30Z');
  keepSecret(directoryToken, change.oidcClientSecret);
  const settings = readSettings(authSettings, {
    CADASTRE_LISTEN: '127.0.0.1:0',
    CADASTRE_DATABASE_URL: databaseUrl,
    CADASTRE_DIRECTORY_URL: directory.url,
    CADASTRE_DIRECTORY_TOKEN: directoryToken,
  });
  const service = await createAuthService(
    { ...settings, ...change },
    {
      ...{ logger: testLogger(), now: clock.now },
      ...{ oidcTimeoutMs: 60_000, directoryTimeoutMs: 60_000, verificationDeadlineMs: 60_000 },
      ...overrides,
    },
  );
  await service.start();
  const address = service.address();
  const clients = {
    authentication: repeatingClient(AuthenticationServiceService, address),
    apiKeys: repeatingClient(ApiKeyServiceService, address),
    accounts: repeatingClient(AccountServiceService, address),
    blocks: repeatingClient(BlockListServiceService, address),
    sessions: repeatingClient(SessionServiceService, address),
    signatures: repeatingClient(SignatureServiceService, address),
  };
  return {
    ...clients,
    clock,
    directory,
    databaseUrl,
    async stop() {
      for (const one of Object.values(clients)) one.close();
      await service.stop();
      await directory.close();
      await own?.drop();
    },
  };
}

/** The failure of a call whose statement the database did not answer in time; nothing was stored. */
const databaseAway = 'unavailable: Service temporarily unavailable';

/**
 * A client that repeats calls for a minute while the database does not respond: the service waits two seconds for each
 * statement, and for a connection, and a busy machine may stop for longer.
 */
function repeatingClient<D extends ServiceDefinition>(definition: D, address: string) {
  const client = connect(definition, { address, deadlineMs: 80_000 });
  const repeated = Object.entries(definition).flatMap(([name, { requestStream, responseStream }]) => {
    if (requestStream || responseStream) return [];
    const once = client[name as keyof D] as unknown as (...given: unknown[]) => Promise<unknown>;
    return [[name, (...given: unknown[]) => untilAnswered(() => once(...given))] as const];
  });
  return { ...client, ...Object.fromEntries(repeated) };
}

async function untilAnswered<T>(call: () => Promise<T>): Promise<T> {
  for (const giveUp = performance.now() + 60_000; ; await delay(100)) {
    try {
      return await call();
    } catch (error) {
      if ((error as Error).message !== databaseAway || performance.now() > giveUp) throw error;
    }
  }
}

/** The usual parameters of a new key. */
export const ordinaryKey = {
  accountId: '',
  accountName: 'alice@example.net',
  name: 'laptop',
  expires: undefined as Date | undefined,
  maintainer: '',
  createAccount: false,
};

/** The credentials of a request; none by default. */
export const credentials = (given: {
  basic?: string;
  bearerToken?: string;
  session?: string;
  certificate?: Buffer;
}) => {
  keepSecret(given.basic, given.bearerToken, given.session);
  return {
    basic: given.basic ?? '',
    bearerToken: given.bearerToken ?? '',
    session: given.session ?? '',
    clientCertificate: given.certificate ?? Buffer.alloc(0),
  };
};

/** The sentences of messages. */
export const sentences = (messages: Message[]) => messages.map(formatMessage);

/** Kind and sentences of the failure of a call. */
export async function refusal(call: Promise<unknown>): Promise<[string, ...string[]]> {
  const error = await call.then(
    () => new Error('the call should have failed'),
    (thrown) => thrown as Error,
  );
  if (error instanceof ServiceError) return [error.kind, ...sentences(error.messages)];
  throw error;
}
