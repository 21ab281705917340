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
  /** Resolves when the tables have everything. */
  end(): Promise<void>;
  /** Discards what is under way; the transaction can only be rolled back. */
  abandon(): Promise<void>;
}

/** One COPY sends this many bytes of documents; the hosts of its domains wait that long in memory. */
const copyBytes = 64 * 1024 * 1024;

/** Fills tables by COPY, in the current transaction of the connection. */
export function fillTables(client: pg.ClientBase, tables: Tables): Filling {
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
  const flush = async () => {
    const full = stream;
    stream = undefined;
    await full?.end();
    if (hosts.size() > 0) await sendRows(client, `${tables.host} (host, key)`, [hosts.bytes()]);
    hosts = createCopyRows();
    bytes = 0;
  };
  return {
    async add(documents) {
      const rows = createCopyRows();
      for (const document of documents) writeDocument(rows, document);
      addHosts(documents);
      stream ??= openRowStream(client, `${tables.document} (${documentColumns})`);
      await stream.write([rows.bytes()]);
      bytes += rows.size();
      if (bytes >= copyBytes) await flush();
    },
    end: flush,
    async abandon() {
      await stream?.abandon();
      stream = undefined;
    },
  };
}
