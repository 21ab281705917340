import { once } from 'node:events';
import { connect } from 'node:net';
import type { AuthenticationServiceService } from '@cadastre/proto/auth';
import { ChangeFeedServiceService, ObjectReaderServiceService, SourceKind } from '@cadastre/proto/objects';
import { type SearchResponse, SearchServiceService } from '@cadastre/proto/search';
import { parseObject, primaryKey } from '@cadastre/rpsl';
import { type Handlers, readSettings } from '@cadastre/service';
import { inMemoryClient, testLogger } from '@cadastre/service/testing';
import { createWhoisService } from '../src/service.js';
import { whoisSettings } from '../src/settings.js';
import { authBackends } from './auth.fixture.js';
import { searchHandlers } from './search.fixture.js';

/** The other services of a test; missing ones are unavailable. */
interface Neighbours {
  readonly search?: Handlers<typeof SearchServiceService>['search'];
  readonly reader?: Partial<Handlers<typeof ObjectReaderServiceService>>;
  readonly auth?: Partial<Handlers<typeof AuthenticationServiceService>>;
}

/** A running whois service. */
export interface RunningWhois {
  readonly port: number;
  /** Sends lines on a connection of their own, and resolves to everything received until the service closes it. */
  ask(...lines: string[]): Promise<string>;
  stop(): Promise<void>;
}

/** Starts the service for the sources TEST and OTHER-GRS on a free port. */
export async function startWhois(neighbours: Neighbours, env: Record<string, string> = {}): Promise<RunningWhois> {
  const settings = readSettings(whoisSettings, {
    CADASTRE_LISTEN: '127.0.0.1:0',
    CADASTRE_WHOIS_PORT: '0',
    CADASTRE_BIND_ADDRESS: '127.0.0.1',
    CADASTRE_GRS_SOURCES: 'OTHER-GRS',
    CADASTRE_OBJECTS_ADDRESS: '127.0.0.1:1',
    CADASTRE_AUTH_ADDRESS: '127.0.0.1:1',
    CADASTRE_SEARCH_ADDRESS: '127.0.0.1:1',
    CADASTRE_TERMS_URL: 'https://registry.example/terms',
    ...env,
    CADASTRE_LIMITS: `queries=-1 searches=-1, ${env.CADASTRE_LIMITS ?? ''}`,
  });
  const service = await createWhoisService(settings, {
    logger: testLogger(),
    withoutFork: true,
    backends: {
      search: inMemoryClient(SearchServiceService, neighbours.search ? searchHandlers(neighbours.search) : {}),
      reader: inMemoryClient(ObjectReaderServiceService, { ...emptyRegistry, ...neighbours.reader }),
      feed: inMemoryClient(ChangeFeedServiceService, {}),
      ...authBackends(neighbours.auth),
      close() {},
    },
  });
  await service.start();
  const port = service.port();
  return { port, ask: (...lines) => ask(port, lines), stop: service.stop };
}

const emptyRegistry: Partial<Handlers<typeof ObjectReaderServiceService>> = {
  listSources: async () => ({ sources: [{ name: 'TEST', kind: SourceKind.SOURCE_KIND_MAIN, serial: 0n }] }),
};

async function ask(port: number, lines: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(lines.map((line) => `${line}\r\n`).join(''));
  const pieces: Buffer[] = [];
  socket.on('data', (piece) => pieces.push(piece));
  await once(socket, 'close');
  return Buffer.concat(pieces).toString('latin1');
}

/** A page of a result, from the texts of its objects; those of related ones begin with "+". */
export function page(...texts: string[]): SearchResponse {
  const objects = texts.map((given) => {
    const related = given.startsWith('+');
    const text = related ? given.slice(1) : given;
    const parsed = parseObject(text);
    if (!parsed.ok) throw new Error(text);
    const key = primaryKey(parsed.object);
    const source = /^source: *(\S+)/m.exec(text)![1]!;
    const object = { source, type: parsed.object.type, key: 'shown' in key ? key.shown : '', text };
    return {
      object: { ...object, revision: 0, serial: 0n, contacts: [], tags: [] },
      ...{ related, managedAttributes: [], managedMaintainers: [], messages: [] },
    };
  });
  return { objects, flags: [], messages: [], serial: 1n };
}
