import { SettingsError, type Values } from '@cadastre/service';
import type { FileStore } from './file-store.js';
import { folderStore } from './folder.js';
import { s3Store } from './s3.js';
import type { storeSettings } from './store-settings.js';

/** Opens the store of the settings; throws a SettingsError when they name none or contradict each other. */
export function chooseStore(settings: Values<typeof storeSettings>): FileStore {
  const { directory, s3Bucket: bucket, s3AccessKey: accessKey, s3SecretKey: secretKey } = settings;
  const problems = [
    ...(directory === undefined && bucket === undefined
      ? ['CADASTRE_MIRROR_DIRECTORY or CADASTRE_MIRROR_S3_BUCKET: one of them is required to publish']
      : []),
    ...(directory !== undefined && bucket !== undefined
      ? ['CADASTRE_MIRROR_DIRECTORY, CADASTRE_MIRROR_S3_BUCKET: only one of them']
      : []),
    ...((accessKey === undefined) !== (secretKey === undefined)
      ? ['CADASTRE_MIRROR_S3_ACCESS_KEY, CADASTRE_MIRROR_S3_SECRET_KEY: both or none']
      : []),
  ];
  if (problems.length > 0) throw new SettingsError(problems);
  if (bucket === undefined) return folderStore(directory!);
  const credentials = accessKey && secretKey ? { accessKeyId: accessKey, secretAccessKey: secretKey } : undefined;
  return s3Store({ bucket, endpoint: settings.s3Endpoint, region: settings.s3Region, credentials });
}
