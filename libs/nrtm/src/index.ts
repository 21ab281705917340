/** The formats of mirroring: NRTM versions 4 and 3. */
export { type Expanded, expandPreset, type FollowKind, followKinds } from './expand-preset.js';
export { type FileKind, fileName, type PublishedFile, parseFileName } from './file-names.js';
export { isRecord } from './members.js';
export {
  type FileReference,
  maxNotificationBytes,
  type Notification,
  notificationFileName,
  type Read,
  readNotification,
  writeNotification,
} from './notification.js';
export {
  type Nrtm3Change,
  Nrtm3CutOff,
  Nrtm3Fault,
  type Nrtm3Item,
  type Nrtm3Refusal,
  type Nrtm3Request,
  type Nrtm3Start,
  type Nrtm3Version,
  parseNrtm3Request,
  readNrtm3Answer,
  writeNrtm3Change,
  writeNrtm3End,
  writeNrtm3Refusal,
  writeNrtm3Request,
  writeNrtm3Start,
} from './nrtm3.js';
export { type Followed, knownFiles, type Plan, planUpdate } from './plan.js';
export { type Preset, presets } from './presets.js';
export {
  type Change,
  changeRecord,
  type FileHeader,
  headerRecord,
  objectRecord,
  readChange,
  readHeader,
  readObject,
} from './records.js';
export { readSequence, type SequenceBounds, SequenceFault, sequenceRecord, unpack } from './sequence.js';
export {
  fingerprintOf,
  isPublicKey,
  publicKeyOf,
  samePublicKey,
  signNotification,
  type Verified,
  verifyNotification,
} from './signature.js';
