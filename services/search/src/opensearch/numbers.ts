/** Numbers of any space as 32 hexadecimal digits, so that the order of the texts is that of the numbers. */
export function digits(number: bigint): string {
  return number.toString(16).padStart(32, '0');
}

export function fromDigits(text: string): bigint {
  return BigInt(`0x${text}`);
}

/** Numbers of any space in the notation of an IPv6 address, all that a range field knows. Spaces do not mix. */
export function asAddress(number: bigint): string {
  return digits(number).match(/.{4}/g)!.join(':');
}
