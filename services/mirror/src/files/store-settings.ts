import { setting } from '@cadastre/service';

/** The store of published files. */
export const storeSettings = {
  directory: setting.text({
    name: 'CADASTRE_MIRROR_DIRECTORY',
    doc: 'Directory for the files that others fetch, which the gateway serves. All replicas need the same one.',
    optional: true,
  }),
  sourceBytes: setting.integer({
    name: 'CADASTRE_MIRROR_SOURCE_BYTES',
    doc: 'Bytes that the publication of a source may take, and its dumps as many. Beyond it, publishing the source stops, until old deltas have gone or the limit is raised.',
    default: 10_000_000_000,
    min: 1,
  }),
  s3Bucket: setting.text({
    name: 'CADASTRE_MIRROR_S3_BUCKET',
    doc: 'S3 bucket for the files that others fetch, instead of a directory. A web server or CDN in front of it serves them.',
    max: 63,
    optional: true,
  }),
  s3Endpoint: setting.url({
    name: 'CADASTRE_MIRROR_S3_ENDPOINT',
    doc: 'URL of the S3 service; default: that of AWS in the region.',
    optional: true,
  }),
  s3Region: setting.text({
    name: 'CADASTRE_MIRROR_S3_REGION',
    doc: 'Region of the bucket.',
    default: 'us-east-1',
    max: 40,
  }),
  s3AccessKey: setting.secret({
    name: 'CADASTRE_MIRROR_S3_ACCESS_KEY',
    doc: 'Access key that may list, read, write and delete objects of the bucket; default: what the AWS SDK finds, such as the role of the pod.',
    optional: true,
  }),
  s3SecretKey: setting.secret({
    name: 'CADASTRE_MIRROR_S3_SECRET_KEY',
    doc: 'Secret key of CADASTRE_MIRROR_S3_ACCESS_KEY.',
    optional: true,
  }),
};
