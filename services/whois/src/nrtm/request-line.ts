import { type Nrtm3Refusal, type Nrtm3Request, parseNrtm3Request } from '@cadastre/nrtm';

/** A line that requests changes. */
export interface NrtmLine {
  /** `-k`: also future changes. */
  readonly keepsOpen: boolean;
  readonly request: Nrtm3Request | Nrtm3Refusal;
}

/** Old clients send their name first. */
const agent = /^\s*-V\s*\S+(?=\s)/;
const changes = /^\s*(-k\s+-|-k|-)g(.*)$/;

/** Reads `-g SOURCE:3:FIRST-LAST`, possibly with `-k`; undefined for any other line. */
export function readNrtmLine(line: string): NrtmLine | undefined {
  const [, before = '', after = ''] = changes.exec(line.replace(agent, '')) ?? [];
  if (before === '') return undefined;
  const argument = after.replace(/\s-k\s*$/, '');
  const keepsOpen = before !== '-' || argument !== after;
  return { keepsOpen, request: parseNrtm3Request(argument.trim()) };
}
