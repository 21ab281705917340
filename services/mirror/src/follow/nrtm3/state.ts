/** The state of a follower of a whois server. Stored as JSON: a release must read the state of the previous one. */
export interface Nrtm3State {
  /** Every change up to this serial is applied. */
  readonly serial: number;
}
