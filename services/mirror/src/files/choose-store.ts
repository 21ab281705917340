import { SettingsError } from '@cadastre/service';
import type { MirrorSettings } from '../settings.js';
import type { FileStore } from './file-store.js';
import { folderStore } from './folder.js';

/** Opens the store of the settings; throws a SettingsError when they name none. */
export function chooseStore({ directory }: Pick<MirrorSettings, 'directory'>): FileStore {
  if (directory === undefined) throw new SettingsError(['CADASTRE_MIRROR_DIRECTORY: is required to publish']);
  return folderStore(directory);
}
