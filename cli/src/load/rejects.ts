import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { RejectedObject } from '@cadastre/proto/objects';
import { counted } from '../counted.js';
import { type Io, note } from '../io.js';
import { printableLine } from '../printable.js';
import type { Input } from './input.js';
import { createRejectReasons, type RejectCounts } from './reject-reasons.js';

const shownOnTerminal = 20;
const maxNameLength = 100;
const maxReasonLength = 300;

/** Lists the rejected objects of a load. */
interface RejectList {
  add(rejected: RejectedObject): void;
  /** Writes the rest and the number of rejected objects. */
  end(): Promise<void>;
}

/** Collects the rejected objects of a load. */
export interface RejectReport extends RejectList {
  byReason(): RejectCounts;
}

/** One line about a rejected object: place, name, reasons. */
function describeReject(rejected: RejectedObject, input: Pick<Input, 'locate'>): string {
  const { file, line } = input.locate(Number(rejected.line));
  const name = printableLine(rejected.name || 'object', maxNameLength);
  const reasons = rejected.reasons.map((reason) => printableLine(reason, maxReasonLength)).join('; ');
  return `${file}:${line}: ${name}: ${reasons}`;
}

/** Reports all rejected objects to a file, or the first ones to standard error. */
export async function createRejectReport(io: Io, input: Input, file: string | undefined): Promise<RejectReport> {
  const list = file === undefined ? terminalList(io, input) : await fileList(io, input, file);
  const reasons = createRejectReasons();
  return {
    add: (rejected) => {
      list.add(rejected);
      reasons.add(rejected);
    },
    end: list.end,
    byReason: reasons.counts,
  };
}

function terminalList(io: Io, input: Input): RejectList {
  const rejects: string[] = [];
  let count = 0;
  return {
    add: (rejected) => {
      count += 1;
      if (count <= shownOnTerminal) rejects.push(describeReject(rejected, input));
    },
    end: async () => {
      for (const line of rejects) note(io, `rejected ${line}`);
      const hidden = count - rejects.length;
      if (hidden > 0) note(io, `rejected ${hidden} more; --rejects FILE writes all of them to a file`);
    },
  };
}

async function fileList(io: Io, input: Input, file: string): Promise<RejectList> {
  const out = createWriteStream(file);
  await once(out, 'open');
  let count = 0;
  return {
    add: (rejected) => {
      count += 1;
      out.write(`${describeReject(rejected, input)}\n`);
    },
    end: async () => {
      out.end();
      await once(out, 'close');
      if (count > 0) note(io, `${file} lists ${counted(count, 'rejected object')}`);
    },
  };
}
