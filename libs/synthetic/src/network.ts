/** One node of the address tree. The tree consists of slots of equal size that are generated separately. */
interface Network {
  readonly status: string;
  /** Index of the enclosing network inside the slot; -1 is the registry's root object. */
  readonly parent: number;
}

export interface Ipv4Network extends Network {
  readonly first: number;
  readonly last: number;
}

export interface Ipv6Network extends Network {
  /** The bits 0 to 31 and 32 to 63; the rest is zero. */
  readonly high: number;
  readonly low: number;
  /** 32 to 64 */
  readonly length: number;
}
