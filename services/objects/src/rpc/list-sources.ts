import { type ObjectReaderServiceService, SourceKind } from '@cadastre/proto/objects';
import type { Handlers } from '@cadastre/service';
import type { Context } from '../context.js';
import { currentSerials } from '../store/serials.js';

const kinds = { main: SourceKind.SOURCE_KIND_MAIN, grs: SourceKind.SOURCE_KIND_GRS } as const;

export function listSources(context: Context): Handlers<typeof ObjectReaderServiceService>['listSources'] {
  return async () => {
    const { all } = context.sources;
    const serials = await currentSerials(context.readPool);
    return { sources: all.map(({ id, name, kind }) => ({ name, kind: kinds[kind], serial: serials.get(id) ?? 0n })) };
  };
}
