import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { RejectedObject } from '@cadastre/proto/objects';
import { type Io, note } from '../io.js';
import { printableLine } from '../printable.js';
import type { Input } from './input.js';

const shownOnTerminal = 20;
const longestName = 100;
const longestReason = 300;

/** Collects the rejected objects of a load. */
export interface RejectReport {
  add(rejected: RejectedObject): void;
  /** Writes the rest and the number of rejected objects. */
  end(): Promise<void>;
}

/** One line about a rejected object: place, name, reasons. */
function describeReject(rejected: RejectedObject, input: Pick<Input, 'locate'>): string {
  const { file, line } = input.locate(Number(rejected.line));
  const name = printableLine(rejected.name || 'object', longestName);
  const reasons = rejected.reasons.map((reason) => printableLine(reason, longestReason)).join('; ');
  return `${file}:${line}: ${name}: ${reasons}`;
}

/** Reports all rejected objects to a file, or the first ones to standard error. */
export async function createRejectReport(io: Io, input: Input, file: string | undefined): Promise<RejectReport> {
  return file === undefined ? terminalReport(io, input) : await fileReport(io, input, file);
}

function terminalReport(io: Io, input: Input): RejectReport {
  const kept: string[] = [];
  let count = 0;
  return {
    add: (rejected) => {
      count += 1;
      if (count <= shownOnTerminal) kept.push(describeReject(rejected, input));
    },
    end: async () => {
      for (const line of kept) note(io, `rejected ${line}`);
      const hidden = count - kept.length;
      if (hidden > 0) note(io, `rejected ${hidden} more; --rejects FILE writes all of them to a file`);
    },
  };
}

async function fileReport(io: Io, input: Input, file: string): Promise<RejectReport> {
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
      if (count > 0) note(io, `${count} rejected objects are listed in ${file}`);
    },
  };
}
