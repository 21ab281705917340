import { SettingsError, setting, type Values } from '@cadastre/service';
import type { FileStore } from './file-store.js';
import { folderStore } from './folder.js';
import { type S3Options, s3Store } from './s3.js';

/** Opens the store of the settings; throws a SettingsError when they name none or contradict each other. */
export function chooseStore(settings: Values<typeof storeSettings>): FileStore {
  const { directory, s3Url } = settings;
  const names = 'CADASTRE_PUBLICATIONS_DIR, CADASTRE_MIRROR_S3_URL';
  if (directory !== undefined && s3Url !== undefined) throw new SettingsError([`${names}: only one of them`]);
  if (s3Url !== undefined) {
    const bucket = readS3Url(s3Url);
    if (bucket !== undefined) return s3Store(bucket);
    const form = 'https://ACCESS_KEY:SECRET_KEY@HOST/BUCKET?region=REGION';
    throw new SettingsError([`CADASTRE_MIRROR_S3_URL: must have the form ${form}`]);
  }
  if (directory === undefined) throw new SettingsError([`${names}: one of them is required to publish`]);
  return folderStore(directory);
}

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

/** Reads https://ACCESS_KEY:SECRET_KEY@HOST/BUCKET?region=REGION; undefined when the text has another form. */
export function readS3Url(text: string): S3Options | undefined {
  const url = URL.parse(text);
  const bucket = /^\/([^/]{3,63})\/?$/.exec(url?.pathname ?? '')?.[1];
  if (url === null || bucket === undefined || !/^https?:$/.test(url.protocol)) return undefined;
  const { origin: endpoint, searchParams } = url;
  const credentials = credentialsOf(url);
  if (credentials === 'wrong') return undefined;
  return { bucket, endpoint, region: searchParams.get('region') ?? 'us-east-1', credentials };
}

function credentialsOf({ username, password }: URL): S3Options['credentials'] | 'wrong' {
  if (username === '' && password === '') return undefined;
  if (username === '' || password === '') return 'wrong';
  try {
    return { accessKeyId: decodeURIComponent(username), secretAccessKey: decodeURIComponent(password) };
  } catch {
    return 'wrong';
  }
}
