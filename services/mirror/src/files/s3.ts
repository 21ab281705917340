import {
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { FileStore } from './file-store.js';

export interface S3Options {
  readonly bucket: string;
  /** URL of the service. */
  readonly endpoint: string;
  readonly region: string;
  /** Undefined for the default credentials of the SDK. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
}

/**
 * Size of the parts of files of unknown length; some parts are sent while the next ones are made, and are in memory.
 */
const partBytes = 8 << 20;
const partsAtATime = 2;

const timeouts = { connectionTimeout: 5_000, requestTimeout: 60_000 };

/**
 * A store in an S3 bucket. An interrupted put may leave invisible parts of an upload: a lifecycle rule of the bucket
 * removes them (AbortIncompleteMultipartUpload).
 */
export function s3Store({ bucket: Bucket, endpoint, region, credentials }: S3Options): FileStore {
  const client = new S3Client({
    region,
    ...(credentials && { credentials }),
    endpoint,
    forcePathStyle: true,
    requestHandler: timeouts,
    // Services other than that of AWS may not support newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return {
    async put(Key, content, { contentType: ContentType, cacheControl: CacheControl, signal }) {
      signal?.throwIfAborted();
      const object = { Bucket, Key, ContentType, CacheControl };
      if (Buffer.isBuffer(content)) {
        const options = signal ? { abortSignal: signal } : {};
        await client.send(new PutObjectCommand({ ...object, Body: content }), options);
        return { bytes: content.length };
      }
      let bytes = 0;
      const upload = new Upload({
        client,
        params: { ...object, Body: content },
        partSize: partBytes,
        queueSize: partsAtATime,
      });
      upload.on('httpUploadProgress', ({ loaded = 0 }) => {
        bytes = Math.max(bytes, loaded);
      });
      const abort = () => void upload.abort();
      signal?.addEventListener('abort', abort, { once: true });
      try {
        await upload.done();
      } catch (error) {
        // The error of the content says more than that its parts could not be removed.
        throw content.errored ?? (signal?.aborted ? signal.reason : error);
      } finally {
        signal?.removeEventListener('abort', abort);
        // The producer of the content must not wait for a reader that has left.
        content.destroy();
      }
      return { bytes };
    },
    async get(Key, max) {
      try {
        const { Body, ContentLength = 0 } = await client.send(new GetObjectCommand({ Bucket, Key }));
        if (ContentLength <= max) return Buffer.from(await Body!.transformToByteArray());
        await Body!.transformToWebStream().cancel();
        return undefined;
      } catch (error) {
        if (error instanceof NoSuchKey) return undefined;
        throw error;
      }
    },
    async *list(folder) {
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, Prefix: folder })) {
        for (const { Key, Size = 0, LastModified } of Contents) {
          yield { name: Key!, bytes: Size, stored: LastModified! };
        }
      }
    },
    async remove(Key) {
      await client.send(new DeleteObjectCommand({ Bucket, Key }));
    },
    close: () => client.destroy(),
  };
}
