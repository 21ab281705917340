import { createJsonWriter } from './json.js';
import type { Resource } from './resource.js';
import { createTextWriter } from './text.js';
import type { Format, Writer } from './writer.js';
import { createXmlWriter } from './xml.js';

const writers: Record<Format, () => Writer> = {
  xml: createXmlWriter,
  json: createJsonWriter,
  text: createTextWriter,
};

/** A writer for one document. */
export function createWriter(format: Format): Writer {
  return writers[format]();
}

/** A whole document at once. */
export function render(format: Format, resource: Resource): string {
  const writer = createWriter(format);
  let document = writer.open(resource.head);
  for (const entry of resource.objects ?? []) document += writer.object(entry);
  return document + writer.messages(resource.messages ?? []) + writer.close(resource.tail ?? {});
}
