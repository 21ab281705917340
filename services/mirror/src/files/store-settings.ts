import { setting } from '@cadastre/service';

/** Where files for others go. */
export const storeSettings = {
  directory: setting.text({
    name: 'CADASTRE_MIRROR_DIRECTORY',
    doc: 'Directory for the files that others fetch, which the gateway serves. All replicas need the same one.',
    optional: true,
  }),
};
