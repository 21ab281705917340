/** Numbers of any space as 32 hexadecimal digits, which sort like the numbers. */
export function digits(number: bigint): string {
  return number.toString(16).padStart(32, '0');
}

export function fromDigits(text: string): bigint {
  return BigInt(`0x${text}`);
}

/** Numbers of any space in IPv6 notation, the only one in range fields. Spaces do not mix. */
export function asAddress(number: bigint): string {
  return digits(number).match(/.{4}/g)!.join(':');
}
