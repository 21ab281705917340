import { openRowStream, type RowStream, sendRows } from '@cadastre/service';
import { createCopyRows } from '@cadastre/service/copy-rows';
import type pg from 'pg';
import type { IndexDocument } from '../index-port.js';
import { documentColumns, hostPairs, writeDocument } from './documents.js';
import type { Tables } from './tables.js';

/** Fills the tables of a generation; between calls its connection is busy. */
export interface Filling {
  /** Adds documents that the tables do not have; resolves when more can come. */
  add(documents: readonly IndexDocument[]): Promise<void>;
  /** Ends the part under way if it is large enough. */
  endLargePart(): Promise<void>;
  /** Ends the part under way: the tables have everything. */
  end(): Promise<void>;
  /** Discards the part under way. */
  abandon(): Promise<void>;
}

/** Bytes of documents in a part: what an interruption costs. The hosts of its domains wait that long in memory. */
const partBytes = 64 * 1024 * 1024;

/** Fills tables by COPY in parts. Each part is one transaction, at whose end `store` stores how far the tables are. */
export function fillTables(client: pg.ClientBase, tables: Tables, store: () => Promise<void>): Filling {
  let stream: RowStream | undefined;
  let bytes = 0;
  let hosts = createCopyRows();
  const addHosts = (documents: readonly IndexDocument[]) => {
    for (const { key, host } of hostPairs(documents)) {
      hosts.row(2);
      hosts.text(host);
      hosts.text(key);
    }
  };
  const open = async () => {
    await client.query('begin');
    return openRowStream(client, `${tables.document} (${documentColumns})`);
  };
  const end = async () => {
    if (stream === undefined) return;
    await stream.end();
    if (hosts.size() > 0) await sendRows(client, `${tables.host} (host, key)`, [hosts.bytes()]);
    await store();
    await client.query('commit');
    stream = undefined;
    hosts = createCopyRows();
    bytes = 0;
  };
  return {
    async add(documents) {
      const rows = createCopyRows();
      for (const document of documents) writeDocument(rows, document);
      stream ??= await open();
      addHosts(documents);
      await stream.write([rows.bytes()]);
      bytes += rows.size();
    },
    async endLargePart() {
      if (bytes >= partBytes) await end();
    },
    end,
    async abandon() {
      if (stream === undefined) return;
      await stream.abandon();
      stream = undefined;
      await client.query('rollback').catch(() => {}); // the connection broke, which ended the transaction
    },
  };
}
