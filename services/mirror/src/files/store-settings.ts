import { setting } from '@cadastre/service';

/** The store of published files. */
export const storeSettings = {
  directory: setting.text({
    name: 'CADASTRE_PUBLICATIONS_DIR',
    doc: 'Directory for the files that others fetch, which the gateway serves. All replicas need the same one.',
    optional: true,
  }),
  sourceBytes: setting.integer({
    name: 'CADASTRE_MIRROR_SOURCE_BYTES',
    doc: 'Bytes that the publication of a source may take, and its dumps as many. Beyond it, publishing the source stops, until old deltas have gone or the limit is raised.',
    default: 10_000_000_000,
    min: 1,
  }),
  s3Url: setting.secret({
    name: 'CADASTRE_MIRROR_S3_URL',
    doc: 'S3 bucket for the files that others fetch, instead of a directory: https://ACCESS_KEY:SECRET_KEY@HOST/BUCKET?region=REGION, special characters as %2F. The key may list, read, write and delete objects of the bucket; without one, what the AWS SDK finds counts, such as the role of the pod. The default of the region is us-east-1. A web server or CDN in front of the bucket serves the files.',
    optional: true,
  }),
};
