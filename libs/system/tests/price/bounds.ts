/** The default bounds, up to which rows go. A row beyond one shows its effect. */
export const bounds = {
  /** Of path and query. */
  urlBytes: 8 * 1024,
  parameters: 200,
  /** Size of a body, as sent and inflated. */
  bodyBytes: 5 * 1024 * 1024,
  /** Size of an anonymous object, and of any other anonymous body. */
  anonymousObjectBytes: 64 * 1024,
  anonymousBodyBytes: 3 * 64 * 1024,
  bodyAttributes: 25_000,
  bodyObjects: 100,
  /** Size of a signed text, and of a key or certificate. */
  signedCharacters: 64 * 1024,
  signedLines: 4_096,
  /** Size of all objects of one write. */
  writeCharacters: 1_000_000,
  writeValues: 50_000,
} as const;
