import type { S3Options } from './s3.js';

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
