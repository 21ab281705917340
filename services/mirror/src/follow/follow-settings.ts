import { setting } from '@cadastre/service';

/** Which sources follow their registries. */
export const followSettings = {
  originsFile: setting.text({
    name: 'CADASTRE_MIRROR_ORIGINS_FILE',
    doc: 'JSON file that names the origin of each copy that this service keeps current, by the name of its source in CADASTRE_GRS_SOURCES: {"EXAMPLE-GRS": {"nrtm4": {"url", "source", "key"}}}. docs/use/mirroring.md has all members. Default: none, and only operators load copies.',
    optional: true,
  }),
};
