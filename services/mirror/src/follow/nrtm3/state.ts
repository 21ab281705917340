/** What a follower remembers of a whois server. Stored as JSON: a release must read what the one before has written. */
export interface Nrtm3State {
  /** Every change up to this serial is applied. */
  readonly serial: number;
}
