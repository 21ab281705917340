import { parseObject, type RpslObject } from '@cadastre/rpsl';
import { readPayload } from '../src/payload.js';
import { type RoaIndex, roaIndexBuilder } from '../src/roa-index.js';

/** An entry of an export from "AS64500 192.0.2.0/24" or "AS64500 192.0.2.0/24-26". */
export function entry(roa: string, ta = 'ripe') {
  const [, asn, prefix, maxLength] = /^(AS\d+) ([^-]+)(?:-(\d+))?$/.exec(roa)!;
  return { asn, prefix, maxLength: Number(maxLength ?? prefix!.split('/')[1]), ta };
}

/** An index of these payloads. */
export function indexOfRoas(...roas: readonly string[]): RoaIndex {
  const builder = roaIndexBuilder(roas.length);
  for (const roa of roas) builder.add(readPayload(entry(roa))!);
  return builder.build();
}

export function objectOf(text: string): RpslObject {
  const parsed = parseObject(text);
  if (!('object' in parsed)) throw new Error(`No object: ${text}`);
  return parsed.object;
}

/** A route or route6 from "192.0.2.0/24 AS64500". */
export function routeOf(text: string): RpslObject {
  const [prefix, origin] = text.split(' ');
  return objectOf(`${text.includes(':') ? 'route6' : 'route'}: ${prefix}\norigin: ${origin}\nsource: TEST\n`);
}
