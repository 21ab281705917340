import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import type { RejectedObject } from '@cadastre/proto/objects';
import { counted } from '../counted.js';
import { type Io, note, say } from '../io.js';
import { printableLine } from '../printable.js';
import type { Input } from './input.js';
import type { ProgressReport } from './progress.js';
import { createRejectReasons, type RejectCounts } from './reject-reasons.js';

const shownOnTerminal = 20;
const maxNameLength = 100;
const maxReasonLength = 300;

/** Collects the rejected objects of a load. */
export interface RejectReport {
  add(rejected: RejectedObject): void;
  /** Writes the rest and the number of rejected objects. */
  end(): Promise<void>;
  byReason(): RejectCounts;
}

/** One line about a rejected object: place, name, reasons. */
function describeReject(rejected: RejectedObject, input: Pick<Input, 'locate'>): string {
  const { file, line } = input.locate(Number(rejected.line));
  const name = printableLine(rejected.name || 'object', maxNameLength);
  const reasons = rejected.reasons.map((reason) => printableLine(reason, maxReasonLength)).join('; ');
  return `${file}:${line}: ${name}: ${reasons}`;
}

/** The file that stands for standard output. */
export const standardOutput = '-';

/** Reports all rejected objects to a file or standard output, or the first ones to standard error. */
export async function createRejectReport(
  io: Io,
  input: Input,
  progress: ProgressReport,
  file: string | undefined,
): Promise<RejectReport> {
  const reasons = createRejectReasons();
  if (file === standardOutput) {
    const add = (rejected: RejectedObject) => {
      progress.pause();
      say(io, describeReject(rejected, input));
      reasons.add(rejected);
    };
    return { add, end: async () => {}, byReason: reasons.counts };
  }
  const out = file === undefined ? undefined : createWriteStream(file);
  if (out) await once(out, 'open');
  // `end` reports it.
  out?.on('error', () => {});
  const shown: string[] = [];
  let count = 0;
  return {
    add: (rejected) => {
      count += 1;
      if (out) out.write(`${describeReject(rejected, input)}\n`);
      else if (count <= shownOnTerminal) shown.push(describeReject(rejected, input));
      reasons.add(rejected);
    },
    end: async () => {
      if (out) {
        out.end();
        await finished(out);
        if (count > 0) note(io, `${file} lists ${counted(count, 'rejected object')}`);
        return;
      }
      for (const line of shown) note(io, `rejected ${line}`);
      const hidden = count - shown.length;
      if (hidden > 0) note(io, `rejected ${hidden} more; --rejects FILE writes all of them to a file`);
    },
    byReason: reasons.counts,
  };
}
