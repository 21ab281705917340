import { type Nrtm3Refusal, type Nrtm3Request, parseNrtm3Request } from '@cadastre/nrtm';

/** A line that asks for changes. */
export interface NrtmLine {
  /** `-k`: also for those to come. */
  readonly keepsOpen: boolean;
  readonly request: Nrtm3Request | Nrtm3Refusal;
}

/** Old clients name themselves first. */
const agent = /^\s*-V\s*\S+(?=\s)/;
const changes = /^\s*(-k\s+-|-k|-)g(.*)$/;

/** Reads `-g SOURCE:3:FIRST-LAST`, possibly with `-k`; undefined for a line that asks for something else. */
export function readNrtmLine(line: string): NrtmLine | undefined {
  const [, before = '', after = ''] = changes.exec(line.replace(agent, '')) ?? [];
  if (before === '') return undefined;
  const argument = after.replace(/\s-k\s*$/, '');
  const keepsOpen = before !== '-' || argument !== after;
  return { keepsOpen, request: parseNrtm3Request(argument.trim()) };
}
