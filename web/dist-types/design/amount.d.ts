/** A number with its noun: "1 object", "2,000 objects". */
export declare function amount(count: number, one: string, more?: string): string;
