/** A number of bytes, rounded: "850 bytes", "1.2 MB", "50 MB". */
export declare function bytes(count: number): string;
