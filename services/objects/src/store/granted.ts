/**
 * The setting with which a transaction lists which of its writes it stores, by their positions: ",1,3,". So the
 * statements behind the one that decides need not wait for its answer.
 */
export const grantedSetting = 'cadastre.granted';

/** One of the writes. */
export interface Granted {
  /** Its position, between commas. */
  readonly place: string;
}

/** The condition that the transaction stores the write with the position of this parameter. */
export function isGranted(parameter: string): string {
  return `strpos(current_setting('${grantedSetting}', true), ${parameter}::text) > 0`;
}
