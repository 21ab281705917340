import { SettingsError, type Values } from '@cadastre/service';
import type { FileStore } from './file-store.js';
import { folderStore } from './folder.js';
import { s3Store } from './s3.js';
import { readS3Url } from './s3-url.js';
import type { storeSettings } from './store-settings.js';

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
